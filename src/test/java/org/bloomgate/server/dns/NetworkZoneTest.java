package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Type;

/// Zones of addresses, asked with names that a library of others makes.
class NetworkZoneTest {
    private static final int ROUNDS = Rounds.of(20_000);
    private static final String MAPPED = "f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0";

    private static ZoneOptions zone(KeyKind... kinds) {
        return new ZoneOptions(
                Set.of(kinds),
                List.of(),
                Map.of("botnet", ReturnCode.of("127.0.0.6")),
                Duration.ofMinutes(5),
                "{name}");
    }

    private static Asking asking(KeyKind... kinds) {
        return new Asking(
                new ListedHosts()
                        .lists("bad.example", "sample", "botnet", Match.SUFFIX)
                        .listsNetworks("192.0.2.0/25", "203.0.113.7", "2001:db8:8::/48")
                        .operatorListsNetwork("198.51.100.0/24")
                        .inForce(),
                zone(kinds));
    }

    @ParameterizedTest
    @CsvSource({
        "7.2.0.192, NOERROR 127.0.0.6",
        "127.2.0.192, NOERROR 127.0.0.6",
        "128.2.0.192, NXDOMAIN",
        "7.113.0.203, NOERROR 127.0.0.6",
        "8.113.0.203, NXDOMAIN",
        "9.100.51.198, NOERROR 127.0.0.2",
        "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.0.0.0.8.b.d.0.1.0.0.2, NOERROR 127.0.0.6",
        "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.9.0.0.0.8.b.d.0.1.0.0.2, NXDOMAIN",
        "7.0.2.0.0.0.0.c." + MAPPED + ", NOERROR 127.0.0.6",
        "2.0.0.127, NOERROR 127.0.0.2",
        "1.0.0.127, NXDOMAIN",
        "2.0.0.0.0.0.f.7." + MAPPED + ", NOERROR 127.0.0.2",
        "1.0.0.0.0.0.f.7." + MAPPED + ", NXDOMAIN",
        "07.2.0.192, NXDOMAIN",
        "256.2.0.192, NXDOMAIN",
        "1.7.2.0.192, NXDOMAIN",
        "bad.example, NXDOMAIN",
        "test, NXDOMAIN",
    })
    void reversedAddress_isAnsweredByItsBlock(String labels, String answer) {
        assertEquals(answer, asking(KeyKind.NETWORK).address(labels));
    }

    /// RFC 8020: below a name that does not exist nothing is asked by a resolver that minimises names.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "192",
                "0.192",
                "2.0.192",
                "203",
                "51.198",
                "127",
                "0.0.127",
                "2",
                "1.0.0.2",
                "8.b.d.0.1.0.0.2",
                "0",
                "f." + "0.0"
            })
    void nameAboveListedAddress_exists(String labels) {
        assertEquals(
                labels.equals("f.0.0") ? "NXDOMAIN" : "NOERROR",
                asking(KeyKind.NETWORK).address(labels));
    }

    @ParameterizedTest
    @ValueSource(strings = {"191", "1.192", "3.0.192", "9.b.d.0.1.0.0.2", "d"})
    void nameAboveNoListedAddress_doesNotExist(String labels) {
        assertEquals("NXDOMAIN", asking(KeyKind.NETWORK).address(labels));
    }

    @Test
    void zoneOfNetworksAndDomains_answersBoth() {
        Asking both = asking(KeyKind.NETWORK, KeyKind.DOMAIN);
        assertEquals("NOERROR 127.0.0.6", both.address("www.bad.example"));
        assertEquals("NOERROR 127.0.0.6", both.address("7.2.0.192"));
        assertEquals("NOERROR 127.0.0.2", both.address("test"));
        assertEquals("NOERROR 127.0.0.2", both.address("2.0.0.127"));
        assertEquals("NOERROR", both.address("example"));
        assertEquals("NOERROR 192.0.2.7", Asking.summary(both.ask("7.2.0.192", Type.TXT)));
    }

    @Test
    void zoneOfDomains_hasNoAddresses() {
        assertEquals("NXDOMAIN", asking(KeyKind.DOMAIN).address("7.2.0.192"));
    }

    @Test
    void operatorsNetworkWithoutSnapshot_isAnswered() {
        ListedHosts hosts =
                new ListedHosts().operatorListsNetwork("198.51.100.0/24").onlyLocal();
        Asking asking = new Asking(hosts, zone(KeyKind.NETWORK));
        assertEquals("NOERROR 127.0.0.2", asking.address("9.100.51.198"));
        assertEquals("SERVFAIL", asking.address("9.101.51.198"));
    }

    @Test
    void randomAddress_isAnsweredAsALinearSearchSays() throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(20260105);
        List<AddressBlock> blocks = Stream.generate(() -> random(random))
                .limit(400)
                .map(address ->
                        AddressBlock.of(address, (address.getAddress().length == 4 ? 12 : 20) + random.nextInt(13)))
                .toList();
        Asking asking = new Asking(
                new ListedHosts()
                        .listsNetworks(
                                blocks.stream().map(AddressBlock::toString).toArray(String[]::new))
                        .inForce(),
                zone(KeyKind.NETWORK));
        int listed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            InetAddress address =
                    i % 2 == 0 ? random(random) : within(blocks.get(random.nextInt(blocks.size())), random);
            AddressBlock queried = AddressBlock.of(address);
            boolean held = blocks.stream().anyMatch(block -> block.contains(queried));
            listed += held ? 1 : 0;
            String labels = ReverseMap.fromAddress(address).toString().replaceFirst("\\.(in-addr|ip6)\\.arpa\\.$", "");
            assertEquals(held ? "NOERROR 127.0.0.6" : "NXDOMAIN", asking.address(labels), address::toString);
            List<String> parts = new ArrayList<>(List.of(labels.split("\\.")));
            if (held) {
                parts.subList(0, 1 + random.nextInt(parts.size() - 1)).clear();
                assertEquals("NOERROR", asking.address(String.join(".", parts)), () -> address + " above " + parts);
            }
        }
        int found = listed;
        assertTrue(found > ROUNDS / 4 && found < ROUNDS, () -> found + " listed");
    }

    private static InetAddress random(SplittableRandom random) {
        byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
        random.nextBytes(bytes);
        bytes[0] = (byte) (bytes.length == 4 ? 11 + random.nextInt(80) : 0x2a);
        return address(bytes);
    }

    private static InetAddress within(AddressBlock block, SplittableRandom random) {
        byte[] whole = block.bytes();
        byte[] bytes = new byte[whole.length - 2];
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            boolean set = bit < block.bits() ? (whole[1 + bit / 8] >> (7 - bit % 8) & 1) == 1 : random.nextBoolean();
            bytes[bit / 8] |= (byte) (set ? 1 << (7 - bit % 8) : 0);
        }
        return address(bytes);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
