package org.bloomgate.base.io;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A disk that comes to an end at a step. What changes a file or a folder through its paths is a step and counted; from
/// a chosen one on the process is dead, as after kill -9, or nothing grows, as when the disk is full. What native code
/// writes is no step. Thread-safe.
public final class EndingDisk extends FileSystemProvider implements AutoCloseable {
    private final AtomicInteger steps = new AtomicInteger();
    private final int last;
    private final End end;
    private final EndingFiles files = new EndingFiles(this);
    private final Queue<FileChannel> open = new ConcurrentLinkedQueue<>();

    /// What becomes of it.
    public enum End {
        /// The step is half done, and no other is.
        KILLED,
        /// The step is half done, and no file and no folder is added to, but taken away and renamed they are.
        FULL
    }

    /// What the killed process would have gone on with. An error, since nobody goes on after it.
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private EndingDisk(int last, End end) {
        this.last = last;
        this.end = end;
    }

    /// @param steps that are made before it ends
    public static EndingDisk after(int steps, End end) {
        return new EndingDisk(steps, end);
    }

    /// The same file or folder, on this disk.
    public Path of(Path path) {
        return new EndingPath(files, path);
    }

    /// Whether it has ended.
    public boolean isOver() {
        return steps.get() > last;
    }

    /// Closes every file, as the end of a process does: locks on them are free.
    @Override
    public void close() throws IOException {
        for (FileChannel channel : open) {
            channel.close();
        }
    }

    /// @return steps behind the last one that is whole, of which the first, 0, can be half done
    private int beyond() {
        int beyond = steps.getAndIncrement() - last;
        if (end == End.KILLED && beyond > 0) {
            throw new Killed();
        }
        return beyond;
    }

    /// Before something is taken away or renamed.
    void change() {
        if (end == End.KILLED && beyond() >= 0) {
            throw new Killed();
        }
    }

    /// Before something grows.
    void grow() throws IOException {
        if (beyond() >= 0) {
            throw end(end);
        }
    }

    /// Before bytes are written.
    ///
    /// @return how many of them still are
    int grow(int bytes) throws IOException {
        int beyond = beyond();
        if (beyond < 0) {
            return bytes;
        }
        if (beyond > 0 || bytes < 2) {
            throw end(end);
        }
        return bytes / 2;
    }

    private static IOException end(End how) {
        return switch (how) {
            case KILLED -> throw new Killed();
            case FULL -> new IOException("No space left on device");
        };
    }

    private static Path real(Path path) {
        if (path instanceof EndingPath ours) {
            return ours.real();
        }
        throw new ProviderMismatchException();
    }

    @Override
    public String getScheme() {
        return "ending";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return files;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        if (writes && !Files.exists(real(path), LinkOption.NOFOLLOW_LINKS)) {
            grow();
        } else if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            change();
        }
        FileChannel channel = FileChannel.open(real(path), options, attributes);
        open.add(channel);
        return writes ? new EndingChannel(this, channel) : channel;
    }

    @SuppressWarnings("StreamResourceLeak") // closed with what is given
    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> all =
                Files.newDirectoryStream(real(folder), entry -> filter.accept(new EndingPath(files, entry)));
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> entries = all.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return entries.hasNext();
                    }

                    @Override
                    public Path next() {
                        return new EndingPath(files, entries.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                all.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        if (!Files.exists(real(folder), LinkOption.NOFOLLOW_LINKS)) {
            grow();
        }
        Files.createDirectory(real(folder), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        change();
        Files.delete(real(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        grow();
        Files.copy(real(source), real(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        change();
        Files.move(real(source), real(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return Files.isSameFile(real(path), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real(path).getFileSystem().provider().checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        change();
        Files.setAttribute(real(path), attribute, value, options);
    }
}
