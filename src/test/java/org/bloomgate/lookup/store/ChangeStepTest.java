package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeStepTest {
    private static final String NOW = "20260303T020000Z-0003";

    @Test
    void fileNamesAreReadAsTheyAreWritten() {
        for (String until : new String[] {NOW, "20260302T020000Z-0002"}) {
            ChangeStep step = new ChangeStep("20260301T020000Z-0001", until);
            assertEquals(Optional.of(step), ChangeStep.of(step.fileName(NOW), NOW));
        }
        assertEquals("exact.a.delta", new ChangeStep("a", "b").fileName("b"));
        assertEquals("exact.a.b.delta", new ChangeStep("a", "b").fileName("c"));
    }

    @Test
    void theShortestStepsLeadToAGenerationUntilOneIsMissing() {
        List<String> paths = List.of(
                "exact.b.delta",
                "exact.d.delta",
                "domain.c.delta",
                "exact.b.d.delta",
                "exact.c.d.delta",
                "exact.a.b.delta");
        assertEquals(List.of(new ChangeStep("d", "e"), new ChangeStep("c", "d")), ChangeStep.leadingTo("e", paths));
    }

    @Test
    void stepsAreAsManyAsAreFollowed() {
        List<String> paths = IntStream.range(100, 5_000)
                .mapToObj(i -> new ChangeStep("%04d".formatted(i), "%04d".formatted(i + 1)).fileName("5000"))
                .toList();
        List<ChangeStep> steps = ChangeStep.leadingTo("5000", paths);
        assertEquals(SortedStores.MAX_CHANGES, steps.size());
        assertEquals(new ChangeStep("4993", "4994"), steps.getLast());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exact.b.a.delta",
                "exact.a.a.delta",
                "exact.c.delta",
                "exact.a.c.delta",
                "exact..delta",
                "exact.a.b.b.delta",
                "exact.a/b.delta",
                "exact/a.delta",
                "domain.a.delta",
                "exact.a.sst"
            })
    void whatIsNoChangeOrLeadsNowhereIsNone(String path) {
        assertEquals(Optional.empty(), ChangeStep.of(path, "c"));
    }
}
