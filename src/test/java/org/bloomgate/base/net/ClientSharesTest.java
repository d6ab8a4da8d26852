package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClientSharesTest {
    private static final Duration AMPLE = Duration.ofSeconds(30);

    private final ClientShares shares = new ClientShares();

    @Test
    void aClientHasItsShareAndNoMore() {
        assertTrue(take("192.0.2.1", 2));
        assertTrue(take("192.0.2.1", 2));
        assertFalse(take("192.0.2.1", 2));
        assertTrue(take("192.0.2.2", 2));
    }

    @Test
    void ipv6AddressesOfOne64AreOneClient() {
        assertTrue(take("2001:db8:0:1::1", 1));
        assertFalse(take("2001:db8:0:1:ffff::2", 1));
        assertTrue(take("2001:db8:0:2::1", 1));
    }

    @Test
    void ipv4IsNotMistakenForIpv6() {
        assertTrue(take("0:0:c000:201::1", 1));
        assertTrue(take("192.0.2.1", 1));
    }

    @Test
    void whatIsGivenBackCanBeTakenAgainAndIsForgotten() {
        take("192.0.2.1", 1);
        shares.giveBack(InetAddress.ofLiteral("192.0.2.1"));
        assertEquals(0, shares.clients());
        assertTrue(take("192.0.2.1", 1));
    }

    @Test
    void whoWaitsGetsWhatIsGivenBack() {
        InetAddress client = InetAddress.ofLiteral("192.0.2.1");
        shares.take(client, 1);
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> shares.takeWithin(client, 1, AMPLE));
        shares.giveBack(client);
        assertTrue(waiting.join());
    }

    private boolean take(String address, int most) {
        return shares.take(InetAddress.ofLiteral(address), most);
    }
}
