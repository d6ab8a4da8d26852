package org.bloomgate.decision.journal;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.base.io.LockFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Preserves [MessageCounts] across restarts: a file in the journal's directory, replaced once a minute while
/// messages arrive and once more at the end. A crash loses a minute. A file that cannot be read is logged, and
/// the counts start at zero. Only the first process that opens the file writes it; any other logs that it does
/// not.
public final class MessageCountsFile implements AutoCloseable {
    /// Above what [MessageCounts#MAX_SERIES] series of common counts need.
    static final int MAX_BYTES = 8 << 20;

    /// The file of a gateway.
    public static final String OF_GATEWAY = "message-counts.json";

    /// The file of a lookup service, which may have the same journal directory.
    public static final String OF_LOOKUP = "message-counts-lookup.json";

    private static final Duration SAVE_INTERVAL = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(MessageCountsFile.class);

    private final JsonFile<MessageCounts.State> file;
    private final MessageCounts counts;
    private final BackgroundTask rounds;

    /// The state last saved. Guarded by this object's monitor, as is `failing`.
    private MessageCounts.State saved;

    private boolean failing;

    /// Empty if another process has the file; then this one does not write it.
    private final Optional<LockFile> lock;

    private MessageCountsFile(JsonFile<MessageCounts.State> file, MessageCounts counts, Optional<LockFile> lock) {
        this.file = file;
        this.counts = counts;
        this.lock = lock;
        saved = counts.state();
        rounds = BackgroundTask.every(SAVE_INTERVAL, "message-counts", this::save);
    }

    /// Restores the counts from the file in the journal's directory, and saves them from now on.
    ///
    /// @param name [#OF_GATEWAY] or [#OF_LOOKUP]
    public static MessageCountsFile open(JournalOptions journal, String name, MessageCounts counts) {
        JsonFile<MessageCounts.State> file =
                new JsonFile<>(journal.directory().resolve(name), MAX_BYTES, MessageCounts.State.class);
        Optional<LockFile> lock = lock(file);
        if (lock.isPresent()) {
            file.readOrRestart("the message counts start at zero").ifPresent(counts::restore);
        }
        return new MessageCountsFile(file, counts, lock);
    }

    private static Optional<LockFile> lock(JsonFile<?> file) {
        try {
            Optional<LockFile> lock = file.tryLock();
            if (lock.isEmpty()) {
                LOG.warn("{}: used by another process: the message counts of this one are not saved", file.path());
            }
            return lock;
        } catch (IOException e) {
            LOG.warn("{}: message counts not saved: {}", file.path(), IoText.of(e));
            return Optional.empty();
        }
    }

    /// A failed write is logged once, and the next successful one too.
    synchronized void save() {
        MessageCounts.State current = counts.state();
        if (lock.isEmpty() || current.equals(saved)) {
            return;
        }
        try {
            file.write(current);
            saved = current;
            if (failing) {
                LOG.info("{}: message counts saved again", file.path());
            }
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                LOG.warn("{}: message counts not saved: {}", file.path(), IoText.of(e));
            }
            failing = true;
        }
    }

    @Override
    public void close() {
        rounds.close();
        save();
        lock.ifPresent(this::release);
    }

    private void release(LockFile held) {
        try {
            held.close();
        } catch (IOException e) {
            LOG.warn("{}: lock not released: {}", file.path(), IoText.of(e));
        }
    }
}
