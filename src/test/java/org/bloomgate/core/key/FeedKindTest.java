package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FeedKindTest {

    @ParameterizedTest
    @EnumSource(KeyKind.class)
    void feedsMayHoldEachKindByItsOwnName(KeyKind kind) {
        FeedKind feed = FeedKind.of(kind);

        assertEquals(kind.label(), feed.label());
        assertEquals(List.of(kind), feed.kinds());
        assertEquals(kind.rules().isSecret(), feed.isSecret());
    }

    @ParameterizedTest
    @EnumSource(FeedKind.class)
    void feedsOfNoKindHoldNothing(FeedKind feed) {
        assertTrue(feed.kinds().stream().allMatch(feed::holds));
        assertEquals(feed == FeedKind.AUTO, feed.kinds().size() > 1);
    }
}
