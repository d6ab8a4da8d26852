package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmedFeedTest {
    private static final ConfirmedFeed PLAIN = new ConfirmedFeed("dbl", "spam", "dbl.example", Map.of());
    private static final ConfirmedFeed MAPPED = new ConfirmedFeed(
            "dbl",
            "spam",
            "dbl.example",
            Map.of("127.0.0.2", "phishing", "127.0.0.4", "malware", "127.0.1.2", "phishing"));

    @Test
    void withoutAnswersAnyAddressMeansTheFeedsCategory() {
        assertEquals(new ZoneQuery.Answer.Listed(Set.of("spam")), read(PLAIN, "127.0.0.2"));
        assertEquals(new ZoneQuery.Answer.Listed(Set.of("spam")), read(PLAIN, "127.0.0.255", "127.0.0.9"));
        assertEquals(Set.of("spam"), PLAIN.categories());
    }

    @Test
    void withAnswersOnlyTheseHaveAMeaning() {
        assertEquals(new ZoneQuery.Answer.Listed(Set.of("phishing")), read(MAPPED, "127.0.0.2"));
        assertEquals(
                new ZoneQuery.Answer.Listed(Set.of("phishing", "malware")), read(MAPPED, "127.0.0.4", "127.0.1.2"));
        assertEquals(new ZoneQuery.Answer.Listed(Set.of("malware")), read(MAPPED, "127.0.0.4", "127.0.0.9"));
        assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(MAPPED, "127.0.0.9"));
        assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(PLAIN, "127.0.1.2"));
        assertEquals(Set.of("phishing", "malware"), MAPPED.categories());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.0",
                "127.0.0.1",
                "127.255.255.252",
                "127.255.255.254",
                "127.255.255.255",
                "0.0.0.0",
                "126.0.0.2",
                "128.0.0.2",
                "192.0.2.1",
                "255.255.255.255"
            })
    void whatIsNoListingsAddressMakesTheAnswerUnknown(String odd) {
        for (ConfirmedFeed feed : List.of(PLAIN, MAPPED)) {
            assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(feed, odd));
            assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(feed, odd, "127.0.0.2"));
        }
    }

    @Test
    void noSuchNameIsNotListedAndAFailureUnknown() {
        assertEquals(new ZoneQuery.Answer.NotListed(), MAPPED.read(new DnsReply.Absent(Duration.ZERO)));
        assertEquals(new ZoneQuery.Answer.Unknown("why"), MAPPED.read(new DnsReply.Failed("why")));
    }

    private static ZoneQuery.Answer read(ConfirmedFeed feed, String... addresses) {
        return feed.read(new DnsReply.Addresses(new TreeSet<>(List.of(addresses)), Duration.ofMinutes(1)));
    }
}
