package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalScanTest {
    private static final String CLEAN =
            "{\"time\":\"TIME\",\"token\":\"T\",\"mailFrom\":\"FROM\",\"keys\":4,\"suspects\":12,\"found\":[],\"limits\":[]}\n";
    private static final String LISTED = CLEAN.replace(
            "\"found\":[]",
            "\"found\":[{\"kind\":\"domain\",\"value\":\"evil.example\",\"where\":\"link\",\"verdict\":\"listed\","
                    + "\"key\":\"evil.example\",\"feed\":\"f\",\"category\":\"c\"}]");

    @TempDir
    private Path directory;

    private final List<DecisionFindings> decisions = new ArrayList<>();

    private JournalScan.Totals scan(String since) throws IOException {
        return JournalScan.scan(Instant.parse(since), directory, decisions::add);
    }

    private void write(String day, String... lines) throws IOException {
        Files.writeString(directory.resolve(day + ".jsonl"), String.join("", lines), StandardCharsets.UTF_8);
    }

    private static String at(String line, String time) {
        return line.replace("TIME", time);
    }

    @Test
    void noDirectoryHoldsNoDecision() throws IOException {
        directory = directory.resolve("none");
        assertEquals(new JournalScan.Totals(0, 0, 0), scan("2026-01-01T00:00:00Z"));
    }

    @Test
    void severalFiles_areCountedAndFindingsPassedOnNewestFirst() throws IOException {
        write("2026-01-01", at(CLEAN, "2026-01-01T10:00:00Z"), at(LISTED, "2026-01-01T11:00:00.5Z"));
        write("2026-01-01-1", at(LISTED, "2026-01-01T12:00:00Z"));
        write("2026-01-02", at(CLEAN, "2026-01-02T00:00:00Z"));

        assertEquals(new JournalScan.Totals(4, 48, 0), scan("2026-01-01T00:00:00Z"));
        assertEquals(
                List.of(Instant.parse("2026-01-01T12:00:00Z"), Instant.parse("2026-01-01T11:00:00.5Z")),
                decisions.stream().map(DecisionFindings::time).toList());
        assertEquals("evil.example", decisions.getFirst().found().getFirst().key());
    }

    @Test
    void whatWasDecidedBeforeIsLeftOutToTheSecond() throws IOException {
        write(
                "2026-01-01",
                at(LISTED, "2026-01-01T11:59:59.999Z"),
                at(LISTED, "2026-01-01T12:00:00Z"),
                at(LISTED, "2026-01-01T12:00:00.1Z"));

        assertEquals(2, scan("2026-01-01T12:00:00Z").decisions());
        assertEquals(2, decisions.size());
    }

    @Test
    void aSenderCannotWriteAFinding() throws IOException {
        String forged = "\\\"found\\\":[{\\\"feed\\\":\\\"f\\\"}]";
        write("2026-01-01", at(CLEAN.replace("FROM", forged), "2026-01-01T10:00:00Z"));

        assertEquals(new JournalScan.Totals(1, 12, 0), scan("2026-01-01T00:00:00Z"));
        assertEquals(List.of(), decisions);
    }

    @Test
    void tornAndForeignLinesAreCountedAndCostNothingElse() throws IOException {
        write(
                "2026-01-01",
                "no json\n",
                at(LISTED, "2026-01-01T10:00:00Z").substring(0, 180) + "\n",
                at(LISTED, "2026-01-01T10:00:00Z"),
                at(CLEAN, "2026-01-01T11:00:00Z").substring(0, 20));

        assertEquals(new JournalScan.Totals(1, 12, 3), scan("2026-01-01T00:00:00Z"));
        assertEquals(1, decisions.size());
    }

    @Test
    void aLineAtTheLimitIsReadAndOneBeyondIsNot() throws IOException {
        String line = at(LISTED, "2026-01-01T10:00:00Z");
        String padded = line.replace("FROM", "x".repeat(ReverseLines.MAX_LINE_BYTES - line.length() + 5));
        assertEquals(ReverseLines.MAX_LINE_BYTES + 1, padded.length());
        write("2026-01-01", padded, padded.replace("xx", "xxx"), line);

        assertEquals(2, scan("2026-01-01T00:00:00Z").decisions());
        assertEquals(2, decisions.size());
    }

    @Test
    void linesThatCrossTheBufferAreWhole() throws IOException {
        String line = at(LISTED, "2026-01-01T10:00:00Z").replace("FROM", "x".repeat(700_001));
        write("2026-01-01", line, line, line, line, line, line, line, line, line);

        assertEquals(new JournalScan.Totals(9, 108, 0), scan("2026-01-01T00:00:00Z"));
        assertEquals(9, decisions.size());
    }

    @Test
    void aLineIsFoundWhereverItBeginsAndWhateverBytesItHas() throws IOException {
        Random random = new Random(20260409);
        int found = 0;
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            boolean listed = random.nextInt(3) == 0;
            found += listed ? 1 : 0;
            StringBuilder from = new StringBuilder();
            for (int j = random.nextInt(20); j > 0; j--) {
                from.append("Z[]\u00db\u008a\u2028{k".charAt(random.nextInt(8)));
            }
            lines.append(at(listed ? LISTED : CLEAN, "2026-01-01T10:00:00Z").replace("FROM", from));
        }
        write("2026-01-01", lines.toString());

        assertEquals(new JournalScan.Totals(5_000, 60_000, 0), scan("2026-01-01T00:00:00Z"));
        assertEquals(found, decisions.size());
    }
}
