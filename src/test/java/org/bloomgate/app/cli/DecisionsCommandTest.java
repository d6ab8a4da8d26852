package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `decisions` for a reader: a line each, with the reply where the mail was not taken.
class DecisionsCommandTest {
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    @TempDir
    private Path folder;

    private List<String> told(String action, String recipients, String refused, String reply, String... queried)
            throws IOException {
        Files.writeString(folder.resolve(LocalDate.ofInstant(now, ZoneOffset.UTC) + ".jsonl"), """
                {"time":"%s","token":"0123456789AB","client":"192.0.2.7","helo":"mail.example","tls":"",\
                "mailFrom":"a@sender.example","recipients":[%s],"refused":[%s],"subject":"Hello","sizeBytes":9,\
                "keys":1,"suspects":0,"found":[],"limits":[],"verdict":"clean","action":"%s","enforced":"%s",\
                "reply":"%s","nextHopReply":"%s","snapshot":"","millis":{}}
                """.formatted(
                        now, recipients, refused, action, action, reply, reply));
        List<String> all = new ArrayList<>(List.of("decisions", "--set", "journal.directory=" + folder));
        all.addAll(List.of(queried));
        Invocation found = Invocation.of("", all);
        assertEquals(ExitStatus.FINE, found.status(), found::err);
        return found.lines().stream()
                .map(line -> line.replace(now.toString(), "TIME"))
                .toList();
    }

    @Test
    void mailThatWasTakenIsToldWithoutItsReply() throws IOException {
        assertEquals(
                List.of("TIME  0123456789AB  pass        <a@sender.example> to b@rcpt.example  Hello"),
                told("pass", "\"b@rcpt.example\"", "", "250 2.0.0 Ok: queued"));
    }

    @Test
    void mailThatTheNextHopRefusedIsToldWithItsReply() throws IOException {
        assertEquals(
                List.of("TIME  0123456789AB  pass        <a@sender.example> to b@rcpt.example  Hello"
                        + "  reply 552 5.2.2 Mailbox full"),
                told("pass", "\"b@rcpt.example\"", "", "552 5.2.2 Mailbox full"));
        assertEquals(
                List.of("TIME  0123456789AB  tag         <a@sender.example> to b@rcpt.example  Hello"
                        + "  reply 451 4.4.2 \\u001b[2J"),
                told("tag", "\"b@rcpt.example\"", "", "451 4.4.2 \\u001b[2J"));
    }

    @Test
    void aRecipientWhoWasRefusedIsFoundAndNamed() throws IOException {
        String refused = "\"gone@dest.example: 550 5.1.1 No such user\"";
        String gone = "gone@dest.example (refused: 550)";
        for (String by : List.of("gone@dest.example", "dest.example")) {
            assertEquals(
                    List.of("TIME  0123456789AB  none        <a@sender.example> to " + gone
                            + "  Hello  reply 550 5.1.1 No such user"),
                    told("none", "", refused, "550 5.1.1 No such user", "--rcpt-to", by));
        }
        assertEquals(
                List.of("TIME  0123456789AB  pass        <a@sender.example> to b@rcpt.example, " + gone + "  Hello"),
                told("pass", "\"b@rcpt.example\"", refused, "250 2.0.0 Ok"));
    }
}
