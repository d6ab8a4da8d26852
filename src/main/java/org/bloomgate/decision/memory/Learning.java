package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.base.io.JsonFile;

/// Whether a part of the memory knows enough to call something new: not in the first 14 days, and not in the 14 days
/// after something was lost or could not be remembered. Thread-safe.
final class Learning {
    static final Duration PERIOD = Duration.ofDays(14);

    private static final int MAX_BYTES = 4_096;
    private static final int MAX_REASON = 500;

    /// While the reason stays the same, it begins again this often at most.
    private static final Duration AGAIN = Duration.ofHours(1);

    private final JsonFile<Stored> file;
    private final InstantSource clock;
    private volatile Stored stored;
    private volatile boolean isWritten;

    /// @param began when it began to learn
    /// @param reason empty for a new installation
    record Stored(Instant began, String reason) {}

    /// Reads the file; a missing or damaged one is begun again.
    Learning(Path path, InstantSource clock) {
        this.clock = clock;
        file = new JsonFile<>(path, MAX_BYTES, Stored.class);
        stored = readStored();
    }

    private Stored readStored() {
        try {
            Optional<Stored> earlier = file.read();
            isWritten = earlier.isPresent();
            return earlier.orElseGet(() -> new Stored(clock.instant(), ""));
        } catch (IOException e) {
            return new Stored(clock.instant(), file.path().getFileName() + " is damaged");
        }
    }

    /// Whether something may be called new.
    boolean isOver() {
        return !clock.instant().isBefore(stored.began().plus(PERIOD));
    }

    /// Begins again. Writes nothing yet.
    ///
    /// @param reason what was lost, for the administrator
    void restart(String reason) {
        Stored now = stored;
        String text = reason.substring(0, Math.min(reason.length(), MAX_REASON));
        if (!now.reason().equals(text) || now.began().plus(AGAIN).isBefore(clock.instant())) {
            stored = new Stored(clock.instant(), text);
            isWritten = false;
        }
    }

    /// Writes what has changed.
    void write() throws IOException {
        if (!isWritten) {
            file.write(stored);
            isWritten = true;
        }
    }

    /// Why nothing is called new although it was before; empty if there is no such reason.
    Optional<Stored> findLoss() {
        Stored now = stored;
        return now.reason().isEmpty() || isOver() ? Optional.empty() : Optional.of(now);
    }
}
