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
    /// Far above the size of [LocalEntries#MAX_ENTRIES] entries of ordinary length.
    static final int MAX_BYTES = 256 << 20;

    private static final String LOCK = ".lock";
    private static final Duration LOCK_WITHIN = Duration.ofSeconds(5);

    /// Locks of the system belong to the process, not to a thread of it. Changes are rare: one lock for all files.
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    private final Path directory;
    private final Path file;
    private final InstantSource clock;
    private final AuditLog auditLog;

    public LocalFile(LocalOptions options, InstantSource clock) {
        this.directory = options.directory();
        this.file = directory.resolve("entries.jsonl");
        this.clock = clock;
        this.auditLog = new AuditLog(directory);
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
        LocalEntries apply(LocalEntries entries) throws EntryRefusedException;
    }

    /// Distinguishes states of the file without reading it; every change creates a new file.
    record Stamp(List<Object> attributes) {}

    /// Empty if there is no file.
    Optional<Stamp> stamp() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new Stamp(
                    List.of(String.valueOf(attributes.fileKey()), attributes.size(), attributes.lastModifiedTime())));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// The current entries; none if there was no file yet.
    ///
    /// @throws DamagedFileException when the file is damaged or gone
    public LocalEntries read() throws IOException {
        return readAll().at(clock.instant());
    }

    /// The same with the entries that have expired since the last change.
    public LocalEntries readAll() throws IOException {
        try {
            return LocalFormat.read(StateFile.bytes(file, MAX_BYTES), file);
        } catch (StateFile.RefusedException e) {
            throw new DamagedFileException(e);
        } catch (NoSuchFileException none) {
            if (hasExisted()) {
                throw new DamagedFileException(file, "is gone");
            }
            return LocalEntries.NONE;
        }
    }

    private boolean hasExisted() throws IOException {
        return Files.exists(lockFile()) && Files.size(lockFile()) > 0;
    }

    private Path lockFile() {
        return directory.resolve(LOCK);
    }

    /// Changes the entries and removes expired ones. The change is recorded in the audit log first, and is on disk
    /// when this method returns.
    ///
    /// @param by who changes them
    /// @return the entries as they were before and as they are
    /// @throws EntryRefusedException from the change; then nothing is changed
    /// @throws DamagedFileException when the file is damaged or gone; then nothing is changed
    public Changed change(Actor by, Change change) throws IOException, EntryRefusedException {
        return change(by, Optional.empty(), change);
    }

    /// The same for a caller that knows the current entries: a file that vanished is written again.
    Changed change(Actor by, LocalEntries current, Change change) throws IOException, EntryRefusedException {
        return change(by, Optional.of(current), change);
    }

    private Changed change(Actor by, Optional<LocalEntries> whenGone, Change change)
            throws IOException, EntryRefusedException {
        IN_PROCESS.lock();
        try {
            try (LockFile lock = LockFile.hold(directory, LOCK, LOCK_WITHIN)) {
                LocalEntries before = whenGone.isPresent() && stamp().isEmpty() ? whenGone.get() : read();
                LocalEntries after = change.apply(before);
                Changed changed = new Changed(before, after);
                List<AuditEvent> events = changed.events(by, clock.instant());
                if (!events.isEmpty()) {
                    auditLog.record(events);
                }
                if (!after.equals(before) || stamp().isEmpty()) {
                    DurableFiles.replace(file, LocalFormat.write(after));
                }
                markExisted(lock.channel());
                return changed;
            }
        } finally {
            IN_PROCESS.unlock();
        }
    }

    /// The entries before and after a change.
    public record Changed(LocalEntries before, LocalEntries after) {

        /// The added entries, and those removed and not replaced.
        List<AuditEvent> events(Actor by, Instant now) {
            Set<Entry> removed = new HashSet<>(before.all());
            List<Entry> added = after.all().stream()
                    .filter(entry -> !removed.contains(entry))
                    .toList();
            removed.removeAll(new HashSet<>(after.all()));
            Stream<AuditEvent> removals = before.all().stream()
                    .filter(removed::contains)
                    .filter(entry ->
                            added.stream().noneMatch(other -> other.place().equals(entry.place())))
                    .map(entry -> event(entry, by, false, now));
            return Stream.concat(added.stream().map(entry -> event(entry, by, true, now)), removals)
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

    /// The change is made already: a failure here is ignored, as the next change tries again.
    private static void markExisted(FileChannel lock) {
        try {
            if (lock.size() == 0) {
                lock.write(ByteBuffer.wrap(new byte[] {'1', '\n'}));
                lock.force(true);
            }
        } catch (IOException e) {
            return;
        }
    }
}
