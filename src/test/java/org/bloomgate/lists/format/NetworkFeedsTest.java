package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.junit.jupiter.api.Test;

class NetworkFeedsTest {
    private static final Feed RBLDNSD =
            FeedFixtures.feed(Map.of("kind", "network", "format", "rbldnsd", "trusted", "true"));

    @Test
    void aRangeBecomesBlocksThatJoinWithoutGapOrOverlap() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 500; round++) {
            long low = random.nextLong(1L << 32);
            long high = random.nextLong(low, 1L << 32);
            BigInteger next = BigInteger.valueOf(low);
            for (String block : NetworkValue.expand(address(low) + "-" + address(high))) {
                Network network = Network.of(block);
                assertEquals(next, new BigInteger(1, network.address().getAddress()));
                next = next.add(BigInteger.ONE.shiftLeft(32 - network.prefixBits()));
            }
            assertEquals(BigInteger.valueOf(high + 1), next);
        }
    }

    private static String address(long number) {
        return (number >> 24) + "." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    @Test
    void allOfAFamilyIsOneBlock() {
        assertEquals(List.of("0.0.0.0/0"), NetworkValue.expand("0.0.0.0-255.255.255.255"));
        assertEquals(List.of("::/0"), NetworkValue.expand("::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        assertEquals(
                254,
                NetworkValue.expand("::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe")
                        .size());
    }

    @Test
    void aSetOfRbldnsdIsReadUpToItsBoundAndRefusedBeyond() throws IOException {
        String three = "192.0.2.1\n192.0.2.3\n192.0.2.5\n";
        assertEquals(3, read(three, 3).counts().entries());
        FeedRefusedException refused = assertThrows(FeedRefusedException.class, () -> read(three + "192.0.2.7\n", 3));
        assertTrue(FeedFixtures.message(refused).contains("more than 3 networks"));
    }

    private static LineTally read(String text, int maxEntries) throws IOException {
        LineTally tally = new LineTally(
                RBLDNSD,
                FeedFixtures.KEYS,
                new EntryGates(AllowList.of(List.of()), SharedHosts.shipped()),
                new WatchedSink(new RecordingSink()));
        PhysicalLines lines = new PhysicalLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        new RbldnsdNetworks(RBLDNSD, lines, tally, maxEntries).read();
        return tally;
    }

    @Test
    void ownNetworksAreHeldBackWhetherWithinOrAround() {
        AllowList own = AllowList.of(List.of()).withNetworks(List.of(Network.of("8.8.4.0/22"), Network.of("8.9.1.1")));
        assertTrue(own.findNetworkHoldReason(new Key(KeyKind.NETWORK, "8.8.5.5/32"))
                .isPresent());
        assertTrue(own.findNetworkHoldReason(new Key(KeyKind.NETWORK, "8.8.0.0/16"))
                .isPresent());
        assertTrue(own.findNetworkHoldReason(new Key(KeyKind.NETWORK, "8.9.1.1/32"))
                .isPresent());
        assertTrue(own.findNetworkHoldReason(new Key(KeyKind.NETWORK, "8.9.1.2/32"))
                .isEmpty());
        assertTrue(
                own.findNetworkHoldReason(new Key(KeyKind.NETWORK, "192.0.2.1/32"))
                        .isPresent(),
                "documentation");
    }
}
