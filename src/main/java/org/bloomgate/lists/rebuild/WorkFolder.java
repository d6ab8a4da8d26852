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

/// The temporary files of one rebuild of one layer. Anyone who opens it holds it alone (an advisory file lock,
/// which the system releases when its holder is killed) and finds it empty: what a killed rebuild left is swept
/// first.
final class WorkFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    private final Path folder;
    private final LockFile lock;

    private WorkFolder(Path folder, LockFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// @throws IOException when another rebuild of the layer is running
    static WorkFolder open(Path folder) throws IOException {
        return open(folder, Duration.ZERO, () -> {});
    }

    /// @param patience for another rebuild of the layer to end
    /// @param check run again and again meanwhile; what it throws ends the wait
    /// @throws IOException when it does not
    static WorkFolder open(Path folder, Duration patience, Runnable check) throws IOException {
        LockFile lock = hold(folder, patience, check)
                .orElseThrow(() -> new IOException(
                        folder + " is in use: another rebuild of this layer is running, wait for its end"));
        try {
            WorkFolder work = new WorkFolder(folder, lock);
            work.sweep();
            return work;
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static Optional<LockFile> hold(Path folder, Duration patience, Runnable check) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        Optional<LockFile> lock = LockFile.tryHold(folder, LOCK);
        while (lock.isEmpty()
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            check.run();
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
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
