package org.bloomgate.server.http;

import java.util.concurrent.Semaphore;

/// Bounds the number of files that a resource sends at the same time: each has a block of 64 KiB and a thread,
/// however slow the client is. Thread-safe.
public final class FileStreams {
    /// Further requests are answered 503 and closed, as 1,000 idle connections take 33 MB.
    public static final int MAX_STREAMS = 4;

    private final String files;
    private final Semaphore permits = new Semaphore(MAX_STREAMS);

    /// @param files the kind of files in the plural, for the problem
    public FileStreams(String files) {
        this.files = files;
    }

    /// Returns the answer, which takes a place until it was sent or could not be sent, or 503 if there is none.
    public Answer limit(Answer file) {
        return permits.tryAcquire()
                ? file.then(permits::release)
                : Answer.problem(Problem.unavailable(MAX_STREAMS + " " + files + " are being sent; try again"))
                        .with("Retry-After", "10")
                        .closing();
    }
}
