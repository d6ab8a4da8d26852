package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.bloomgate.Tries;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.junit.jupiter.api.Test;

/// What a feed lists is found again in mail, however the link is disguised.
class FeedMailParityTest {
    private static final FeedKeys FEED = new FeedKeys(Batches.SUFFIXES);
    private static final long SEED = 20261121;

    private static final String[] TRICKS = {
        "a", "B", "1", "0x", "9", ".", "..", "/", "\\", "//", "?", "#", "@", ":", ":80", "[", "]", "::", "%", "%2",
        "25", "%25", "%2e", "%2f", "%3f", "%23", "%40", "%00", "%c3%a9", "%ff", "\u00e9", "\u00df", "\u3002", "\uff05",
        "\uff0f", "\u200b", "\u200d", "xn--", "xn--a", "-", "_", " ", "\t", "\"", "'", "<", ">", "&", ";", "=", "+",
        "\u0660", "\u0301", "\u202e", "http:", "mailto:", "(", ")", ","
    };

    @Test
    void aDisguisedUrlHasTheKeyOfTheFeedEntry() {
        Tries.of(2000, SEED, random -> {
            String url = Drawn.url(random);
            String disguised = Disguise.of(url, random);
            CanonicalUrl found = CanonicalUrl.parse(disguised).orElseThrow();
            assertTrue(Batches.urlKeys(found).contains(taken(KeyKind.URL, url)), disguised);
        });
    }

    @Test
    void aDisguisedHostHasTheKeyOfTheListedDomain() {
        Tries.of(2000, SEED, random -> {
            Host listed = CanonicalUrl.parse(Drawn.url(random)).orElseThrow().host();
            String prefix = listed.kind() == HostKind.NAME ? Drawn.name(random) + "." : "";
            String disguised = Disguise.of("http://" + prefix + listed.text() + "/x", random);
            Host found = CanonicalUrl.parse(disguised).orElseThrow().host();
            assertTrue(Batches.domainKeys(found).contains(taken(KeyKind.DOMAIN, listed.text())), disguised);
        });
    }

    @Test
    void aListedPrefixIsFoundInUrlsBelowIt() {
        Tries.of(2000, SEED, random -> {
            CanonicalUrl listed = CanonicalUrl.parse(Drawn.url(random)).orElseThrow();
            String below = Drawn.name(random);
            CanonicalUrl root =
                    CanonicalUrl.parse("http://" + listed.host().text()).orElseThrow();
            CanonicalUrl deeper = CanonicalUrl.parse(root.text() + below + "/" + below + "?" + below)
                    .orElseThrow();
            assertTrue(Batches.urlKeys(deeper).contains(taken(KeyKind.URL, root.text())));
            assertTrue(Batches.urlKeys(deeper).contains(taken(KeyKind.URL, root.text() + below + "/")));
        });
    }

    @Test
    void anyBytesHaveOneStableForm() {
        Tries.of(5000, SEED, random -> assertStable(Drawn.bytes(random.nextInt(61), random)));
    }

    @Test
    void tricksInAnyOrderHaveOneStableForm() {
        Tries.of(5000, SEED, random -> {
            String tricks = tricks(random);
            assertStable(tricks.getBytes(StandardCharsets.UTF_8));
            assertStable(("http://" + tricks).getBytes(StandardCharsets.UTF_8));
        });
    }

    private static String tricks(Random random) {
        return Drawn.text(random.nextInt(15), () -> Drawn.of(random, TRICKS));
    }

    private static void assertStable(byte[] bytes) {
        CanonicalUrl.parse(bytes, 0, bytes.length).ifPresent(once -> {
            String again =
                    CanonicalUrl.parse(once.text()).map(CanonicalUrl::text).orElse("none");
            assertEquals(once.text(), again);
            assertTrue(once.text().chars().allMatch(c -> c > ' ' && c < 0x7f));
        });
    }

    @Test
    void anyAddressHasOneStableForm() {
        Tries.of(
                2000,
                SEED,
                random -> MailAddress.parse(tricks(random) + "@evil.example")
                        .ifPresent(once -> assertEquals(
                                once, MailAddress.parse(once.text()).orElseThrow())));
    }

    @Test
    void aListedAddressIsFoundInMail() {
        Tries.of(2000, SEED, random -> {
            String local = Drawn.name(random);
            String host = Drawn.of(random, "evil.example", "gmail.com", "googlemail.com", "outlook.com", "192.0.2.1");
            String address = local + "+" + Drawn.name(random) + "@" + host;
            MailAddress seen = MailAddress.parse("<" + address.toUpperCase(Locale.ROOT) + ">")
                    .orElseThrow();
            List<String> keys = Batches.keys(KeyKind.ADDRESS, batch -> seen.append(Batches.SUFFIXES, batch));
            assertTrue(keys.contains(taken(KeyKind.ADDRESS, address)), address);
            assertTrue(keys.contains(taken(KeyKind.ADDRESS, local + "@" + host)), address);
        });
    }

    private static String taken(KeyKind kind, String entry) {
        return FEED.of(kind, entry) instanceof FeedKey.Taken(Key key) ? key.text() : "not taken: " + entry;
    }
}
