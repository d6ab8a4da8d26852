package org.bloomgate.server.http;

import java.util.concurrent.Semaphore;

/// Bounds how many files a resource sends at once. Each holds a block of 64 KiB and a thread, however slow its reader
/// is. Thread-safe.
public final class FileStreams {
    /// Others are answered 503 and closed: 1,000 idle connections hold 33 MB.
    public static final int MAX_STREAMS = 4;

    private final String files;
    private final Semaphore free = new Semaphore(MAX_STREAMS);

    /// @param files what they are, in the plural
    public FileStreams(String files) {
        this.files = files;
    }

    /// The answer, which holds a stream until it was sent or could not be; 503 if there is none left.
    public Answer bound(Answer file) {
        return free.tryAcquire()
                ? file.then(free::release)
                : Answer.problem(Problem.unavailable(MAX_STREAMS + " " + files + " are being sent; try again"))
                        .with("Retry-After", "10")
                        .closing();
    }
}
