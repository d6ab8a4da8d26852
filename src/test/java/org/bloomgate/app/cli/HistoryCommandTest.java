package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A bad night, as it is found and taken back.
class HistoryCommandTest extends CliRig {
    @BeforeEach
    void configure() throws IOException {
        configure("""
                state: FOLDER
                nextHop: "maildir:FOLDER/mail"
                http:
                  adminToken: a-secret-of-ours
                  operators: { ada: { role: admin, token: another-secret-of-hers } }
                feeds: FOLDER/feeds.yaml
                """, "name: test, kind: domain, source: FOLDER/domains.txt, category: phishing, cadence: nightly");
        write("domains.txt", "one.example\n");
    }

    private List<JsonNode> history() {
        return run("history", "--json")
                .out()
                .lines()
                .map(HistoryCommandTest::json)
                .toList();
    }

    private static JsonNode json(String line) {
        try {
            return new JsonMapper().readTree(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    @Test
    void rebuildsAndRollbacks_areInTheHistory() throws IOException {
        assertEquals(ExitStatus.FINE, run("history").status());
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals(ExitStatus.FINE, run("rebuild").status(), "not due");
        assertEquals(ExitStatus.FINE, run("rebuild", "--all", "--dry-run").status());
        Files.writeString(folder.resolve("domains.txt"), "two.example\nthree.example\n");
        assertEquals(ExitStatus.FINE, run("rebuild", "--force").status());
        Invocation back = run("rollback");
        assertEquals(ExitStatus.FINE, back.status(), back::err);
        Files.delete(folder.resolve("domains.txt"));
        assertEquals(ExitStatus.LISTED, run("rebuild", "--all").status());

        List<JsonNode> past = history();

        assertEquals(
                List.of("published-with-failed-feeds", "rolled-back", "published", "published"),
                past.stream().map(one -> one.get("outcome").asText()).toList(),
                past::toString);
        assertTrue(past.get(0).at("/feeds/0/failure").asText().contains("domains.txt"), past::toString);
        assertEquals(past.get(3).get("generation"), past.get(1).get("generation"));
        assertEquals(past.get(2).get("generation"), past.get(1).get("previous"));
        assertEquals(2, past.get(2).get("added").asInt());
        assertEquals("test", past.get(2).at("/feeds/0/feed").asText());
        assertTrue(run("history", "--layer", "nightly", "--limit", "1").out().contains("\n    test  +2 -1  "));
        assertEquals("", run("history", "--layer", "hourly").out());
        assertEquals(ExitStatus.MISTAKE, run("history", "--limit", "0").status());
        List<String> trail = run("audit").out().lines().toList();
        assertEquals(2, trail.size(), trail::toString);
        assertTrue(trail.get(0).contains("  rollback  nightly  generation "), trail::toString);
        assertTrue(trail.get(1).contains("  rebuild-force  nightly  outcome published"), trail::toString);
    }

    @Test
    void layerThatIsNotDue_isInTheHistoryAfterAFailureOnly() throws IOException {
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        new RebuildHistory(folder.resolve("snapshots"))
                .add(PastRebuild.ofFailure(Instant.now(), "nightly", ExitStatus.UNKNOWN, "no statement was written"));
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals(
                List.of("not-due", "failed", "published"),
                history().stream().map(one -> one.get("outcome").asText()).toList());
    }

    @Test
    void configCheck_printsNoSecret() {
        Invocation checked = run("config", "check");
        assertEquals(ExitStatus.FINE, checked.status(), checked::err);
        assertTrue(
                checked.out().contains("http.operators: { ada: { checksPerSecond: 0, role: admin, token: (set) } }"),
                checked::out);
        assertTrue(checked.out().contains("mirror.token: \n"), checked::out);
        assertFalse(checked.out().contains("-secret"), checked::out);
    }
}
