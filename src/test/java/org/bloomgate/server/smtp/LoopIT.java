package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopFault;
import org.bloomgate.server.nexthop.NextHopOptions;
import org.bloomgate.server.nexthop.NextHops;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoopIT {
    private static final String LOOP = "554 5.4.6 Routing loop detected";

    @TempDir
    private Path folder;

    @Test
    void aRelayThatIsItsOwnNextHopSaysSoAtOnceOverOneConnection() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder);
                NextHop itself = to(world)) {
            world.nextHop.become(itself);
            assertEquals(LOOP, mail(world));
            assertTrue(itself.usage().busy() + itself.usage().idle() <= 1);
            assertTrue(itself.usage().faults(NextHopFault.Kind.LOOP) > 0);
            double sessions = accepted(world);
            assertTrue(
                    sessions <= 3,
                    () -> sessions + " sessions: of the client, of what asks in the background, and for the mail");
        }
    }

    @Test
    void twoRelaysThatAreEachOthersNextHopSaySoAtOnce() throws Exception {
        try (RelayWorld one = new RelayWorld(Map.of(), Map.of(), folder.resolve("one"));
                RelayWorld other = new RelayWorld(Map.of(), Map.of(), folder.resolve("other"));
                NextHop there = to(other);
                NextHop back = to(one)) {
            one.nextHop.become(there);
            other.nextHop.become(back);
            assertEquals(LOOP, mail(one));
            assertEquals(LOOP, mail(other));
        }
    }

    @Test
    void aChainOfTwoRelaysIsNoLoop() throws Exception {
        try (RelayWorld first = new RelayWorld(Map.of(), Map.of(), folder.resolve("first"));
                RelayWorld last = new RelayWorld(Map.of(), Map.of(), folder.resolve("last"));
                NextHop on = to(last)) {
            first.nextHop.become(on);
            assertEquals("250 2.1.0 sender ok", mail(first));
        }
    }

    private static double accepted(RelayWorld world) {
        return world.metrics
                .get("bloomgate.smtp.sessions.seen")
                .tag("outcome", "accepted")
                .counter()
                .count();
    }

    private static NextHop to(RelayWorld world) throws IOException {
        return NextHops.open("smtp://127.0.0.1:" + world.relay.port(), NextHopOptions.defaults());
    }

    private static String mail(RelayWorld world) throws Exception {
        try (TestClient client = new TestClient(world.relay.port())) {
            client.line();
            client.send("HELO client.example\r\n");
            client.line();
            client.send("MAIL FROM:<a@from.example>\r\n");
            return client.line();
        }
    }
}
