package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.server.quarantine.Quarantine;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.quarantine.QuarantineEnvelope.Recipient;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the milter puts into the quarantine; its answers are in the dialogues.
@Timeout(20)
class MilterQuarantineIT {
    private static final String RULES = "policy: { recipients: { lists.example: { listed: tag } } }";

    @TempDir
    private Path folder;

    private List<QuarantinedMessage> kept() throws IOException {
        return new Quarantine(folder.resolve("quarantine")).list();
    }

    private static void to(MilterClient client, String parameters, String... recipients) throws IOException {
        client.greet("192.0.2.7", "mx.from.example");
        client.send('M', "<a@from.example>\0SIZE=99\0" + parameters);
        client.read();
        for (String recipient : recipients) {
            client.send('R', recipient + "\0");
            client.read();
        }
        client.send('L', "Subject\0 hello\n again\0");
        client.send('L', "x-bloomgate-verdict\0 clean\0");
        client.send('B', "see http://listed.example/\r\n");
        client.send('D', "Ei\0" + "4XYZ\0");
        client.send('E', "");
    }

    @Test
    void messageIsKeptAsReceivedBelowTraceAndTags() throws Exception {
        try (MilterWorld world = new MilterWorld(folder, RULES);
                MilterClient client = world.connect()) {
            to(client, "body=8bitmime\0RET=HDRS\0SMTPUTF8\0", "<b@to.example>", "<c@lists.example>", "<d@to.example>");
            assertEquals("m\0\0\0\1x-bloomgate-verdict\0\0", client.read());
            assertEquals("-<b@to.example>\0", client.read());
        }
        QuarantinedMessage message = kept().getFirst();
        String token = message.token();
        assertEquals("""
                Received: from mx.from.example (client.example [192.0.2.7])
                \tby localhost id TOKEN;
                \tFri, 2 Jan 2026 03:04:05 +0000
                X-Bloomgate-Verdict: listed
                X-Bloomgate-Token: TOKEN
                X-Bloomgate-Reason: listed at text, recipients differ
                X-Bloomgate-Category: phishing
                Subject: hello
                 again

                see http://listed.example/
                """.replace("\n", "\r\n").replace("TOKEN", token), Files.readString(message.file(), ISO_8859_1));
        QuarantineEnvelope envelope = message.envelope().orElseThrow();
        assertEquals("FROM:<a@from.example> BODY=8BITMIME SMTPUTF8", envelope.mail());
        assertEquals(
                List.of(
                        new Recipient("b@to.example", "TO:<b@to.example>"),
                        new Recipient("d@to.example", "TO:<d@to.example>")),
                envelope.recipients());
        assertEquals(
                new ClientIdentity("192.0.2.7", 49_152, "client.example", "mx.from.example", "", "4XYZ", "REMOTE"),
                envelope.client());
    }

    @Test
    void messageThatCannotBeKept_isDeferred() throws Exception {
        Files.writeString(folder.resolve("quarantine"), "a file");
        try (MilterWorld world = new MilterWorld(folder, RULES);
                MilterClient client = world.connect()) {
            to(client, "", "<b@to.example>", "<c@lists.example>");
            assertEquals("y451 4.3.0 Local error in processing\0", client.read());
            client.quit();
            world.stop();
            assertEquals("4XYZ", world.decisions.getFirst().processing().nextHopId());
            assertEquals(0, world.listed.openLeases());
            assertTrue(world.memory.take(MilterWorld.MEMORY), "all memory was given back");
        }
    }
}
