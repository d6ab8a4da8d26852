package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.lists.snapshot.LayerBusyException;

/// The temporary files of one rebuild of one layer. The opener holds an exclusive advisory file lock, which the
/// system releases if the process is killed, and finds the folder empty: files of a killed rebuild are deleted
/// first.
final class WorkFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(250);

    private final Path folder;
    private final LockFile lock;

    private WorkFolder(Path folder, LockFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// @param timeout for another rebuild of the layer to end
    /// @param check called repeatedly while waiting; an exception ends the wait
    /// @throws LayerBusyException if the other rebuild does not end in time
    static WorkFolder open(Path folder, Duration timeout, Runnable check) throws IOException {
        LockFile lock = hold(folder, timeout, check)
                .orElseThrow(() -> new LayerBusyException(
                        folder + " is in use: another rebuild of this layer is running; wait until it ends"));
        try {
            WorkFolder work = new WorkFolder(folder, lock);
            work.sweep();
            return work;
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static Optional<LockFile> hold(Path folder, Duration timeout, Runnable check) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        Optional<LockFile> lock = LockFile.tryHold(folder, LOCK);
        while (lock.isEmpty()
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            check.run();
            LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
            lock = LockFile.tryHold(folder, LOCK);
        }
        return lock;
    }

    /// A new folder below this one.
    Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private void sweep() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.filter(entry -> !entry.endsWith(LOCK)).toList()) {
                DurableFiles.deleteTree(entry);
            }
        }
    }

    /// Deletes all temporary files.
    @Override
    public void close() throws IOException {
        try (lock) {
            sweep();
        }
    }
}
