package org.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedsCommandTest {
    @TempDir
    private Path folder;

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final StringBuilder decisions = new StringBuilder();

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("bloomgate.yaml"), """
                snapshots: FOLDER/snapshots
                feeds: FOLDER/feeds.yaml
                journal: { directory: FOLDER/decisions, keys: { directory: FOLDER/keys } }
                local: { directory: FOLDER/local }
                """.replace("FOLDER", folder.toString()));
        Files.writeString(folder.resolve("feeds.yaml"), """
                feeds:
                  - { name: one, kind: domain, source: "FOLDER/one.txt", category: phishing }
                  - { name: two, kind: domain, source: "FOLDER/two.txt", category: spam, cadence: hourly }
                """.replace("FOLDER", folder.toString()));
        Files.writeString(folder.resolve("one.txt"), "a.example\nb.example\nc.example\n");
        Files.writeString(folder.resolve("two.txt"), "c.example\nd.example\n");
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        Files.createDirectories(folder.resolve("decisions"));
    }

    private Invocation run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-c", folder.resolve("bloomgate.yaml").toString()));
        return Invocation.of("", all);
    }

    private void decided(String... found) throws IOException {
        decisions.append("{\"time\":\"%s\",\"token\":\"T\",\"keys\":9,\"suspects\":3,\"found\":[%s]}\n"
                .formatted(now, String.join(",", found)));
        Files.writeString(
                folder.resolve("decisions").resolve(LocalDate.ofInstant(now, ZoneOffset.UTC) + ".jsonl"), decisions);
    }

    private String found(String host, String feed, Duration age, String exception) {
        return ("{\"kind\":\"domain\",\"value\":\"%s\",\"where\":\"link\",\"verdict\":\"listed\",\"key\":\"%s\","
                        + "\"feed\":\"%s\",\"category\":\"x\",\"firstSeen\":\"%s\",\"exception\":\"%s\"}")
                .formatted(host, host, feed, now.minus(age), exception);
    }

    @Test
    void withoutMailEntriesAreCountedOverAllLayers() {
        assertEquals(
                List.of(
                        "{\"feed\":\"one\",\"category\":\"phishing\",\"entries\":3,\"exclusiveEntries\":2,"
                                + "\"overlap\":{\"two\":1},\"hits\":0,\"exclusiveHits\":0,\"overridden\":0,\"errors\":0,\"dropped\":0}",
                        "{\"feed\":\"two\",\"category\":\"spam\",\"entries\":2,\"exclusiveEntries\":1,"
                                + "\"overlap\":{\"one\":1},\"hits\":0,\"exclusiveHits\":0,\"overridden\":0,\"errors\":0,\"dropped\":0}"),
                run("feeds", "report", "--json").lines());
    }

    @Test
    void hitsAreCountedByFeedAndIdentifier() throws IOException {
        decided();
        decided(found("c.example", "one", Duration.ofHours(5), ""), found("c.example", "two", Duration.ofHours(1), ""));
        decided(found("a.example", "one", Duration.ofHours(9), "exception for all"));
        decided(found("gone.example", "one", Duration.ofHours(7), ""));

        assertEquals(
                List.of(
                        "{\"feed\":\"one\",\"category\":\"phishing\",\"entries\":3,\"exclusiveEntries\":2,"
                                + "\"overlap\":{\"two\":1},\"hits\":3,\"exclusiveHits\":2,\"overridden\":1,\"errors\":0,\"dropped\":1,"
                                + "\"medianAgeHours\":7}",
                        "{\"feed\":\"two\",\"category\":\"spam\",\"entries\":2,\"exclusiveEntries\":1,"
                                + "\"overlap\":{\"one\":1},\"hits\":1,\"exclusiveHits\":0,\"overridden\":0,\"errors\":0,\"dropped\":0,"
                                + "\"medianAgeHours\":1}"),
                run("feeds", "report", "--json").lines());
    }

    @Test
    void aFeedThatIsNoLongerConfiguredKeepsItsHits() throws IOException {
        decided(found("x.example", "gone", Duration.ofHours(1), ""));
        String row = run("feeds", "report", "--json").lines().getFirst();
        assertTrue(row.startsWith("{\"feed\":\"gone\",\"category\":\"x\",\"entries\":0"), row);
        assertTrue(row.contains("\"dropped\":1"), row);
    }

    @Test
    void theTableHasALineAFeedAndRemarksOnWhatWasRead() throws IOException {
        decided(found("a.example", "one", Duration.ofHours(2), ""));
        Invocation report = run("feeds", "report", "--since", "1d");
        assertEquals(ExitStatus.FINE, report.status());
        assertEquals(3, report.lines().size());
        assertTrue(
                report.lines().get(1).matches("one +phishing +3 +2 +two 33 % +1 +1 +0 +0 +0 +2 h"),
                report.lines().get(1));
        assertTrue(report.err().contains("1 decisions, 3 suspects"), report::err);
    }
}
