package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.reports.ReportStore;
import org.bloomgate.decision.reports.ReportedIdentifier;
import org.bloomgate.decision.reports.ReportedMessage;
import org.bloomgate.decision.reports.Reporter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsCommandTest {
    @TempDir
    private Path folder;

    private String id;

    @BeforeEach
    void report() throws IOException {
        id = new ReportStore(folder.resolve("reports"))
                .add(
                        Instant.parse("2026-05-06T07:08:09Z"),
                        new Reporter("ann@corp.example", ""),
                        new ReportedMessage(
                                "in\u0007voice",
                                "a@bad.example",
                                "",
                                Optional.empty(),
                                Optional.empty(),
                                List.of("ben@corp.example"),
                                List.of(
                                        identifier("phish.example", Optional.empty()),
                                        identifier("corp.example", Optional.of("of a domain of the site")))));
    }

    private static ReportedIdentifier identifier(String host, Optional<String> objection) {
        return new ReportedIdentifier(new Key(KeyKind.DOMAIN, host), "link", objection);
    }

    private Invocation run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("reports"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--set", "state=" + folder, "--set", "feeds=" + folder.resolve("none.yaml")));
        return Invocation.of("", all);
    }

    @Test
    void list_escapesTextsOfStrangers() {
        assertEquals(
                List.of(id + "  TIME  open      1 reporters  a@bad.example  in\\u0007voice"),
                run("list").lines());
        assertTrue(run("list", "--json").mentions("\"state\":\"open\""));
    }

    @Test
    void show_namesReportersRecipientsAndObjections() {
        Invocation shown = run("show", id);
        assertEquals(ExitStatus.FINE, shown.status());
        assertTrue(shown.mentions("reported by ann@corp.example"));
        assertTrue(shown.mentions("received by ben@corp.example"));
        assertTrue(shown.mentions("needs --force: [of a domain of the site]"));
    }

    @Test
    void accept_listsWhatIsNotGreyed() {
        assertEquals(ExitStatus.LISTED, run("accept", id, "corp.example").status());
        assertEquals(ExitStatus.MISTAKE, run("accept", id, "other.example").status());
        assertTrue(run("list").mentions("  open  "));

        assertEquals(
                ExitStatus.FINE,
                run("accept", id, "phish.example", "--expires", "7d").status());
        assertTrue(run("list").mentions("  listed  "));
        assertEquals(
                ExitStatus.FINE, run("accept", id, "corp.example", "--force").status());
    }

    @Test
    void harmless_closes() {
        assertEquals(ExitStatus.FINE, run("harmless", id).status());
        assertTrue(run("list").mentions("  harmless  "));
        assertEquals(ExitStatus.MISTAKE, run("harmless", "0000000000ZZ").status());
        assertEquals(ExitStatus.MISTAKE, run("show", "nothing").status());
    }
}
