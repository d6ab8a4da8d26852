package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FeedKeysTest {
    private final FeedKeys feedKeys = new FeedKeys(Batches.SUFFIXES);

    static Stream<Arguments> entries() {
        return Rows.of("feed-entries.tsv");
    }

    @ParameterizedTest
    @MethodSource("entries")
    void anEntryIsOneKeyOrHasAReason(String kind, String entry, String expected) {
        FeedKey key = feedKeys.of(KeyKind.ofLabel(kind).orElseThrow(), Rows.textOf(entry));
        assertEquals(expected, outcome(key));
    }

    private static String outcome(FeedKey key) {
        return switch (key) {
            case FeedKey.Taken(Key taken) -> taken.text();
            case FeedKey.Held(Key held, String reason) -> "held: " + (reason.isEmpty() ? "" : held.text());
            case FeedKey.Rejected(String reason) -> "rejected: " + reason;
        };
    }

    @Test
    void namesLongerThanDnsKnowsAreRefused() {
        String longest = ("a".repeat(63) + ".").repeat(3) + "b".repeat(53) + ".example";
        assertEquals(longest, outcome(feedKeys.of(KeyKind.DOMAIN, longest)));
        String refused = "rejected: longer than a host name can be";
        assertEquals(refused, outcome(feedKeys.of(KeyKind.DOMAIN, "a" + longest)));
        assertEquals(refused, outcome(feedKeys.of(KeyKind.DOMAIN, "a".repeat(64) + ".example")));
    }
}
