package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which messages are evaluated, under which names, and with which snapshots.
class ScanCommandTest extends CliRig {
    @BeforeEach
    void rebuild() throws IOException {
        configure(
                STORES + "smtp: { maxMessageBytes: 1000 }",
                "name: test, kind: domain, format: lines, source: FOLDER/domains.txt, category: phishing");
        list("listed.example");
    }

    /// Makes this the only listing there is.
    private void list(String domain) throws IOException {
        write("domains.txt", domain + "\n");
        done("rebuild", "--all", "--force");
    }

    private static String message(String host) {
        return "From: a@from.example\nSubject: s\n\nsee http://" + host + "/x\n";
    }

    private String mbox(String... messages) throws IOException {
        Path file = folder.resolve("mails");
        Files.writeString(file, "From a\n" + String.join("\nFrom b\n", messages));
        return file.toString();
    }

    /// The names of the messages with their verdicts.
    private List<String> verdicts(Invocation scan) {
        return scan.lines().stream()
                .filter(line -> !line.startsWith(" "))
                .map(line -> line.replace(folder + "/", "").replaceAll(",.*", ""))
                .toList();
    }

    @Test
    void mboxMessages_areNumbered() throws IOException {
        String file = mbox(message("clean.example"), message("listed.example"), message("other.example"));
        Invocation scan = run("scan", "mbox:" + file);
        assertEquals(ExitStatus.LISTED, scan.status(), scan::err);
        assertEquals(List.of("mails:1: clean", "mails:2: listed", "mails:3: clean"), verdicts(scan));
        Invocation piped = runWith(Files.readString(Path.of(file)), "scan", "--json", "mbox:-");
        assertEquals(3, piped.lines().size());
        assertTrue(piped.lines().get(1).startsWith("{\"file\":\"-:2\",\"verdict\":\"listed\""), piped::out);
    }

    @Test
    void messageTooLong_isReportedAndOthersAreScanned() throws IOException {
        String file = mbox(message("clean.example"), "x".repeat(1001), message("other.example"));
        Invocation scan = run("scan", "mbox:" + file);
        assertEquals(ExitStatus.MISTAKE, scan.status());
        assertEquals(List.of("mails:1: clean", "mails:3: clean"), verdicts(scan));
        assertTrue(scan.err().contains("mails:2: longer than smtp.maxMessageBytes allows, 1,000 bytes"), scan::err);
    }

    @Test
    void fileThatIsNoMbox_isAMistake() throws IOException {
        Path file = Files.writeString(folder.resolve("mail.eml"), message("clean.example"));
        Invocation scan = run("scan", "mbox:" + file);
        assertEquals(ExitStatus.MISTAKE, scan.status());
        assertTrue(scan.err().contains("mail.eml: not an mbox: "), scan::err);
        assertEquals(
                ExitStatus.MISTAKE,
                run("scan", "mbox:" + folder.resolve("none")).status());
    }

    @Test
    void maildir_newAndReadMessagesAreScanned() throws IOException {
        Path maildir = folder.resolve("mail");
        for (String part : List.of("new", "cur", "tmp")) {
            Files.createDirectories(maildir.resolve(part));
        }
        Files.writeString(maildir.resolve("new/2.host"), message("listed.example"));
        Files.writeString(maildir.resolve("new/1.host"), message("clean.example"));
        Files.writeString(maildir.resolve("new/.hidden"), message("listed.example"));
        Files.createDirectories(maildir.resolve("new/folder"));
        Files.writeString(maildir.resolve("cur/0.host:2,S"), message("clean.example"));
        Files.writeString(maildir.resolve("tmp/3.host"), message("listed.example"));
        Invocation scan = run("scan", maildir.toString());
        assertEquals(ExitStatus.LISTED, scan.status(), scan::err);
        assertEquals(
                List.of("mail/new/1.host: clean", "mail/new/2.host: listed", "mail/cur/0.host:2"),
                verdicts(scan).stream()
                        .map(line -> line.replace(":2: clean", ":2"))
                        .toList());
    }

    @Test
    void folderThatIsNoMaildir_isAMistake() {
        Invocation scan = run("scan", folder.toString());
        assertEquals(ExitStatus.MISTAKE, scan.status());
        assertTrue(scan.err().contains("not a Maildir: the folder has neither"), scan::err);
    }

