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

    /// For the same reason, learning begins again at most this often.
    private static final Duration RESTART_INTERVAL = Duration.ofHours(1);

    private final JsonFile<Start> file;
    private final InstantSource clock;
    private volatile Start start;
    private volatile boolean isWritten;

    /// @param began when it began to learn
    /// @param reason empty for a new installation
    record Start(Instant began, String reason) {}

    /// Reads the file. If it is missing or damaged, learning begins now.
    Learning(Path path, InstantSource clock) {
        this.clock = clock;
        file = new JsonFile<>(path, MAX_BYTES, Start.class);
        start = readStart();
    }

    private Start readStart() {
        try {
            Optional<Start> earlier = file.read();
            isWritten = earlier.isPresent();
            return earlier.orElseGet(() -> new Start(clock.instant(), ""));
        } catch (IOException e) {
            return new Start(clock.instant(), file.path().getFileName() + " is damaged");
        }
    }

    /// Whether something may be called new.
    boolean isOver() {
        return !clock.instant().isBefore(start.began().plus(PERIOD));
    }

    /// Begins again. Writes nothing yet.
    ///
    /// @param reason what was lost, for the administrator
    void restart(String reason) {
        Start now = start;
        String text = reason.substring(0, Math.min(reason.length(), MAX_REASON));
        if (!now.reason().equals(text) || now.began().plus(RESTART_INTERVAL).isBefore(clock.instant())) {
            start = new Start(clock.instant(), text);
            isWritten = false;
        }
    }

    /// Writes what has changed.
    void write() throws IOException {
        if (!isWritten) {
            file.write(start);
            isWritten = true;
        }
    }

    /// The loss because of which nothing is called new; empty if learning is over, or is that of a new installation.
    Optional<Start> findLoss() {
        Start now = start;
        return now.reason().isEmpty() || isOver() ? Optional.empty() : Optional.of(now);
    }
}
