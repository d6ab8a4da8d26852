package org.bloomgate.lists.report;

import java.io.IOException;
import java.time.Instant;

/// Makes a report of the feeds of this machine when it is requested. Thread-safe.
@FunctionalInterface
public interface ReportSource {
    /// @throws IOException when a snapshot or the journal cannot be read
    FeedsReport since(Instant since) throws IOException;
}
