package org.bloomgate.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.ClientShares;

/// Reserves memory for request bodies while they are processed, from the budget of all clients. Each client may
/// have [#LARGE_PER_CLIENT] large bodies at a time. Who waits for memory gets that of a body that has stalled.
/// If none becomes free in time, or a client has more than its share, the answer is 503. Thread-safe.
public final class BodyMemory {
    /// A body of up to this size is in what its connection costs.
    static final long SMALL_BYTES = 8 * 1024;

    /// A JSON body is read whole, through a buffer that doubles, into records of about its size.
    static final int JSON_FACTOR = 4;

    /// What the evaluation of a message takes that is read from its spool.
    static final long STREAMED_BYTES = 1 << 20;

    /// Of one client at a time.
    static final int LARGE_PER_CLIENT = 16;

    private final ClientMemory memory;
    private final ClientShares shares = new ClientShares();
    /// How long a request waits for the memory of one stalled body before the next one is ended.
    private static final Duration ROOM = Duration.ofMillis(50);

    private final Duration patience;
    private final Runnable endStalledBody;

    /// @param patience of one that finds no memory
    /// @param endStalledBody ends the request whose body has been awaited longest
    public BodyMemory(ClientMemory memory, Duration patience, Runnable endStalledBody) {
        this.memory = memory;
        this.patience = patience;
        this.endStalledBody = endStalledBody;
    }

    /// Handles one body.
    interface Work {
        Answer answer() throws IOException;
    }

    /// The server takes a chunk into memory whole, so that a chunked body counts with the bound of its route. A
    /// body that is no JSON goes to a spool.
    ///
    /// @param length announced, negative when the body is chunked
    static long cost(Route route, long length) {
        boolean json = route.mediaTypes().contains("application/json");
        if (length < 0) {
            return json ? JSON_FACTOR * route.maxBodyBytes() : route.maxBodyBytes();
        }
        return json ? JSON_FACTOR * length : Math.min(length, STREAMED_BYTES);
    }

    /// @param bytes that the work takes
    /// @param client empty if unknown
    Answer within(long bytes, Optional<InetAddress> client, Work work) throws IOException {
        if (bytes <= SMALL_BYTES) {
            return work.answer();
        }
        if (client.isPresent() && !shares.takeWithin(client.get(), LARGE_PER_CLIENT, patience)) {
            return refusal();
        }
        try {
            return withMemory(bytes, work);
        } finally {
            client.ifPresent(shares::giveBack);
        }
    }

    private Answer withMemory(long bytes, Work work) throws IOException {
        if (!isTaken(bytes)) {
            return refusal();
        }
        try {
            return work.answer();
        } finally {
            memory.giveBack(bytes);
        }
    }

    private boolean isTaken(long bytes) {
        boolean taken = memory.take(bytes);
        for (long tries = patience.dividedBy(ROOM); !taken && tries > 0 && memory.canTake(bytes); tries--) {
            endStalledBody.run();
            taken = memory.takeWithin(bytes, ROOM);
        }
        return taken;
    }

    private static Answer refusal() {
        return Answer.problem(Problem.unavailable("too many large requests at a time"))
                .closing();
    }
}
