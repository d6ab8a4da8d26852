package org.bloomgate.rebuild;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/// The temporary files of one rebuild of one layer. Whoever opens it holds it alone (an advisory file lock, which the
/// system releases when its holder is killed) and finds it empty: what a killed rebuild left is swept first.
final class WorkFolder implements AutoCloseable {
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel lock;

    private WorkFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// @throws IOException when another rebuild of the layer is running
    static WorkFolder open(Path folder) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock held = channel.tryLock();
            if (held == null) {
                throw busy(folder);
            }
            WorkFolder work = new WorkFolder(folder, channel);
            work.sweep();
            return work;
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw busy(folder);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static IOException busy(Path folder) {
        return new IOException(folder + " is in use: another rebuild of this layer is running, wait for its end");
    }

    /// A new folder below this one.
    Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private void sweep() throws IOException {
        try (Stream<Path> below = Files.walk(folder)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder) && !path.equals(folder.resolve(LOCK))) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Deletes all temporary files. The lock file stays: deleting it would let two holders in.
    @Override
    public void close() throws IOException {
        try (lock) {
            sweep();
        }
    }
}
