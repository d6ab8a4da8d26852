package org.bloomgate.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.disk.DurableFiles;
import org.bloomgate.disk.LockFile;

/// The durable file of local entries, `entries.jsonl`. A kill or a full disk at any moment leaves the old octets or
/// the new ones. Thread-safe, and safe between processes by an advisory lock on `.lock`, which stays.
///
/// Once there was a file, `.lock` has content: a file that vanished is told from one that never was, and is damage.
public final class LocalFile {
    /// Far above what [LocalEntries#MAX_ENTRIES] entries of ordinary length take.
    static final long MAX_BYTES = 256L << 20;

    private static final String LOCK = ".lock";
    private static final Duration LOCK_WITHIN = Duration.ofSeconds(5);
    private static final Duration LOCK_PAUSE = Duration.ofMillis(5);

    /// Locks of the system belong to the process, not to a thread of it. Changes are rare: one lock for all files.
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    private final Path directory;
    private final Path file;
    private final InstantSource clock;

    public LocalFile(LocalOptions options, InstantSource clock) {
        this.directory = options.directory();
        this.file = directory.resolve("entries.jsonl");
        this.clock = clock;
    }

    public Path path() {
        return file;
    }

    Path directory() {
        return directory;
    }

    /// What a change does to the entries.
    @FunctionalInterface
    public interface Change {
        LocalEntries of(LocalEntries entries) throws EntryRefusedException;
    }

    /// What tells one state of the file from another without reading it; every change makes a new file.
    record Stamp(List<Object> attributes) {}

    /// Empty when there is no file.
    Optional<Stamp> stamp() throws IOException {
        try {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new Stamp(List.of(String.valueOf(is.fileKey()), is.size(), is.lastModifiedTime())));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// What is in force now; nothing when there was no file yet.
    ///
    /// @throws DamagedFileException when the file does not hold what was written, or is gone
    public LocalEntries read() throws IOException {
        return readAll().at(clock.instant());
    }

    /// The same with what has expired since it was last changed.
    public LocalEntries readAll() throws IOException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new DamagedFileException(file, "longer than " + MAX_BYTES + " octets");
            }
            return LocalFormat.read(Files.readAllBytes(file), file);
        } catch (NoSuchFileException none) {
            if (thereWasOne()) {
                throw new DamagedFileException(file, "is gone");
            }
            return LocalEntries.NONE;
        }
    }

    private boolean thereWasOne() throws IOException {
        return Files.exists(lockFile()) && Files.size(lockFile()) > 0;
    }

    private Path lockFile() {
        return directory.resolve(LOCK);
    }

    /// Changes the entries; on the disk when this returns. What has expired is dropped on the way.
    ///
    /// @return the entries as they were before and as they are
    /// @throws EntryRefusedException from the change; then nothing is changed
    /// @throws DamagedFileException when the file is damaged or gone; then nothing is changed
    public Changed change(Change change) throws IOException, EntryRefusedException {
        return change(Optional.empty(), change);
    }

    /// The same by somebody who knows what is in force and writes a file that is gone anew.
    Changed change(LocalEntries inForce, Change change) throws IOException, EntryRefusedException {
        return change(Optional.of(inForce), change);
    }

    private Changed change(Optional<LocalEntries> whenGone, Change change) throws IOException, EntryRefusedException {
        IN_PROCESS.lock();
        try {
            try (LockFile lock = acquire()) {
                LocalEntries before = whenGone.isPresent() && stamp().isEmpty() ? whenGone.get() : read();
                LocalEntries after = change.of(before);
                if (!after.equals(before) || stamp().isEmpty()) {
                    DurableFiles.replace(file, LocalFormat.write(after));
                }
                mark(lock.channel());
                return new Changed(before, after);
            }
        } finally {
            IN_PROCESS.unlock();
        }
    }

    /// Two states, one after the other.
    public record Changed(LocalEntries before, LocalEntries after) {}

    /// The change is made already: what fails here is tried again with the next one.
    private static void mark(FileChannel lock) {
        try {
            if (lock.size() == 0) {
                lock.write(ByteBuffer.wrap(new byte[] {'1', '\n'}));
                lock.force(true);
            }
        } catch (IOException later) {
            return;
        }
    }

    private LockFile acquire() throws IOException {
        long deadline = System.nanoTime() + LOCK_WITHIN.toNanos();
        Optional<LockFile> held = LockFile.tryHold(directory, LOCK);
        while (held.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(lockFile() + ": held by another process for " + LOCK_WITHIN);
            }
            LockSupport.parkNanos(LOCK_PAUSE.toNanos());
            held = LockFile.tryHold(directory, LOCK);
        }
        return held.get();
    }
}
