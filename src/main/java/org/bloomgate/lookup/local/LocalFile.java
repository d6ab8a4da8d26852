package org.bloomgate.lookup.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;

/// The durable file of local entries, `entries.jsonl`. A kill or a full disk at any moment leaves the old bytes or
/// the new ones. Thread-safe, and safe between processes by an advisory lock on `.lock`, which stays.
///
/// `.lock` has content once there was a file: a file that vanished is distinguished from one that never
/// existed, and is damage.
public final class LocalFile {
    /// Far above what [LocalEntries#MAX_ENTRIES] entries of ordinary length take.
    static final int MAX_BYTES = 256 << 20;

    private static final String LOCK = ".lock";
    private static final Duration LOCK_WITHIN = Duration.ofSeconds(5);

    /// Locks of the system belong to the process, not to a thread of it. Changes are rare: one lock for all files.
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    private final Path directory;
    private final Path file;
    private final InstantSource clock;
    private final AuditLog trail;

    public LocalFile(LocalOptions options, InstantSource clock) {
        this.directory = options.directory();
        this.file = directory.resolve("entries.jsonl");
        this.clock = clock;
        this.trail = new AuditLog(directory);
    }

    public Path path() {
        return file;
    }

    Path directory() {
        return directory;
    }

    /// A change of the entries.
    @FunctionalInterface
    public interface Change {
        LocalEntries of(LocalEntries entries) throws EntryRefusedException;
    }

    /// Distinguishes states of the file without reading it; every change creates a new file.
    record Stamp(List<Object> attributes) {}

    /// Empty if there is no file.
    Optional<Stamp> stamp() throws IOException {
        try {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new Stamp(List.of(String.valueOf(is.fileKey()), is.size(), is.lastModifiedTime())));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// The current entries; none if there was no file yet.
    ///
    /// @throws DamagedFileException when the file does not hold what was written, or is gone
    public LocalEntries read() throws IOException {
        return readAll().at(clock.instant());
    }

    /// The same with what has expired since it was last changed.
    public LocalEntries readAll() throws IOException {
        try {
            return LocalFormat.read(StateFile.bytes(file, MAX_BYTES), file);
        } catch (StateFile.RefusedException e) {
            throw new DamagedFileException(e);
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

    /// Changes the entries; on the disk when this returns. What has expired is dropped on the way. Who changed what is
    /// in the trail before it is done.
    ///
    /// @param by who changes them
    /// @return the entries as they were before and as they are
    /// @throws EntryRefusedException from the change; then nothing is changed
    /// @throws DamagedFileException when the file is damaged or gone; then nothing is changed
    public Changed change(Actor by, Change change) throws IOException, EntryRefusedException {
        return change(by, Optional.empty(), change);
    }

    /// The same for a caller that knows the entries in use and writes a file that vanished.
    Changed change(Actor by, LocalEntries inForce, Change change) throws IOException, EntryRefusedException {
        return change(by, Optional.of(inForce), change);
    }

    private Changed change(Actor by, Optional<LocalEntries> whenGone, Change change)
            throws IOException, EntryRefusedException {
        IN_PROCESS.lock();
        try {
            try (LockFile lock = LockFile.hold(directory, LOCK, LOCK_WITHIN)) {
                LocalEntries before = whenGone.isPresent() && stamp().isEmpty() ? whenGone.get() : read();
                LocalEntries after = change.of(before);
                Changed changed = new Changed(before, after);
                List<AuditEvent> events = changed.events(by, clock.instant());
                if (!events.isEmpty()) {
                    trail.record(events);
                }
                if (!after.equals(before) || stamp().isEmpty()) {
                    DurableFiles.replace(file, LocalFormat.write(after));
                }
                mark(lock.channel());
                return changed;
            }
        } finally {
            IN_PROCESS.unlock();
        }
    }

    /// Two states, one after the other.
    public record Changed(LocalEntries before, LocalEntries after) {

        /// The added entries, and those removed and not replaced.
        List<AuditEvent> events(Actor by, Instant now) {
            Set<Entry> old = new HashSet<>(before.all());
            List<Entry> added =
                    after.all().stream().filter(entry -> !old.contains(entry)).toList();
            old.removeAll(new HashSet<>(after.all()));
            Stream<AuditEvent> removed = before.all().stream()
                    .filter(old::contains)
                    .filter(entry -> added.stream().noneMatch(one -> one.place().equals(entry.place())))
                    .map(entry -> event(entry, by, false, now));
            return Stream.concat(added.stream().map(entry -> event(entry, by, true, now)), removed)
                    .toList();
        }
    }

    private static AuditEvent event(Entry entry, Actor by, boolean added, Instant now) {
        What what = switch (entry.type()) {
            case LISTING -> added ? What.LISTING_ADD : What.LISTING_REMOVE;
            case EXCEPTION -> added ? What.EXCEPTION_ADD : What.EXCEPTION_REMOVE;
        };
        EntryText text = EntryText.masked(entry);
        Map<String, String> detail = new HashMap<>();
        for (Field field : Field.values()) {
            switch (field) {
                case TYPE, VALUE, ADDED -> {}
                case EXPIRES -> detail.put(field.label(), text.get(field).replaceFirst("[.][0-9]+Z$", "Z"));
                default -> detail.put(field.label(), text.get(field));
            }
        }
        return AuditEvent.of(now, by, what, text.get(Field.VALUE), detail);
    }

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
}
