package org.bloomgate.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.ClientShares;

/// Reserves memory for request bodies while they are processed, from the memory of all clients. Each client may
/// have [#LARGE_PER_CLIENT] large bodies at the same time. A request that waits for memory ends requests whose
/// body has stalled. If no memory becomes free in time, or a client has more than its share, the answer is 503.
/// Thread-safe.
final class BodyMemory {
    /// A body of up to this size is included in the memory of its connection.
    static final long SMALL_BYTES = 8 * 1024;

    /// A JSON body is read whole, through a buffer that doubles, into records of about its size.
    static final int JSON_FACTOR = 4;

    /// The memory for evaluating a message that is read from its spool.
    static final long STREAMED_BYTES = 1 << 20;

    /// The most large bodies of one client at the same time.
    static final int LARGE_PER_CLIENT = 16;

    private final ClientMemory memory;
    private final ClientShares shares = new ClientShares();
    /// How long a request waits for the memory of one stalled body before it ends another one.
    private static final Duration STALLED_BODY_WAIT = Duration.ofMillis(50);

    private final Duration maxWait;
    private final Runnable endStalledBody;

    /// @param maxWait for memory
    /// @param endStalledBody ends the request whose body has been awaited longest
    BodyMemory(ClientMemory memory, Duration maxWait, Runnable endStalledBody) {
        this.memory = memory;
        this.maxWait = maxWait;
        this.endStalledBody = endStalledBody;
    }

    /// Handles one body.
    interface Work {
        Answer answer() throws IOException;
    }

    /// The memory for a body. The server reads a chunk into memory as a whole, so a chunked body counts with
    /// the bound of its route. A body that is not JSON goes to a spool.
    ///
    /// @param length stated in the request, negative if the body is chunked
    static long cost(Route route, long length) {
        boolean json = route.body().mediaTypes().contains(Resource.JSON);
        if (length < 0) {
            return json ? JSON_FACTOR * route.body().maxBytes() : route.body().maxBytes();
        }
        return json ? JSON_FACTOR * length : Math.min(length, STREAMED_BYTES);
    }

    /// Runs the work with reserved memory, or answers 503.
    ///
    /// @param bytes needed
    /// @param client empty if unknown
    Answer within(long bytes, Optional<InetAddress> client, Work work) throws IOException {
        if (bytes <= SMALL_BYTES) {
            return work.answer();
        }
        if (client.isPresent() && !shares.takeWithin(client.get(), LARGE_PER_CLIENT, maxWait)) {
            return tooManyLarge();
        }
        try {
            return withMemory(bytes, work);
        } finally {
            client.ifPresent(shares::giveBack);
        }
    }

    private Answer withMemory(long bytes, Work work) throws IOException {
        if (!takeMemory(bytes)) {
            return tooManyLarge();
        }
        try {
            return work.answer();
        } finally {
            memory.giveBack(bytes);
        }
    }

    private boolean takeMemory(long bytes) {
        boolean taken = memory.take(bytes);
        for (long tries = maxWait.dividedBy(STALLED_BODY_WAIT); !taken && tries > 0 && memory.canTake(bytes); tries--) {
            endStalledBody.run();
            taken = memory.takeWithin(bytes, STALLED_BODY_WAIT);
        }
        return taken;
    }

    private static Answer tooManyLarge() {
        return Answer.problem(Problem.unavailable("too many large requests at a time"))
                .closing();
    }
}
