package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicSuffixesTest {
    private static final PublicSuffixes SMALL = PublicSuffixes.of(Rows.bytes("suffix-list.dat"));

    static Stream<Arguments> suffixes() {
        return Rows.of("suffixes.tsv");
    }

    @ParameterizedTest
    @MethodSource("suffixes")
    void theRulesGiveTheRegistrableDomain(String host, String expected) {
        assertEquals(expected, registrable(SMALL, host));
        assertEquals(expected.equals("-"), SMALL.isPublicSuffix(host));
    }

    private static String registrable(PublicSuffixes suffixes, String host) {
        byte[] bytes = host.getBytes(StandardCharsets.US_ASCII);
        int start = suffixes.registrableStart(bytes, 0, bytes.length);
        return start < 0 ? "-" : host.substring(start);
    }

    @ParameterizedTest
    @MethodSource("suffixes")
    void aHostWithinALargerArrayIsReadWithinItsBounds(String host, String expected) {
        byte[] bytes = ("http://" + host + "/x.com").getBytes(StandardCharsets.US_ASCII);
        int start = SMALL.registrableStart(bytes, 7, 7 + host.length());
        assertEquals(expected, start < 0 ? "-" : host.substring(start - 7));
    }

    @Test
    void theBundledListHasIcannAndPrivateRules() {
        PublicSuffixes bundled = PublicSuffixes.bundled();
        assertTrue(bundled.isPublicSuffix("co.uk"));
        assertTrue(bundled.isPublicSuffix("github.io"));
        assertEquals("amazon.co.uk", registrable(bundled, "www.amazon.co.uk"));
        assertTrue(bundled.lists("com"));
        assertFalse(bundled.lists("example"));
    }

    /// Registries' wildcards, names that a rule names, and what is outside the private part stay as they are.
    @ParameterizedTest
    @CsvSource({
        "vm.compute.example, true",
        "vm.zone.compute.example, true",
        "zone.compute.example, false",
        "named.compute.example, false",
        "vm.late.example, false",
        "c.kobe.jp, false",
        "x.ck, false",
        "hosting.example, false",
        "example, false",
        "compute.example, true",
        "a.b.example, true"
    })
    void aPublicSuffixStandsAloneBelowAWildcardThatItsOwnerAskedFor(String host, boolean listable) {
        assertEquals(listable, SMALL.isListable(new Host(host, HostKind.NAME)));
    }

    @Test
    void aWildcardOfARegistryAndAnOwnerIsTheRegistrys() {
        String both = "*.compute.example\n// ===BEGIN PRIVATE DOMAINS===\n*.compute.example\n";
        PublicSuffixes suffixes = PublicSuffixes.of(both.getBytes(StandardCharsets.UTF_8));
        assertFalse(suffixes.isListable(new Host("vm.compute.example", HostKind.NAME)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"com", "CoM", "co.uk", "example", "xn--p1ai", "\u0440\u0444", "\u0420\u0424", "\u00df", "c", ""})
    void aNameWithinATextIsListedAsTheNameInLowerCaseIs(String name) {
        PublicSuffixes bundled = PublicSuffixes.bundled();
        char[] text = ("x." + name + "com").toCharArray();
        assertEquals(bundled.lists(name.toLowerCase(Locale.ROOT)), bundled.lists(text, 2, 2 + name.length()));
    }

    @Test
    void anAddressHasNoPublicSuffix() {
        assertFalse(SMALL.isPublicSuffix(new Host("192.0.2.1", HostKind.IPV4)));
        assertTrue(SMALL.isPublicSuffix(new Host("com", HostKind.NAME)));
        assertTrue(SMALL.isListable(new Host("192.0.2.1", HostKind.IPV4)));
    }

    @Test
    void aListStoredAndReadAgainIsTheSame() throws IOException {
        PublicSuffixes again = PublicSuffixes.read(new ByteArrayInputStream(SMALL.bytes()));
        assertArrayEquals(SMALL.bytes(), again.bytes());
        assertEquals(SMALL.sha256(), again.sha256());
        assertEquals(64, SMALL.sha256().length());
        assertFalse(SMALL.sha256().equals(PublicSuffixes.bundled().sha256()));
    }

    @Test
    void theBundledListIsNotParsedAgain() throws IOException {
        PublicSuffixes bundled = PublicSuffixes.bundled();
        assertSame(bundled, PublicSuffixes.read(new ByteArrayInputStream(bundled.bytes())));
    }

    @Test
    void whatIsNoListIsRefused() {
        assertThrows(IOException.class, () -> PublicSuffixes.read(new ByteArrayInputStream(new byte[0])));
        assertThrows(
                IOException.class,
                () -> PublicSuffixes.read(new ByteArrayInputStream("// nothing\n\n".getBytes(StandardCharsets.UTF_8))));
        byte[] large = new byte[PublicSuffixes.MAX_BYTES + 1];
        assertThrows(IOException.class, () -> PublicSuffixes.read(new ByteArrayInputStream(large)));
    }

    @Test
    void manyRulesGrowTheTable() {
        StringBuilder list = new StringBuilder("com\n");
        for (int i = 0; i < 40_000; i++) {
            list.append("rule").append(i).append(".com\n");
        }
        PublicSuffixes many = PublicSuffixes.of(list.toString().getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 40_000; i += 97) {
            assertTrue(many.isPublicSuffix("rule" + i + ".com"));
            assertFalse(many.isPublicSuffix("norule" + i + ".com"));
        }
    }
}
