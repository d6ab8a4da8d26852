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

/// Makes reports over the journal, one at a time, as each may take seconds and tens of MB. A report is reused
/// for [#FRESH], and after that, up to [#USABLE], while the next one is made in the background. Thread-safe.
final class ReportDesk {
    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final Duration USABLE = Duration.ofMinutes(10);
    private static final int MAX_REPORTS = 4;
    private static final Logger LOG = LoggerFactory.getLogger(ReportDesk.class);

    private final ReentrantLock busy = new ReentrantLock();
    private final InstantSource clock;

    /// The last reports. Guarded by this object's monitor.
    private final Map<String, TimedReport<?>> reports = new LinkedHashMap<>();

    ReportDesk(InstantSource clock) {
        this.clock = clock;
    }

    /// Makes one report.
    @FunctionalInterface
    interface ReportMaker<T> {
        T make() throws IOException;
    }

    /// @param time at which it was begun
    record TimedReport<T>(Instant time, T report) {
        private boolean isWithin(Duration age, Instant now) {
            return !now.isBefore(time) && now.isBefore(time.plus(age));
        }
    }

    /// @param path of the resource, for the log
    /// @param since as in the request: the same text means the same report
    /// @throws ProblemException while another report is made, or if this one cannot be made
    <T> TimedReport<T> report(String path, String since, ReportMaker<T> maker) throws IOException {
        Optional<TimedReport<T>> last = last(path + " " + since);
        Instant now = clock.instant();
        if (last.isPresent() && last.get().isWithin(USABLE, now)) {
            if (!last.get().isWithin(FRESH, now) && !busy.isLocked()) {
                BackgroundTask _ = BackgroundTask.startVirtual("report", () -> remake(path, since, maker));
            }
            return last.get();
        }
        if (!busy.tryLock()) {
            throw new ProblemException(Problem.unavailable("another report is being made; ask again"));
        }
        try {
            return make(path, since, maker);
        } finally {
            busy.unlock();
        }
    }

    private <T> void remake(String path, String since, ReportMaker<T> maker) {
        if (!busy.tryLock()) {
            return;
        }
        try {
            TimedReport<T> _ = make(path, since, maker);
        } catch (IOException fault) {
            LOG.error("{}: {}", path, IoText.describe(fault));
        } finally {
            busy.unlock();
        }
    }

    private <T> TimedReport<T> make(String path, String since, ReportMaker<T> maker) throws IOException {
        TimedReport<T> report = new TimedReport<>(clock.instant(), maker.make());
        synchronized (this) {
            reports.remove(path + " " + since);
            reports.put(path + " " + since, report);
            if (reports.size() > MAX_REPORTS) {
                reports.remove(reports.keySet().iterator().next());
            }
        }
        return report;
    }

    /// Unchecked: the reports of a path always have the same type.
    @SuppressWarnings("unchecked")
    private synchronized <T> Optional<TimedReport<T>> last(String key) {
        return Optional.ofNullable((TimedReport<T>) reports.get(key));
    }
}
