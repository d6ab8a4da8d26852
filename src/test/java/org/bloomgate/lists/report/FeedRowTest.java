package org.bloomgate.lists.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FeedRowTest {
    @Test
    void otherFeedsComeByNameSoThatTwoReportsCanBeCompared() {
        Map<String, Long> overlap = Map.of("d", 1L, "b", 2L, "e", 3L, "a", 4L, "c", 5L);
        FeedRow row = new FeedRow(
                "f",
                "spam",
                9,
                0,
                overlap,
                Map.of(),
                0,
                0,
                0,
                0,
                0,
                0,
                OptionalLong.empty(),
                0,
                0,
                OptionalLong.empty(),
                OptionalDouble.empty());

        assertEquals(List.of("a", "b", "c", "d", "e"), List.copyOf(row.overlap().keySet()));
    }
}
