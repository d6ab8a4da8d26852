package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmedFeedTest {
    private static final ConfirmedFeed PLAIN = feed(Map.of(), Map.of());
    private static final ConfirmedFeed MAPPED =
            feed(Map.of("127.0.0.2", "phishing", "127.0.0.4", "malware", "127.0.1.2", "phishing"), Map.of());
    private static final ConfirmedFeed BITS = feed(Map.of(), Map.of(8, "phishing", 16, "malware", 64, "spam"));

    private static ConfirmedFeed feed(Map<String, String> answers, Map<Integer, String> bits) {
        ZoneSettings zone =
                new ZoneSettings(ZoneName.of("dbl.example"), Set.of("127.0.1.255"), Optional.empty(), ZoneKeys.NAMES);
        return new ConfirmedFeed("dbl", zone, new ZoneAnswers("spam", answers, bits));
    }

    @Test
    void bits_giveEveryCategoryTheyMean() {
        assertEquals(new ZoneQuery.Answer.Listed(Set.of("phishing", "spam")), read(BITS, "127.0.0.72"));
        assertEquals(new ZoneQuery.Answer.Listed(Set.of("malware")), read(BITS, "127.0.0.18"));
        assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(BITS, "127.0.0.2"));
        assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(BITS, "127.0.1.72"));
        assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(BITS, "127.0.0.1"));
        assertEquals(Set.of("phishing", "malware", "spam"), BITS.categories());
    }

    @Test
    void errors_areNoListing() {
        assertInstanceOf(ZoneQuery.Answer.Unknown.class, read(PLAIN, "127.0.1.255", "127.0.0.2"));
    }

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
        assertEquals(
                new ZoneQuery.Answer.Unknown("why"), MAPPED.read(new DnsReply.Failed(DnsReply.Cause.ERROR, "why")));
    }

    private static ZoneQuery.Answer read(ConfirmedFeed feed, String... addresses) {
        return feed.read(new DnsReply.Found(List.of(addresses), Duration.ofMinutes(1)));
    }
}
