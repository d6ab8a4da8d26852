package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.base.net.ClientMemory;
import org.junit.jupiter.api.Test;

class BodyMemoryTest {
    private static final long BYTES = 100_000;
    private static final Resource NO_RESOURCE = _ -> Answer.empty(204);
    private static final Route JSON = Route.post("/json", RouteGroup.CHECK, Route.Body.json(1_000_000), NO_RESOURCE);
    private static final Route MESSAGE = Route.post(
            "/message", RouteGroup.MESSAGES, new Route.Body(List.of("message/rfc822"), 25_000_000), NO_RESOURCE);
    private static final Optional<InetAddress> CLIENT = Optional.of(InetAddress.getLoopbackAddress());

    @Test
    void jsonCostsSeveralTimesItsSizeAndAChunkTheBoundOfItsRoute() {
        assertEquals(400, BodyMemory.cost(JSON, 100));
        assertEquals(4_000_000, BodyMemory.cost(JSON, -1));
        assertEquals(100, BodyMemory.cost(MESSAGE, 100));
        assertEquals(BodyMemory.STREAMED_BYTES, BodyMemory.cost(MESSAGE, 20_000_000));
        assertEquals(25_000_000, BodyMemory.cost(MESSAGE, -1));
    }

    @Test
    void withoutMemoryTheAnswerIs503AndAfterwardsThereIsSomeAgain() throws IOException {
        BodyMemory bodies = with(BYTES);
        Answer outer = bodies.within(BYTES, CLIENT, () -> Answer.empty(status(bodies, BYTES)));
        assertEquals(503, outer.status());
        assertEquals(204, status(bodies, BYTES));
    }

    @Test
    void waitingRequest_getsTheMemoryOfAStalledBody() throws IOException {
        ClientMemory memory = new ClientMemory(BYTES * 4 / 3 + 1);
        assertTrue(memory.take(BYTES));
        BodyMemory bodies = new BodyMemory(memory, Duration.ofSeconds(20), () -> memory.giveBack(BYTES));
        assertEquals(204, status(bodies, BYTES));
    }

    @Test
    void bodyBeyondAllMemory_endsNoOther() throws IOException {
        AtomicInteger ended = new AtomicInteger();
        BodyMemory bodies = new BodyMemory(new ClientMemory(BYTES), Duration.ofSeconds(20), ended::incrementAndGet);
        assertEquals(503, status(bodies, BYTES));
        assertEquals(0, ended.get());
    }

    @Test
    void aSmallBodyNeedsNone() throws IOException {
        assertEquals(204, status(with(0), BodyMemory.SMALL_BYTES));
        assertEquals(503, status(with(0), BodyMemory.SMALL_BYTES + 1));
    }

    @Test
    void aClientHasItsShareAndOthersFindMemory() throws IOException {
        BodyMemory bodies = with(BYTES * 100);
        assertEquals(204, nested(bodies, BodyMemory.LARGE_PER_CLIENT));
        assertEquals(503, nested(bodies, BodyMemory.LARGE_PER_CLIENT + 1));
        Optional<InetAddress> other = Optional.of(InetAddress.ofLiteral("192.0.2.1"));
        assertEquals(204, bodies.within(BYTES, other, () -> Answer.empty(204)).status());
    }

    /// The status of the innermost of so many bodies that are worked on at the same time.
    private static int nested(BodyMemory bodies, int count) throws IOException {
        int[] innermost = new int[1];
        Answer answer = bodies.within(BYTES, CLIENT, () -> {
            innermost[0] = count == 1 ? 204 : nested(bodies, count - 1);
            return Answer.empty(204);
        });
        return answer.status() == 503 ? 503 : innermost[0];
    }

    private static int status(BodyMemory bodies, long bytes) throws IOException {
        return bodies.within(bytes, CLIENT, () -> Answer.empty(204)).status();
    }

    private static BodyMemory with(long bytes) {
        return new BodyMemory(new ClientMemory(bytes * 4 / 3 + 1), Duration.ZERO, () -> {});
    }
}
