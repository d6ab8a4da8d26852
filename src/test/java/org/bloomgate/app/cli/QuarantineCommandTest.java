package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineCommandTest {
    private static final String OLD = "000000000001";
    private static final String YOUNG = "000000000002";
    private static final String MESSAGE = "Received: here\r\nSubject: win \u0007 now\r\n\r\nbody \u00ff\r\n";

    @TempDir
    private Path folder;

    private Invocation run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("quarantine"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--set", "state=" + folder, "--set", "nextHop=maildir:" + folder.resolve("mail")));
        return Invocation.of("", all);
    }

    private void keep(String token, String time) throws IOException {
        Path root = folder.resolve("quarantine");
        Files.createDirectories(root.resolve("new"));
        Files.createDirectories(root.resolve("cur"));
        Files.createDirectories(root.resolve("envelopes"));
        Files.writeString(root.resolve("new", token), MESSAGE, StandardCharsets.ISO_8859_1);
        Files.writeString(root.resolve("envelopes", token + ".json"), """
                {"token":"%s","time":"%s","client":{"address":"192.0.2.7","port":1,"helo":"mail.example"},
                "mailFrom":"a@from.example","mail":"FROM:<a@from.example>",
                "recipients":[{"address":"b@to.example","rcpt":"TO:<b@to.example>"}],
                "verdict":"listed","reason":"listed at link"}""".formatted(token, time));
    }

    private void keepTwo() throws IOException {
        keep(OLD, "2020-01-02T03:04:05Z");
        keep(YOUNG, "2999-01-02T03:04:05Z");
    }

    @Test
    void emptyQuarantine_isAnEmptyList() {
        Invocation listed = run("list");
        assertEquals(new Invocation(ExitStatus.FINE, "", ""), listed);
        assertFalse(Files.exists(folder.resolve("quarantine")));
    }

    @Test
    void list_hasOneLinePerMessage() throws IOException {
        keepTwo();
        assertEquals(
                List.of(
                        "000000000001  TIME        46  <a@from.example> to b@to.example  (listed at link)",
                        "000000000002  2999-01-02T03:04:05Z        46  <a@from.example> to b@to.example  (listed at link)"),
                run("list").lines());
        assertEquals(
                List.of("{\"token\":\"000000000001\",\"time\":\"TIME\",\"client\":\"192.0.2.7\","
                        + "\"mailFrom\":\"a@from.example\",\"recipients\":[\"b@to.example\"],"
                        + "\"from\":\"\",\"subject\":\"\",\"verdict\":\"listed\",\"reason\":\"listed at link\","
                        + "\"feed\":\"\",\"category\":\"\",\"value\":\"\",\"sizeBytes\":46}"),
                run("list", "--json", "--older-than", "30d").lines());
    }

    @Test
    void show_escapesEnvelopeAndHeader() throws IOException {
        keepTwo();
        Invocation shown = run("show", OLD);
        assertEquals(
                List.of(
                        "000000000001  TIME        46  <a@from.example> to b@to.example  (listed at link)",
                        "  Received: here",
                        "  Subject: win \\u0007 now"),
                shown.lines());
        assertTrue(run("show", OLD, "--json").out().contains("\"header\":[\"Received: here\","));
    }

    @Test
    void showRaw_isTheBytesOfTheMessage() throws IOException {
        keepTwo();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.ISO_8859_1));
        try {
            assertEquals(ExitStatus.FINE, run("show", "--raw", "0000-0000-0001").status());
        } finally {
            System.setOut(before);
        }
        assertEquals(MESSAGE, bytes.toString(StandardCharsets.ISO_8859_1));
    }

    @Test
    void release_deliversAndRemoves() throws IOException {
        keepTwo();
        Invocation released = run("release", OLD, YOUNG);
        assertEquals(
                List.of(
                        "000000000001  released to <b@to.example>: 250 2.0.0 Ok: stored",
                        "000000000002  released to <b@to.example>: 250 2.0.0 Ok: stored"),
                released.lines(),
                released::err);
        assertEquals(ExitStatus.FINE, released.status());
        assertEquals("", run("list").out());
        try (Stream<Path> mail = Files.list(folder.resolve("mail", "new"))) {
            assertEquals(MESSAGE, Files.readString(mail.toList().getFirst(), StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void messageNotDelivered_stays() throws IOException {
        keepTwo();
        Invocation refused = run("release", OLD, "--set", "nextHopOptions.xforward=false", "--json");
        assertEquals(ExitStatus.FINE, refused.status());
        Files.writeString(folder.resolve("quarantine", "new", YOUNG), "bare\n");
        Files.delete(folder.resolve("quarantine", "envelopes", YOUNG + ".json"));
        Invocation lost = run("release", YOUNG);
        assertEquals(ExitStatus.UNKNOWN, lost.status());
        assertEquals(1, run("list").lines().size());
        assertEquals(
                ExitStatus.FINE, run("release", YOUNG, "--to", "c@to.example").status());
        assertEquals(1, run("list").lines().size());
    }

    private void decided(String token, Instant at) throws IOException {
        Files.createDirectories(folder.resolve("decisions"));
        Files.writeString(
                folder.resolve("decisions").resolve(LocalDate.ofInstant(at, ZoneOffset.UTC) + ".jsonl"),
                """
                {"time":"%s","token":"%s","client":"192.0.2.7","helo":"h","tls":"","mailFrom":"a@from.example",\
                "recipients":["b@to.example"],"refused":[],"sizeBytes":1,"keys":2,"suspects":1,"found":[{"kind":"domain",\
                "value":"www.shop.example","where":"link","verdict":"listed","key":"shop.example","feed":"f",\
                "category":"spam"}],"limits":[],"verdict":"listed","action":"quarantine","enforced":"quarantine",\
                "feed":"f","category":"spam","value":"www.shop.example","reply":"250 Ok","nextHopReply":"",\
                "snapshot":"s","millis":{}}
                """.formatted(at, token));
    }

    @Test
    void releaseWithExcept_addsAnException() throws IOException {
        keepTwo();
        decided(OLD, Instant.now());
        Invocation released = run("release", OLD, "--except", "--expires", "30d", "--reason", "a shop of ours");

        assertEquals(ExitStatus.FINE, released.status(), released::err);
        String excepted = released.lines().getFirst();
        assertTrue(
                excepted.startsWith("excepted  domain shop.example  match suffix  feed f  recipients at to.example"),
                excepted);
        assertTrue(excepted.endsWith("until TIME  (a shop of ours, mail 000000000001)"), excepted);
        assertTrue(released.lines().getLast().startsWith("000000000001  released to <b@to.example>"), released::out);
        List<String> since = explained(OLD).stream()
                .filter(line -> line.startsWith("since then: "))
                .toList();
        assertEquals(2, since.size(), since::toString);
        assertTrue(since.getFirst().contains(" by command  exception-add  shop.example  "), since::toString);
        assertTrue(since.getFirst().contains("feed f"), since::toString);
        assertTrue(since.getLast().contains(" by command  quarantine-release  " + OLD), since::toString);
    }

    private List<String> explained(String token) {
        return Invocation.of(
                        "",
                        List.of(
                                "explain",
                                token,
                                "--set",
                                "local.directory=" + folder.resolve("local"),
                                "--set",
                                "journal.directory=" + folder.resolve("decisions")))
                .lines();
    }

    @Test
    void releaseWithImpossibleException_releasesNothing() throws IOException {
        keepTwo();
        Invocation refused = run("release", YOUNG, "--except");

        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains("000000000002 is not released: no such decision"), refused::err);
        assertEquals(2, run("list").lines().size());
        assertEquals(
                ExitStatus.MISTAKE, run("release", YOUNG, "--expires", "30d").status());
    }

    @Test
    void delete_acceptsTokensOrAnAge() throws IOException {
        keepTwo();
        assertEquals(
                "000000000001  deleted\n", run("delete", "--older-than", "30d").out());
        assertEquals("000000000002  deleted\n", run("delete", "-y", YOUNG).out());
        assertEquals("", run("list").out());
        assertEquals("", run("delete", "--older-than", "1d").out());
    }

    @Test
    void mistake_hasStatusTwoAndChangesNothing() throws IOException {
        keepTwo();
        for (List<String> mistake : List.of(
                List.<String>of(),
                List.of("delete"),
                List.of("delete", "--older-than", "soon"),
                List.of("show", "000000000003"),
                List.of("show", "../../etc/passwd"),
                List.of("delete", OLD, "nonsense"),
                List.of("release", "000000000003"),
                List.of("release", OLD, "--to", "<b@to.example>"),
                List.of("release"))) {
            Invocation invocation = run(mistake.toArray(String[]::new));
            assertEquals(ExitStatus.MISTAKE, invocation.status(), mistake::toString);
            assertFalse(invocation.err().isEmpty(), mistake::toString);
            assertEquals(2, run("list").lines().size(), mistake::toString);
        }
    }
}
