package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bloomgate.decision.keyjournal.Votes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShadowScanTest {
    private static final Instant START = Decisions.NOON.minusSeconds(60);

    @TempDir
    private Path folder;

    private final List<String> lines = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();

    private final ShadowScan.Reader reader = new ShadowScan.Reader() {
        @Override
        public void addMessage(String sender, boolean clean, Votes.Voter voter) {
            seen.add(sender + (clean ? " clean" : ""));
        }

        @Override
        public void addShadowedMessage(String sender, Decision decision) {
            seen.add(decision.token() + " " + decision.outcome().shadowed());
        }
    };

    private void line(Decision decision, Map<String, String> texts) {
        ObjectNode fields = DecisionLine.JSON.valueToTree(decision);
        texts.forEach(fields::put);
        lines.add(fields.toString());
    }

    private ShadowScan.Totals scan(Duration within) throws IOException {
        Files.write(folder.resolve("2026-03-05.jsonl"), lines);
        return ShadowScan.since(START, folder, within, reader);
    }

    private ShadowScan.Totals scan() throws IOException {
        return scan(Duration.ofMinutes(1));
    }

    private static Decision done(String feed, String action, String enforced, Map<String, String> would) {
        return Decisions.done(Decisions.NOON, feed, action, enforced, would);
    }

    @Test
    void whatWasNotDoneIsHandedOverNewestFirst() throws IOException {
        line(done("one", "reject", "pass", Map.of()), Map.of("token", "SHADOW"));
        line(done("", "pass", "pass", Map.of("two", "reject", "three", "pass")), Map.of("token", "TRIAL"));
        line(done("one", "reject", "reject", Map.of()), Map.of());
        assertEquals(new ShadowScan.Totals(3, 0, true), scan());
        assertEquals(
                List.of(
                        "sender.example",
                        "sender.example",
                        "TRIAL {two=reject}",
                        "sender.example",
                        "SHADOW {one=reject}"),
                seen);
    }

    @Test
    void everyMailIsToldWithTheDomainOfItsSender() throws IOException {
        line(Decisions.clean("T"), Map.of("mailFrom", "Ada@Sender.EXAMPLE"));
        line(Decisions.clean("T"), Map.of("mailFrom", ""));
        line(Decisions.listed("T"), Map.of("mailFrom", "\",\"recipients\":[@x.example"));
        line(Decisions.clean("T"), Map.of("action", Decision.NONE));
        line(Decisions.clean("T"), Map.of("action", Decision.LOST));
        assertEquals(new ShadowScan.Totals(3, 0, true), scan());
        assertEquals(List.of("x.example", " clean", "sender.example clean"), seen);
    }

    @Test
    void aClientCannotWriteWhatWouldHaveBeenDone() throws IOException {
        line(Decisions.clean("T"), Map.of("subject", ",\"would\":{\"two\":\"reject\"},\"action\":\"reject\""));
        assertEquals(new ShadowScan.Totals(1, 0, true), scan());
        assertEquals(List.of("sender.example clean"), seen);
    }

    @Test
    void whatIsOlderIsLeftOutAndWhatIsTornIsCounted() throws IOException {
        line(
                done("one", "reject", "pass", Map.of()),
                Map.of("time", START.minusSeconds(1).toString()));
        line(Decisions.clean("T"), Map.of("time", START.toString()));
        lines.add("{\"time\":\"2026-03-05T12:00");
        lines.add("{\"time\":\"\",\"action\":\"reject\"}");
        line(done("one", "reject", "pass", Map.of()), Map.of());
        lines.add(lines.removeLast().replace("\"found\":[", "\"found\":7,\"x\":["));
        assertEquals(new ShadowScan.Totals(2, 3, true), scan());
        assertEquals(List.of("sender.example", "sender.example clean"), seen);
    }

    @Test
    void aScanEndsWithItsTime() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            line(Decisions.clean("T"), Map.of());
        }
        assertFalse(scan(Duration.ZERO).complete());
    }

    @Test
    void noDirectoryHoldsNoDecision() throws IOException {
        assertEquals(
                new ShadowScan.Totals(0, 0, true),
                ShadowScan.since(START, folder.resolve("none"), Duration.ofMinutes(1), reader));
    }
}
