package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.url.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressBlockTest {
    private static final FeedKeys KEYS = new FeedKeys(PublicSuffixes.bundled());

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.2.0/24",
        "192.0.2.7, 192.0.2.7/32",
        "2001:0DB8:0:0::/32, 2001:db8::/32",
        "2001:db8::1, 2001:db8::1/128",
        "::ffff:192.0.2.7, 192.0.2.7/32",
        "::ffff:c000:200/120, 192.0.2.0/24",
        "::ffff:192.0.2.0/120, 192.0.2.0/24",
        "2002:c000:207::, 192.0.2.7/32",
        "2002:c000:200::/40, 192.0.2.0/24",
        "2002:c000:207:1::/64, 192.0.2.7/32",
        "64:ff9b::c000:207, 192.0.2.7/32",
        "64:ff9b::192.0.2.0/120, 192.0.2.0/24",
        "64:ff9b:1::c000:207, 64:ff9b:1::c000:207/128",
        "2003:c000:207::, 2003:c000:207::/128"
    })
    void everySpellingHasOneForm(String given, String form) {
        AddressBlock block = AddressBlock.parse(given);
        assertEquals(form, block.toString());
        assertEquals(block, AddressBlock.parse(form));
        assertEquals(form, block.key().text());
        assertEquals(block.key(), new Key(KeyKind.NETWORK, form));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "192.0.2",
                "192.0.2.1/24",
                "192.0.2.0/33",
                "192.0.2.0/",
                "192.0.2.0/-1",
                "192.0.2.0/255.255.255.0",
                "010.0.0.1",
                "2001:db8::1/32",
                "2001:db8::/129",
                "fe80::1%eth0",
                "::ffff:192.0.2.0/24",
                "client.example"
            })
    void whatIsNoNetworkIsRefused(String given) {
        assertThrows(IllegalArgumentException.class, () -> AddressBlock.parse(given));
        assertTrue(KEYS.of(KeyKind.NETWORK, given) instanceof FeedKey.Rejected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.2.3",
                "127.0.0.1",
                "169.254.0.0/16",
                "172.31.0.0/24",
                "192.168.0.1",
                "100.64.0.0/10",
                "0.0.0.0",
                "192.0.0.0/8",
                "8.0.0.0/7",
                "0.0.0.0/0",
                "::1",
                "::",
                "fe80::/64",
                "fd00::1",
                "::ffff:10.0.0.1",
                "2000::/18",
                "2002::/16",
                "64:ff9b::/96"
            })
    void neighboursAndHalfTheInternetAreNeverListed(String given) {
        assertTrue(KEYS.of(KeyKind.NETWORK, given) instanceof FeedKey.Rejected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0.0.0/8", "192.0.2.0/24", "2a00::/19", "2001:db8::/32", "198.51.100.9"})
    void othersAre(String given) {
        assertTrue(KEYS.of(KeyKind.NETWORK, given) instanceof FeedKey.Taken);
    }

    @Test
    void aWiderBlockSortsBeforeThoseWithinIt() {
        List<String> sorted = Stream.of(
                        "192.0.2.0/24", "2001:db8::/32", "192.0.2.0/32", "192.0.0.0/16", "2001:db8::/64")
                .map(AddressBlock::parse)
                .sorted((one, other) -> Arrays.compareUnsigned(one.bytes(), other.bytes()))
                .map(AddressBlock::toString)
                .toList();
        assertEquals(List.of("192.0.0.0/16", "192.0.2.0/24", "192.0.2.0/32", "2001:db8::/32", "2001:db8::/64"), sorted);
    }

    @Test
    void aBlockContainsWhatIsWithinIt() {
        AddressBlock block = AddressBlock.parse("192.0.2.128/25");
        assertTrue(block.contains(AddressBlock.parse("192.0.2.200")));
        assertFalse(block.contains(AddressBlock.parse("192.0.2.127")));
        assertFalse(block.contains(AddressBlock.parse("192.0.2.0/24")));
        assertTrue(block.meets(AddressBlock.parse("192.0.2.0/24")));
        assertFalse(block.meets(AddressBlock.parse("::/96")));
        assertEquals("192.0.0.0/16", block.within(16).toString());
    }

    @Test
    void anAddressLiteralInALinkIsAskedAsHostAndAsNetwork() {
        KeyBatch batch = new KeyBatch();
        for (String host : List.of("192.0.2.7", "[2001:db8::7]", "[2002:c000:207::1]")) {
            batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "link"));
            DomainKeys.append(Host.parse(host).orElseThrow(), PublicSuffixes.bundled(), batch);
        }
        assertEquals(6, batch.size());
        assertEquals(new Key(KeyKind.NETWORK, "192.0.2.7/32"), batch.key(1));
        assertEquals(new Key(KeyKind.NETWORK, "2001:db8::7/128"), batch.key(3));
        assertEquals(new Key(KeyKind.NETWORK, "192.0.2.7/32"), batch.key(5));
    }

    @Test
    void bytesThatAreNoBlockAreRefused() {
        byte[] bytes =
                AddressBlock.of(IpLiteral.parse("192.0.2.7").orElseThrow()).bytes();
        assertEquals("192.0.2.7/32", AddressBlock.ofBytes(bytes, 0, 6).toString());
        assertThrows(IllegalArgumentException.class, () -> AddressBlock.ofBytes(bytes, 0, 5));
        bytes[5] = 33;
        assertThrows(IllegalArgumentException.class, () -> AddressBlock.ofBytes(bytes, 0, 6));
    }
}
