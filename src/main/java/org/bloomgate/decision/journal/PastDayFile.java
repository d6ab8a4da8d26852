package org.bloomgate.decision.journal;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.StateFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a [PastDay] across restarts: a file in the journal's directory, replaced once a minute while mail
/// arrives and once more at the end. A crash loses a minute. A file that cannot be read is logged, and the day
/// starts empty. Only the first process that opens the file saves its day; any other logs that it does not.
public final class PastDayFile implements AutoCloseable {
    /// Above what [PastDay#MAX_SERIES] series of common counts need.
    static final int MAX_BYTES = 8 << 20;

    /// For a gateway.
    public static final String OF_GATEWAY = "totals.json";

    /// For a lookup service, which may have the same journal directory.
    public static final String OF_LOOKUP = "totals-lookup.json";

    private static final Duration ROUND = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(PastDayFile.class);
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private final Path file;
    private final PastDay day;
    private final BackgroundTask rounds;

    /// The state last saved. Guarded by this object's monitor, as is `failing`.
    private PastDay.State saved;

    private boolean failing;

    /// Without it nothing is written.
    private final Optional<LockFile> held;

    private PastDayFile(Path file, PastDay day, Optional<LockFile> held) {
        this.file = file;
        this.day = day;
        this.held = held;
        saved = day.state();
        rounds = BackgroundTask.every(ROUND, "day-totals", this::save);
    }

    /// Reads what is kept in the journal's directory into the day, and keeps it from now on.
    ///
    /// @param name one of the two
    public static PastDayFile open(JournalOptions journal, String name, PastDay day) {
        Path file = journal.directory().resolve(name);
        Optional<LockFile> held = held(file);
        if (held.isPresent()) {
            begin(file, day);
        }
        return new PastDayFile(file, day, held);
    }

    private static Optional<LockFile> held(Path file) {
        try {
            Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of("."));
            Optional<LockFile> lock = LockFile.tryHold(folder, file.getFileName() + ".lock");
            if (lock.isEmpty()) {
                LOG.warn("{}: kept by another process: the totals of this one are not kept", file);
            }
            return lock;
        } catch (IOException refused) {
            LOG.warn("{}: the totals of the last day are not kept: {}", file, IoText.of(refused));
            return Optional.empty();
        }
    }

    private static void begin(Path file, PastDay day) {
        try {
            day.begin(Optional.ofNullable(JSON.readValue(StateFile.bytes(file, MAX_BYTES), PastDay.State.class))
                    .orElseThrow(() -> new IOException("it holds nothing")));
        } catch (NoSuchFileException first) {
            LOG.debug("{}: no totals yet", file);
        } catch (IOException damaged) {
            LOG.warn("{}: the totals of the last day start empty: {}", file, IoText.of(damaged));
        }
    }

    /// Failing writes are logged once, and once more when they succeed again.
    synchronized void save() {
        PastDay.State now = day.state();
        if (held.isEmpty() || now.equals(saved)) {
            return;
        }
        try {
            DurableFiles.replace(file, JSON.writeValueAsBytes(now));
            saved = now;
            if (failing) {
                LOG.info("{}: the totals of the last day are kept again", file);
            }
            failing = false;
        } catch (IOException refused) {
            if (!failing) {
                LOG.warn("{}: the totals of the last day are not kept: {}", file, IoText.of(refused));
            }
            failing = true;
        }
    }

    @Override
    public void close() {
        rounds.close();
        save();
        held.ifPresent(PastDayFile::letGo);
    }

    private static void letGo(LockFile lock) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the lock of the totals: {}", IoText.of(e));
        }
    }
}
