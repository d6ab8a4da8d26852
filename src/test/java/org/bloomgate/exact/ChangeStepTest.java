package org.bloomgate.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exact.b.a.delta",
                "exact.a.a.delta",
                "exact.c.delta",
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
