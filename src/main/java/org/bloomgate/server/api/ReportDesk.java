package org.bloomgate.server.api;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes reports that walk the journal, seconds long on a large one, and take tens of MB: one at a time. A report is
/// answered again while it is [#FRESH]; then too, up to [#USABLE], while the next one is made. Thread-safe.
final class ReportDesk {
    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final Duration USABLE = Duration.ofMinutes(10);
    private static final int MAX_KEPT = 4;
    private static final Logger LOG = LoggerFactory.getLogger(ReportDesk.class);

    private final ReentrantLock busy = new ReentrantLock();
    private final InstantSource clock;

    /// The reports made last. Only under this object's monitor.
    private final Map<String, Made<?>> kept = new LinkedHashMap<>();

    ReportDesk(InstantSource clock) {
        this.clock = clock;
    }

    /// One report.
    @FunctionalInterface
    interface Making<T> {
        T make() throws IOException;
    }

    /// @param time at which it was begun
    record Made<T>(Instant time, T report) {
        private boolean isWithin(Duration age, Instant now) {
            return !now.isBefore(time) && now.isBefore(time.plus(age));
        }
    }

    /// @param path of the resource, for the log
    /// @param since as the request has it: the same words are the same report
    /// @throws ProblemException while another report is made, and when this one cannot be
    <T> Made<T> report(String path, String since, Making<T> making) throws IOException {
        Optional<Made<T>> last = last(path + " " + since);
        Instant now = clock.instant();
        if (last.isPresent() && last.get().isWithin(USABLE, now)) {
            if (!last.get().isWithin(FRESH, now) && !busy.isLocked()) {
                BackgroundTask _ = BackgroundTask.startVirtual("report", () -> remake(path, since, making));
            }
            return last.get();
        }
        if (!busy.tryLock()) {
            throw new ProblemException(Problem.unavailable("another report is being made; ask again"));
        }
        try {
            return make(path, since, making);
        } finally {
            busy.unlock();
        }
    }

    private <T> void remake(String path, String since, Making<T> making) {
        if (!busy.tryLock()) {
            return;
        }
        try {
            Made<T> _ = make(path, since, making);
        } catch (IOException fault) {
            LOG.error("{}: {}", path, IoText.describe(fault));
        } finally {
            busy.unlock();
        }
    }

    private <T> Made<T> make(String path, String since, Making<T> making) throws IOException {
        Made<T> made = new Made<>(clock.instant(), making.make());
        synchronized (this) {
            kept.remove(path + " " + since);
            kept.put(path + " " + since, made);
            if (kept.size() > MAX_KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return made;
    }

    /// What a path makes is always of one type.
    @SuppressWarnings("unchecked")
    private synchronized <T> Optional<Made<T>> last(String key) {
        return Optional.ofNullable((Made<T>) kept.get(key));
    }
}
