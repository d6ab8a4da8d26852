package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.decision.keyjournal.Deliveries;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The status and the words; which mail is found is the business of the journal's tests.
class RetroCommandTest extends CliRig {
    @BeforeEach
    void rebuild() throws IOException {
        configure(STORES, "name: test, kind: domain, format: lines, source: FOLDER/domains.txt, category: phishing");
        write("domains.txt", "late.example\n");
        done("rebuild");
    }

    private void deliver(int mails, String host) throws IOException {
        KeyJournalOptions options = new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(7), 1 << 24);
        Deliveries.record(options, Instant.now(), mails, host);
    }

    private Path hour() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("keys"))) {
            return files.filter(file -> file.toString().endsWith(".keys"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void noRecords_findNothing() {
        Invocation retro = run("retro");
        assertEquals(ExitStatus.UNKNOWN, retro.status());
        assertEquals("", retro.out());
        assertTrue(retro.err().contains("has recorded no message in " + folder.resolve("keys")), retro::err);
    }

    @Test
    void messageWithoutListedKeys_isCountedOnly() throws IOException {
        deliver(3, "clean.example");
        Invocation retro = run("retro");
        assertEquals(ExitStatus.FINE, retro.status());
        assertEquals("", retro.out());
        assertTrue(retro.err().contains("0 of 3 messages contain a key listed since"), retro::err);
    }

    @Test
    void messageWithAKeyListedLater_isNamed() throws IOException {
        deliver(2, "late.example");
        deliver(1, "clean.example");
        Invocation retro = run("retro");
        assertEquals(ExitStatus.LISTED, retro.status());
        assertEquals(2, retro.lines().size());
        for (String line : retro.lines()) {
            assertTrue(
                    line.matches("[0-9A-Z]{12}  TIME  envelope lost  \\(test lists late.example since TIME\\)"), line);
        }
        assertTrue(retro.err().contains("2 of 3 messages"), retro::err);
    }

    @Test
    void operatorListing_isFound() throws IOException {
        deliver(2, "found.example");
        deliver(1, "clean.example");
        assertEquals(
                ExitStatus.FINE,
                run("listing", "add", "domain", "found.example", "--category", "phishing")
                        .status());
        Invocation retro = run("retro");
        assertEquals(ExitStatus.LISTED, retro.status());
        assertEquals(2, retro.lines().size());
        assertTrue(retro.out().contains("(local lists found.example since "), retro::out);
        assertTrue(run("retro", "--json").out().contains("\"category\":\"phishing\""));
        assertEquals(
                ExitStatus.FINE,
                run("listing", "remove", "domain", "found.example").status());
        assertEquals(ExitStatus.FINE, run("retro").status());
    }

    @Test
    void value_isSearchedWithoutListings() throws IOException {
        deliver(2, "late.example");
        deliver(3, "clean.example");
        Invocation retro = run("retro", "--value", "CLEAN.example");
        assertEquals(ExitStatus.LISTED, retro.status());
        assertEquals(3, retro.lines().size());
        assertTrue(retro.out().contains("(contains clean.example)"), retro::out);
        assertTrue(retro.err().contains("3 of 5 messages contain it"), retro::err);
        assertEquals(ExitStatus.FINE, run("retro", "--value", "other.example").status());
        assertEquals(ExitStatus.MISTAKE, run("retro", "--value", "com").status());
        assertEquals(ExitStatus.MISTAKE, run("retro", "--value", "not a domain").status());
    }

    @Test
    void json_hasOneObjectPerMessage() throws IOException {
        deliver(1, "late.example");
        Invocation retro = run("retro", "--json", "--since", "1h");
        assertEquals(ExitStatus.LISTED, retro.status());
        assertTrue(retro.out().startsWith("{\"token\":"), retro::out);
        assertTrue(retro.out().contains("\"feed\":\"test\"") && retro.out().contains("\"key\":\"late.example\""));
    }

    @Test
    void unreadableRecords_endWithUnknown() throws IOException {
        deliver(1, "clean.example");
        byte[] bytes = Files.readAllBytes(hour());
        bytes[9] ^= 1;
        Files.write(hour(), bytes);
        Invocation retro = run("retro");
        assertEquals(ExitStatus.UNKNOWN, retro.status());
        assertTrue(retro.err().contains("there may be more: the records of 1 hours"), retro::err);
        bytes[9] ^= 1;
        bytes[bytes.length - 1] ^= 1;
        Files.write(hour(), bytes);
        Invocation block = run("retro");
        assertEquals(ExitStatus.UNKNOWN, block.status());
        assertTrue(block.err().contains("there may be more: 1 blocks"), block::err);
    }

    @Test
    void invalidAge_isAMistake() {
        Invocation retro = run("retro", "--since", "yesterday");
        assertEquals(ExitStatus.MISTAKE, retro.status());
        assertFalse(retro.err().contains("\tat "), retro::err);
    }

    private Invocation rebuildOf(String domain, String... arguments) throws IOException {
        Files.writeString(folder.resolve("domains.txt"), domain + "\n");
        List<String> all = new ArrayList<>(List.of("rebuild", "--set", "rebuild.retro=true"));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    @Test
    void rebuildWithRetro_reportsDeliveredMessages() throws IOException {
        deliver(2, "found.example");
        deliver(1, "clean.example");
        Invocation rebuild = rebuildOf("found.example");
        assertEquals(ExitStatus.FINE, rebuild.status(), rebuild::err);
        assertTrue(rebuild.lines().contains("retro: 2 of 3 messages delivered since TIME contain a key listed since"));
        assertEquals(
                2,
                rebuild.lines().stream()
                        .filter(line -> line.matches("retro: [0-9A-Z]{12} of TIME: test lists found.example"))
                        .count());
        Invocation json = rebuildOf("found.example", "--all", "--json");
        assertTrue(json.out().contains("\"mails\":3,\"holding\":2,\"overlooked\":0,\"unreadable\":0,"), json::out);
        assertTrue(json.out().contains("\"listings\":[\"test lists found.example\"]"), json::out);
    }

    @Test
    void rebuildThatPublishesNothing_reportsNone() throws IOException {
        deliver(1, "late.example");
        assertFalse(rebuildOf("late.example").mentions("retro"));
        assertFalse(rebuildOf("other.example\nlate.example", "--dry-run").mentions("retro"));
        assertTrue(run("rebuild", "--all", "--json").out().contains("\"retro\":null"));
    }

    @Test
    void failedRetroSearch_isAWarningOfTheRebuild() throws IOException {
        assertEquals(
                ExitStatus.FINE,
                run("listing", "add", "domain", "own.example", "--category", "phishing")
                        .status());
        try (Stream<Path> files = Files.list(folder.resolve("local"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.writeString(file, "damaged");
            }
        }
        Invocation rebuild = rebuildOf("found.example");
        assertEquals(ExitStatus.FINE, rebuild.status(), rebuild::err);
        assertTrue(rebuild.out().contains("warning: retro failed: "), rebuild::out);
    }
}
