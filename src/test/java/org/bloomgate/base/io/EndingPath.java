package org.bloomgate.base.io;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/// A path on an [EndingDisk]; its text is that of the real one.
record EndingPath(EndingFiles files, Path real) implements Path {

    private Path on(Path path) {
        return new EndingPath(files, path);
    }

    private @Nullable Path onAny(@Nullable Path path) {
        return path == null ? null : on(path);
    }

    private static Path real(Path other) {
        if (other instanceof EndingPath ours) {
            return ours.real;
        }
        throw new ProviderMismatchException();
    }

    @Override
    public FileSystem getFileSystem() {
        return files;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return onAny(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return onAny(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return onAny(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return on(real.getName(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return on(real.subpath(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof EndingPath ours && real.startsWith(ours.real);
    }

    @Override
    public boolean endsWith(Path other) {
        return other instanceof EndingPath ours && real.endsWith(ours.real);
    }

    @Override
    public Path normalize() {
        return on(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return on(real.resolve(real(other)));
    }

    @Override
    public Path relativize(Path other) {
        return on(real.relativize(real(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return on(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return on(real.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(real(other));
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
