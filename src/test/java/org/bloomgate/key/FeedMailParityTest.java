package org.bloomgate.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/// What a feed lists is found again in mail, however the link is disguised.
class FeedMailParityTest {
    private static final FeedKeys FEED = new FeedKeys(Batches.SUFFIXES);

    @Property(tries = 2000, seed = "20261121")
    void aDisguisedUrlHasTheKeyOfTheFeedEntry(@ForAll("urls") String url, @ForAll long seed) {
        String disguised = Disguise.of(url, new Random(seed));
        CanonicalUrl found = CanonicalUrl.parse(disguised).orElseThrow();
        assertTrue(Batches.urlKeys(found).contains(taken(KeyKind.URL, url)), disguised);
    }

    @Property(tries = 2000, seed = "20261121")
    void aDisguisedHostHasTheKeyOfTheListedDomain(
            @ForAll("urls") String url, @ForAll("names") String below, @ForAll long seed) {
        Host listed = CanonicalUrl.parse(url).orElseThrow().host();
        String prefix = listed.kind() == HostKind.NAME ? below + "." : "";
        String disguised = Disguise.of("http://" + prefix + listed.text() + "/x", new Random(seed));
        Host found = CanonicalUrl.parse(disguised).orElseThrow().host();
        assertTrue(Batches.domainKeys(found).contains(taken(KeyKind.DOMAIN, listed.text())), disguised);
    }

    @Property(tries = 2000, seed = "20261121")
    void aListedPrefixIsFoundInUrlsBelowIt(@ForAll("urls") String url, @ForAll("names") String below) {
        CanonicalUrl listed = CanonicalUrl.parse(url).orElseThrow();
        CanonicalUrl root = CanonicalUrl.parse("http://" + listed.host().text()).orElseThrow();
        CanonicalUrl deeper = CanonicalUrl.parse(root.text() + below + "/" + below + "?" + below)
                .orElseThrow();
        assertTrue(Batches.urlKeys(deeper).contains(taken(KeyKind.URL, root.text())));
        assertTrue(Batches.urlKeys(deeper).contains(taken(KeyKind.URL, root.text() + below + "/")));
    }

    @Property(tries = 5000, seed = "20261121")
    void anyOctetsHaveOneStableForm(@ForAll @Size(max = 60) byte[] octets) {
        assertStable(octets);
    }

    @Property(tries = 5000, seed = "20261121")
    void tricksInAnyOrderHaveOneStableForm(@ForAll("tricks") List<String> tricks) {
        assertStable(String.join("", tricks).getBytes(StandardCharsets.UTF_8));
        assertStable(("http://" + String.join("", tricks)).getBytes(StandardCharsets.UTF_8));
    }

    private static void assertStable(byte[] octets) {
        CanonicalUrl.parse(octets, 0, octets.length).ifPresent(once -> {
            String again =
                    CanonicalUrl.parse(once.text()).map(CanonicalUrl::text).orElse("none");
            assertEquals(once.text(), again);
            assertTrue(once.text().chars().allMatch(c -> c > ' ' && c < 0x7f));
        });
    }

    @Property(tries = 2000, seed = "20261121")
    void anyAddressHasOneStableForm(@ForAll("tricks") List<String> tricks) {
        MailAddress.parse(String.join("", tricks) + "@evil.example")
                .ifPresent(once ->
                        assertEquals(once, MailAddress.parse(once.text()).orElseThrow()));
    }

    @Property(tries = 2000, seed = "20261121")
    void aListedAddressIsFoundInMail(
            @ForAll("names") String local, @ForAll("names") String tag, @ForAll("mailHosts") String host) {
        String address = local + "+" + tag + "@" + host;
        MailAddress seen =
                MailAddress.parse("<" + address.toUpperCase(Locale.ROOT) + ">").orElseThrow();
        List<String> keys = Batches.keys(KeyKind.ADDRESS, batch -> seen.append(Batches.SUFFIXES, batch));
        assertTrue(keys.contains(taken(KeyKind.ADDRESS, address)), address);
        assertTrue(keys.contains(taken(KeyKind.ADDRESS, local + "@" + host)), address);
    }

    private static String taken(KeyKind kind, String entry) {
        return FEED.of(kind, entry) instanceof FeedKey.Taken(Key key) ? key.text() : "not taken: " + entry;
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('0', '9')
                .ofMinLength(1)
                .ofMaxLength(8)
                .map(name -> "n" + name);
    }

    @Provide
    Arbitrary<String> mailHosts() {
        return Arbitraries.of("evil.example", "gmail.com", "googlemail.com", "outlook.com", "192.0.2.1");
    }

    @Provide
    Arbitrary<String> urls() {
        Arbitrary<String> hosts = Arbitraries.oneOf(
                names().map(name -> name + ".example"),
                names().map(name -> name + "." + name + ".co.uk"),
                names().map(name -> "b\u00fccher-" + name + ".example"),
                Arbitraries.integers().between(1, 254).map(last -> "192.0.2." + last));
        Arbitrary<String> paths =
                Arbitraries.of("", "/", "/a", "/a/b.html", "/A/b/?q=1", "/?q=a b", "/x%25y", "/\u00e9");
        return Combinators.combine(hosts, paths).as((host, path) -> "http://" + host + path);
    }

    @Provide
    Arbitrary<List<String>> tricks() {
        return Arbitraries.of(
                        "a", "B", "1", "0x", "9", ".", "..", "/", "\\", "//", "?", "#", "@", ":", ":80", "[", "]", "::",
                        "%", "%2", "25", "%25", "%2e", "%2f", "%3f", "%23", "%40", "%00", "%c3%a9", "%ff", "\u00e9",
                        "\u00df", "\u3002", "\uff05", "\uff0f", "\u200b", "\u200d", "xn--", "xn--a", "-", "_", " ",
                        "\t", "\"", "'", "<", ">", "&", ";", "=", "+", "\u0660", "\u0301", "\u202e", "http:", "mailto:",
                        "(", ")", ",")
                .list()
                .ofMaxSize(14);
    }
}
