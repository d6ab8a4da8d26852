package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.StateFile;

/// A file below the snapshots with the last statement that a publisher published, or a mirror saw. After a kill
/// at any instant, or a full disk, it contains the previous statement.
///
/// Two processes, a command and a service, may publish at the same time; a lock keeps their counters apart.
record StatementFile(Path root, String name) {
    static final long MAX_COUNTER = 999_999_999_999_999_999L;

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(20);

    /// The bytes of the next statement; empty while none is due.
    @FunctionalInterface
    interface NextStatement {
        Optional<byte[]> encode() throws IOException;
    }

    /// The bytes of the file, cut off after this many; empty if there is no file.
    Optional<byte[]> readBytes(int maxBytes) throws IOException {
        try (var in = StateFile.stream(root.resolve(name))) {
            return Optional.of(in.readNBytes(maxBytes));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// @param next called without the lock, and again under it
    /// @return whether a statement was made
    boolean publish(NextStatement next) throws IOException {
        if (next.encode().isEmpty()) {
            return false;
        }
        try (LockFile _ = lock()) {
            Optional<byte[]> bytes = next.encode();
            if (bytes.isPresent()) {
                DurableFiles.replace(root.resolve(name), bytes.get());
            }
            return bytes.isPresent();
        }
    }

    /// @param lastCounter counter; empty before the first statement
    /// @throws IOException if the counter is at its maximum
    long incrementCounter(Optional<Long> lastCounter, Instant now) throws IOException {
        long counter = lastCounter.isPresent() ? lastCounter.get() + 1 : Math.max(1, now.getEpochSecond());
        if (counter > MAX_COUNTER) {
            throw new IOException(name + ": the counter is at its end");
        }
        return counter;
    }

    /// An unsigned statement must not replace a signed one.
    void requireKey(Optional<SignedText> last, Optional<SigningKey> key) throws IOException {
        if (last.filter(SignedText::isSigned).isPresent() && key.isEmpty()) {
            throw new IOException(root.resolve(name) + ": is signed, and there is no key to sign another one with"
                    + " (rebuild.signingKey, publisher.currentKey); delete it to go on unsigned");
        }
    }

    /// True if a quarter of its lifetime has passed, or it is valid for longer than a new one would be.
    static boolean isOld(Instant expires, Duration lifetime, Instant now) {
        Duration remaining = Duration.between(now, expires);
        return remaining.compareTo(lifetime.multipliedBy(3).dividedBy(4)) < 0
                || remaining.compareTo(lifetime.plusSeconds(1)) > 0;
    }

    private LockFile lock() throws IOException {
        String lockName = "." + name + ".lock";
        long deadlineNanos = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        Optional<LockFile> lock = LockFile.tryHold(root, lockName);
        while (lock.isEmpty()
                && System.nanoTime() < deadlineNanos
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
            lock = LockFile.tryHold(root, lockName);
        }
        return lock.orElseThrow(() -> new IOException(root.resolve(lockName) + ": held by another process"));
    }
}
