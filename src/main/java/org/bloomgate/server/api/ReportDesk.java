package org.bloomgate.server.api;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.base.io.IoText;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes reports that walk the journal, seconds long on a large one, and take tens of MB: one at a time. Thread-safe.
final class ReportDesk {
    private static final Logger LOG = LoggerFactory.getLogger(ReportDesk.class);

    private final ReentrantLock busy = new ReentrantLock();

    /// One report.
    @FunctionalInterface
    interface Making {
        Record make() throws IOException;
    }

    /// @param path of the resource, for the log
    /// @throws ProblemException while another report is made, and when this one cannot be
    Answer answer(String path, Making making) {
        if (!busy.tryLock()) {
            throw new ProblemException(Problem.unavailable("another report is being made; ask again"));
        }
        try {
            return Answer.json(making.make());
        } catch (IOException fault) {
            LOG.error("{}: {}", path, IoText.describe(fault));
            throw new ProblemException(
                    Problem.unavailable("the report could not be made; the fault is in the log of the server"));
        } finally {
            busy.unlock();
        }
    }
}
