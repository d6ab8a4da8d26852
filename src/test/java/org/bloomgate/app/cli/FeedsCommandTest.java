package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FeedsCommandTest extends CliRig {
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final StringBuilder decisions = new StringBuilder();

    @BeforeEach
    void rebuild() throws IOException {
        configure(
                STORES,
                "name: one, kind: domain, source: FOLDER/one.txt, category: phishing",
                "name: two, kind: domain, source: FOLDER/two.txt, category: spam, cadence: hourly");
        write("one.txt", "a.example\nb.example\nc.example\n");
        write("two.txt", "c.example\nd.example\n");
        done("rebuild");
        Files.createDirectories(folder.resolve("decisions"));
    }

    private void decided(String... found) throws IOException {
        decidedWith("", found);
    }

    /// @param more fields, each behind a comma
    private void decidedWith(String more, String... found) throws IOException {
        decisions.append("{\"time\":\"%s\",\"token\":\"T\",\"keys\":9,\"suspects\":3,\"found\":[%s]%s}\n"
                .formatted(now, String.join(",", found), more));
        Files.writeString(
                folder.resolve("decisions").resolve(LocalDate.ofInstant(now, ZoneOffset.UTC) + ".jsonl"), decisions);
    }

    private String found(String host, String feed, Duration age, String exception) {
        return ("{\"kind\":\"domain\",\"value\":\"%s\",\"where\":\"link\",\"verdict\":\"listed\",\"key\":\"%s\","
                        + "\"feed\":\"%s\",\"category\":\"x\",\"firstSeen\":\"%s\",\"exception\":\"%s\"}")
                .formatted(host, host, feed, now.minus(age), exception);
    }

    /// What `--json` says, without the seconds, which are never the same.
    private List<String> rows() {
        return run("feeds", "report", "--json").lines().stream()
                .map(row -> row.replaceAll(",\"seconds\":[0-9.E-]+}", "}"))
                .toList();
    }

    @Test
    void reportWithoutMessages_countsEntriesOfAllLayers() {
        assertEquals(
                List.of(
                        "{\"feed\":\"one\",\"category\":\"phishing\",\"entries\":3,\"exclusiveEntries\":2,"
                                + "\"overlap\":{\"two\":1},\"messages\":{},\"hits\":0,\"exclusiveHits\":0,\"shadowHits\":0,\"overridden\":0,"
                                + "\"errors\":0,\"dropped\":0,\"suspects\":0,\"refuted\":0,\"bytes\":30}",
                        "{\"feed\":\"two\",\"category\":\"spam\",\"entries\":2,\"exclusiveEntries\":1,"
                                + "\"overlap\":{\"one\":1},\"messages\":{},\"hits\":0,\"exclusiveHits\":0,\"shadowHits\":0,\"overridden\":0,"
                                + "\"errors\":0,\"dropped\":0,\"suspects\":0,\"refuted\":0,\"bytes\":20}"),
                rows());
    }

    @Test
    void hits_areCountedByFeedAndIdentifier() throws IOException {
        decided();
        decided(found("c.example", "one", Duration.ofHours(5), ""), found("c.example", "two", Duration.ofHours(1), ""));
        decided(found("a.example", "one", Duration.ofHours(9), "exception for all"));
        decided(found("gone.example", "one", Duration.ofHours(7), ""));

        assertEquals(
                List.of(
                        "{\"feed\":\"one\",\"category\":\"phishing\",\"entries\":3,\"exclusiveEntries\":2,"
                                + "\"overlap\":{\"two\":1},\"messages\":{},\"hits\":3,\"exclusiveHits\":2,\"shadowHits\":0,\"overridden\":1,"
                                + "\"errors\":0,\"dropped\":1,\"medianAgeHours\":7,\"suspects\":0,\"refuted\":0,\"bytes\":30}",
                        "{\"feed\":\"two\",\"category\":\"spam\",\"entries\":2,\"exclusiveEntries\":1,"
                                + "\"overlap\":{\"one\":1},\"messages\":{},\"hits\":1,\"exclusiveHits\":0,\"shadowHits\":0,\"overridden\":0,"
                                + "\"errors\":0,\"dropped\":0,\"medianAgeHours\":1,\"suspects\":0,\"refuted\":0,\"bytes\":20}"),
                rows());
    }

    @Test
    void removedFeed_keepsItsHits() throws IOException {
        decided(found("x.example", "gone", Duration.ofHours(1), ""));
        String row = run("feeds", "report", "--json").lines().getFirst();
        assertTrue(row.startsWith("{\"feed\":\"gone\",\"category\":\"x\",\"entries\":0"), row);
        assertTrue(row.contains("\"dropped\":1"), row);
    }

    @Test
    void table_hasOneLinePerFeedAndTheNumberOfDecisions() throws IOException {
        decided(found("a.example", "one", Duration.ofHours(2), ""));
        Invocation report = run("feeds", "report", "--since", "1d");
        assertEquals(ExitStatus.FINE, report.status());
        assertEquals(3, report.lines().size());
        assertTrue(
                report.lines()
                        .get(1)
                        .matches(
                                "one +phishing +3 +2 +two 33 % +0 +0 +0 +0 +0 +1 +1 +0 +0 +0 +0 +2 h +- +30 +[0-9]+\\.[0-9]"),
                report.lines().get(1));
        assertTrue(report.err().contains("1 decisions, 3 suspects"), report::err);
    }

    @Test
    void decidedMessages_areCountedByEveryAction() throws IOException {
        for (String action : List.of("reject", "quarantine", "quarantine", "defer", "discard", "tag", "pass")) {
            decidedWith(
                    ",\"feed\":\"two\",\"action\":\"reject\",\"enforced\":\"" + action + "\"",
                    found("d.example", "two", Duration.ofHours(2), ""));
        }
        String counts = "\"messages\":{\"defer\":1,\"discard\":1,\"pass\":1,\"quarantine\":2,\"reject\":1,\"tag\":1}";
        assertTrue(rows().getFirst().contains(counts), rows().getFirst());
        List<String> table = run("feeds", "report").lines();
        assertTrue(
                table.getFirst().contains("  rejected  quarantined  deferred  discarded  tagged  "), table.getFirst());
        assertTrue(table.get(1).matches("two .* 1 +2 +1 +1 +1 +7 .*"), table.get(1));
    }

    @Test
    void shadowHits_areCountedSeparately() throws IOException {
        decided(found("a.example", "one", Duration.ofHours(2), ""));
        decidedWith(
                ",\"would\":{\"one\":\"reject\"}",
                found("a.example", "one", Duration.ofHours(2), ""),
                found("c.example", "two", Duration.ofHours(2), ""));
        assertTrue(rows().get(0).contains("\"hits\":2,\"exclusiveHits\":2,\"shadowHits\":1,"), rows().get(0));
        assertTrue(rows().get(1).contains("\"hits\":1,\"exclusiveHits\":1,\"shadowHits\":0,"), rows().get(1));
    }

    @Test
    void suspects_areCountedForTheFeedsOfTheFilter() throws IOException {
        decidedWith(",\"filters\":[{\"filter\":\"nightly/domain\",\"suspects\":3,\"refuted\":2}]");
        decidedWith(
                ",\"filters\":[{\"filter\":\"nightly/domain\",\"suspects\":1,\"refuted\":0},"
                        + "{\"filter\":\"nightly/url\",\"suspects\":8,\"refuted\":8}]",
                found("a.example", "one", Duration.ofHours(2), ""));
        assertTrue(rows().get(0).contains("\"suspects\":4,\"refuted\":2,"), rows().get(0));
        assertTrue(rows().get(1).contains("\"suspects\":0,\"refuted\":0,"), rows().get(1));
        assertTrue(run("feeds", "report").lines().get(1).contains("  50.0 %"), "as a share");
    }

    @Test
    void urlListedByDomain_isDroppedWithTheDomain() throws IOException {
        String link =
                found("a.example", "one", Duration.ofHours(2), "").replace("\"kind\":\"domain\"", "\"kind\":\"url\"");
        decided(link.replace("\"key\":", "\"keyKind\":\"domain\",\"key\":"));
        assertTrue(rows().get(0).contains("\"hits\":1,"), rows().get(0));
        assertTrue(rows().get(0).contains("\"dropped\":0,"), rows().get(0));
    }
}
