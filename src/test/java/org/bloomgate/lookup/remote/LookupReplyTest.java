package org.bloomgate.lookup.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.remote.LookupReply.KeyAnswer;
import org.bloomgate.lookup.remote.LookupReply.Statement;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LookupReplyTest {
    private static final Key KEY = new Key(KeyKind.DOMAIN, "evil.example");
    private static final String SEEN = "2026-11-21T02:03:05Z";

    @Test
    void listingComesBackAsItWasSaid() {
        Listing listing = new Listing(
                "feed",
                "phishing",
                KEY,
                Match.EXACT,
                Set.of(Use.SENDER, Use.LINK),
                Instant.EPOCH,
                Instant.parse(SEEN),
                7);
        KeyAnswer said = KeyAnswer.of(new ExactAnswer.Listed(List.of(listing)));

        assertEquals(LookupReply.LISTED, said.answer());
        assertEquals(
                List.of(listing),
                said.listings().orElseThrow().stream()
                        .map(one -> one.toListing(KEY))
                        .toList());
    }

    @Test
    void faultIsNamedByAWordAndNeverByTheStoresOwnText() {
        assertEquals(
                new KeyAnswer(LookupReply.UNKNOWN, Optional.empty(), Optional.of("store")),
                KeyAnswer.of(new ExactAnswer.Unknown("/var/lib/store: damaged")));
        assertEquals(
                Optional.of(UnknownReason.NO_LAYER.label()),
                KeyAnswer.of(UnknownReason.NO_LAYER.answer()).reason());
        assertEquals(
                new KeyAnswer(LookupReply.NOT_LISTED, Optional.empty(), Optional.empty()),
                KeyAnswer.of(new ExactAnswer.NotListed()));
    }

    @Test
    void nameAtTheBoundIsReadAndOneBeyondIsNot() {
        assertEquals(
                256,
                statement("f".repeat(256), "suffix", "link", SEEN, 0)
                        .toListing(KEY)
                        .feed()
                        .length());
        assertThrows(
                IllegalArgumentException.class,
                () -> statement("f".repeat(257), "suffix", "link", SEEN, 0).toListing(KEY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";suffix;link;2026-11-21T02:03:05Z;0",
                "two\nlines;suffix;link;2026-11-21T02:03:05Z;0",
                "feed;prefix;link;2026-11-21T02:03:05Z;0",
                "feed;suffix;everywhere;2026-11-21T02:03:05Z;0",
                "feed;suffix;link;yesterday;0",
                "feed;suffix;link;2026-11-21T02:03:05Z;-1"
            })
    void nonsenseIsNoListing(String fields) {
        String[] parts = fields.split(";", -1);
        Statement statement = statement(parts[0], parts[1], parts[2], parts[3], Long.parseLong(parts[4]));

        assertThrows(IllegalArgumentException.class, () -> statement.toListing(KEY));
    }

    @Test
    void useThatIsNamedTwiceIsNonsense() {
        Statement twice = new Statement("feed", "spam", "suffix", List.of("link", "link"), SEEN, SEEN, 0);

        assertThrows(IllegalArgumentException.class, () -> twice.toListing(KEY));
    }

    private static Statement statement(String feed, String match, String use, String seen, long count) {
        return new Statement(feed, "spam", match, List.of(use), seen, seen, count);
    }
}
