package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalizationTest {
    @Test
    void aLineHasItsFormAndItsExpressions() {
        assertEquals(
                new Canonicalization(
                        "HTTP://Evil.example/a?b",
                        "http://evil.example/a?b",
                        List.of("evil.example/a?b", "evil.example/a", "evil.example/")),
                of("HTTP://Evil.example/a?b"));
    }

    @Test
    void whatIsNoUrlHasAnEmptyAnswer() {
        assertEquals(new Canonicalization("", "", List.of()), of(""));
        assertEquals(new Canonicalization("/a", "", List.of()), of("/a"));
    }

    @Test
    void anyByteIsTaken() {
        byte[] line = Rows.bytesOf("http://evil.example/\\x00\\xff\\r");
        Canonicalization answer = Canonicalization.of(line, Batches.SUFFIXES);
        assertEquals("http://evil.example/%00%ff", answer.canonical());
        assertEquals("http://evil.example/\u0000\ufffd\r", answer.input());
    }

    @Test
    void theStepsEndWithTheCanonicalForm() {
        List<Canonicalization.Step> steps = Canonicalization.steps(" http://u@EV%69L.example/a/../b#c ");
        assertEquals(new Canonicalization.Step("canonical", "http://evil.example/b"), steps.getLast());
        assertTrue(steps.contains(new Canonicalization.Step("host unescaped", "EViL.example")));
        assertTrue(steps.stream()
                .noneMatch(step -> step.value().contains("#c") && !step.name().equals("trimmed")));
    }

    @Test
    void theStepsOfWhatIsNoUrlEndWithoutAForm() {
        assertTrue(Canonicalization.steps("mailto:a@evil.example").stream()
                .noneMatch(step -> step.name().equals("canonical")));
    }

    private static Canonicalization of(String line) {
        return Canonicalization.of(line.getBytes(StandardCharsets.UTF_8), Batches.SUFFIXES);
    }
}
