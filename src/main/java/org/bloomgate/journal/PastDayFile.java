package org.bloomgate.journal;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.background.Background;
import org.bloomgate.disk.DurableFiles;
import org.bloomgate.disk.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a [PastDay] across restarts: `totals.json` in the journal's directory, replaced once a minute when mail came
/// and once more at the end. A crash loses a minute. One that cannot be read is told, and the day begins anew.
public final class PastDayFile implements AutoCloseable {
    /// Above what [PastDay#MAX_SERIES] series of common counts need.
    static final int MAX_BYTES = 8 << 20;

    static final String NAME = "totals.json";

    private static final Duration ROUND = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(PastDayFile.class);
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private final Path file;
    private final PastDay day;
    private final Background rounds;

    /// What the file held last. Only under this object's monitor, as is `failing`.
    private PastDay.State saved;

    private boolean failing;

    private PastDayFile(Path file, PastDay day) {
        this.file = file;
        this.day = day;
        saved = day.state();
        rounds = Background.every(ROUND, "day-totals", this::save);
    }

    /// Reads what is kept in the journal's directory into the day, and keeps it from now on.
    public static PastDayFile open(JournalOptions journal, PastDay day) {
        Path file = journal.directory().resolve(NAME);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] octets = in.readNBytes(MAX_BYTES + 1);
            if (octets.length > MAX_BYTES) {
                throw new IOException("more than " + MAX_BYTES + " octets");
            }
            day.begin(Optional.ofNullable(JSON.readValue(octets, PastDay.State.class))
                    .orElseThrow(() -> new IOException("it holds nothing")));
        } catch (NoSuchFileException first) {
            LOG.debug("{}: no totals yet", file);
        } catch (IOException damaged) {
            LOG.warn("{}: the totals of the last day begin anew: {}", file, IoText.of(damaged));
        }
        return new PastDayFile(file, day);
    }

    /// A disk that refuses is told once, and once more when it takes again.
    synchronized void save() {
        PastDay.State now = day.state();
        if (now.equals(saved)) {
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
    }
}