    /// Of the only layer, oldest first.
    private List<String> generations() throws IOException {
        return new LayerDirectory(folder.resolve("snapshots"), "nightly").listGenerations();
    }

    @Test
    void olderGeneration_givesItsOwnVerdicts() throws IOException {
        list("newer.example");
        String mails = mbox(message("listed.example"), message("newer.example"));
        assertEquals(List.of("mails:1: clean", "mails:2: listed"), verdicts(run("scan", "mbox:" + mails)));
        Invocation then = run(
                "scan", "--generation", generations().getFirst(), "--set", "smtp.maxSnapshotAge=1ms", "mbox:" + mails);
        assertEquals(List.of("mails:1: listed", "mails:2: clean"), verdicts(then), then::err);
    }

    @Test
    void against_printsOnlyDifferences() throws IOException {
        list("newer.example");
        String mails = mbox(message("clean.example"), message("listed.example"), message("newer.example"));
        String first = generations().getFirst();
        Invocation scan = run("scan", "--against", first, "mbox:" + mails);
        assertEquals(ExitStatus.LISTED, scan.status(), scan::err);
        assertEquals(List.of("mails:2: clean", "mails:3: listed"), verdicts(scan));
        assertTrue(scan.out().contains("  against " + first + ": listed, reject ("), scan::out);
        assertTrue(scan.err().contains("2 of 3 messages differ"), scan::err);

        Path alone = Files.writeString(folder.resolve("alone.eml"), message("listed.example"));
        assertEquals(
                ExitStatus.FINE,
                run("scan", "--against", first, alone.toString()).status());
        Invocation same = run("scan", "--generation", first, "--against", first, "mbox:" + mails);
        assertEquals("", same.out());
        assertEquals(ExitStatus.LISTED, same.status());
    }

    @Test
    void againstAsJson_marksDifferences() throws IOException {
        list("newer.example");
        String first = generations().getFirst();
        Invocation scan = runWith(message("listed.example"), "scan", "--json", "--against", first, "-");
        assertTrue(scan.out().startsWith("{\"file\":\"-\",\"verdict\":\"clean\""), scan::out);
        assertTrue(
                scan.out()
                        .stripTrailing()
                        .endsWith("\"against\":{\"generation\":\"" + first
                                + "\",\"verdict\":\"listed\",\"action\":\"reject\",\"enforced\":\"reject\","
                                + "\"differs\":true}}"),
                scan::out);
        assertTrue(runWith(message("clean.example"), "scan", "--json", "--against", first, "-")
                .out()
                .contains("\"differs\":false}}"));
    }

    private Invocation againstItself(String message) throws IOException {
        return runWith(message, "scan", "--against", generations().getFirst(), "-");
    }

    @Test
    void againstStdin_isBoundedByMaxMessageBytes() throws IOException {
        String longest = message("clean.example")
                + "x".repeat(1000 - message("clean.example").length());
        assertEquals(ExitStatus.FINE, againstItself(longest).status());
        Invocation beyond = againstItself(longest + "x");
        assertEquals(ExitStatus.MISTAKE, beyond.status());
        assertTrue(beyond.err().contains("-: longer than smtp.maxMessageBytes allows, 1,000 bytes"), beyond::err);
    }

    @Test
    void missingOrDamagedGeneration_isAMistake() throws IOException {
        String kept = generations().getFirst();
        for (String absent : List.of("20200101T000000Z-0000", "../nightly", "")) {
            Invocation scan = runWith("", "scan", "--generation", absent, "-");
            assertEquals(ExitStatus.MISTAKE, scan.status(), absent);
            assertTrue(scan.err().contains("available: nightly/" + kept), scan::err);
        }
        list("newer.example");
        Files.writeString(folder.resolve("snapshots/nightly/" + kept + "/manifest.json"), "{}");
        Invocation damaged = runWith("", "scan", "--against", kept, "-");
        assertEquals(ExitStatus.MISTAKE, damaged.status());
        assertTrue(damaged.err().contains("bloomgate: nightly/" + kept + ": manifest.json"), damaged::err);
        assertEquals("", damaged.out());
    }
}
