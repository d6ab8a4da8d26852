package org.bloomgate.base.io;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// The right to change a folder: an advisory lock on a file in it, which the system releases when its holder
/// dies. The file itself stays: if it were deleted, two processes could hold the lock.
public final class LockFile implements AutoCloseable {
    /// Locks of this process. POSIX locks belong to the process, and closing any channel on the file releases
    /// them, so a second attempt in the same process must fail before it opens a channel.
    private static final Set<Path> HELD_FILES = ConcurrentHashMap.newKeySet();

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final Path file;
    private final FileChannel channel;

    private LockFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Takes the lock; empty while another process or thread holds it. Creates the folder and the file if they
    /// are missing.
    public static Optional<LockFile> tryHold(Path folder, String name) throws IOException {
        Path file = Files.createDirectories(folder).toRealPath().resolve(name);
        if (!HELD_FILES.add(file)) {
            return Optional.empty();
        }
        Optional<LockFile> lock = Optional.empty();
        try {
            lock = lock(file);
        } finally {
            if (lock.isEmpty()) {
                HELD_FILES.remove(file);
            }
        }
        return lock;
    }

    /// Takes the lock, and waits for it if necessary.
    ///
    /// @throws IOException if another process holds it for this long, or until this thread is interrupted
    public static LockFile hold(Path folder, String name, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Optional<LockFile> lock = tryHold(folder, name);
        while (lock.isEmpty()) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new IOException(folder.resolve(name) + ": held by another process");
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            lock = tryHold(folder, name);
        }
        return lock.get();
    }

    private static Optional<LockFile> lock(Path file) throws IOException {
        FileChannel channel = StateFile.open(file, Long.MAX_VALUE, CREATE, WRITE);
        boolean isLocked = false;
        try {
            isLocked = channel.tryLock() != null;
        } finally {
            if (!isLocked) {
                channel.close();
            }
        }
        return isLocked ? Optional.of(new LockFile(file, channel)) : Optional.empty();
    }

    /// The locked file, whose content the holder may use.
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD_FILES.remove(file);
        }
    }
}
