package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.smtp.BytesInMemory;
import org.bloomgate.server.smtp.ScriptedNextHop;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Plays every file of `dialogues/nexthop` over a real socket.
class NextHopDialogueIT {
    private static final ClientIdentity CLIENT = new ClientIdentity("192.0.2.1", 4321, "", "client.example", "ESMTP");

    static Stream<Path> dialogues() throws IOException, URISyntaxException {
        Path folder = Path.of(
                NextHopDialogueIT.class.getResource("/dialogues/nexthop").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    @Timeout(30)
    void theDialogueGoesAsWritten(Path file) throws Exception {
        NextHopScript script = NextHopScript.read(file);
        try (ScriptedNextHop server = new ScriptedNextHop(script.server())) {
            try (NextHop nextHop = nextHop(script, server.port())) {
                walk(script, nextHop);
            } catch (AssertionError unexpected) {
                server.failure().ifPresent(unexpected::addSuppressed);
                throw unexpected;
            }
            server.assertPlayed();
        }
    }

    /// Each reply of an LMTP server for each of three recipients.
    static Stream<String> lmtpReplies() {
        List<String> replies = List.of("250 2.0.0 ok", "452 4.2.2 full", "552 5.2.2 too large");
        return replies.stream()
                .flatMap(a -> replies.stream().flatMap(b -> replies.stream().map(c -> a + "|" + b + "|" + c)));
    }

    /// Only what all recipients got is final for the client; after other replies each recipient is alone.
    @ParameterizedTest
    @MethodSource("lmtpReplies")
    @Timeout(30)
    void lmtpReply_isFinalOnlyForAll(String replies, @TempDir Path folder) throws Exception {
        List<String> all = List.of(replies.split("\\|"));
        boolean same = all.stream().distinct().count() == 1;
        String expected = same
                ? all.getFirst()
                : all.stream()
                        .filter(reply -> reply.startsWith("4"))
                        .findFirst()
                        .orElse("451 4.5.3 Refused for some of the recipients (552), try again");
        StringBuilder script =
                new StringBuilder("lmtp\n> 220 mx.example LMTP\n< LHLO gate.example\n> 250 mx.example\n");
        envelope(script, 3);
        script.append("= DATA x\\r\\n -> ").append(expected).append("\n< DATA\n> 354 go ahead\n< x\n< .\n");
        all.forEach(reply -> script.append("> ").append(reply).append('\n'));
        script.append("= CLOSE\n");
        if (!expected.startsWith("2")) {
            script.append("< RSET\n> 250 2.0.0 ok\n");
        }
        envelope(script, same ? 3 : 1);
        if (!same) {
            script.append("= RCPT TO:<1@to.example> -> 452 4.5.3 Too many recipients\n");
        }
        theDialogueGoesAsWritten(Files.writeString(folder.resolve("lmtp.txt"), script));
    }

    private static void envelope(StringBuilder script, int recipients) {
        String ok = "250 2.1.0 ok";
        script.append("= MAIL FROM:<a@from.example> -> " + ok + "\n< MAIL FROM:<a@from.example>\n> " + ok + "\n");
        for (int i = 0; i < recipients; i++) {
            String to = "TO:<" + i + "@to.example>";
            script.append("= RCPT " + to + " -> " + ok + "\n< RCPT " + to + "\n> " + ok + "\n");
        }
    }

    private static void walk(NextHopScript script, NextHop nextHop) {
        NextHopTransaction transaction = nextHop.begin(CLIENT);
        for (NextHopScript.Step step : script.steps()) {
            String at = step.verb() + " " + step.argument();
            switch (step.verb()) {
                case "MAIL" -> assertEquals(step.reply(), text(transaction.mail(step.argument())), at);
                case "RCPT" -> assertEquals(step.reply(), text(transaction.rcpt(step.argument())), at);
                case "DATA" ->
                    assertEquals(
                            step.reply(), text(transaction.data(script.top(), new BytesInMemory(step.argument()))), at);
                case "CLOSE" -> {
                    transaction.close();
                    transaction = nextHop.begin(CLIENT);
                }
                default -> throw new AssertionError("no such step: " + at);
            }
        }
        transaction.close();
    }

    private static String text(Reply reply) {
        return reply.toWire().strip().replace("\r\n", "|");
    }

    private static NextHop nextHop(NextHopScript script, int port) throws IOException {
        NextHopDialect dialect = script.settings().contains("lmtp") ? NextHopDialect.LMTP : NextHopDialect.SMTP;
        Duration patience = Duration.ofSeconds(20);
        return new SmtpNextHop(
                new NextHopAddress.Servers(dialect, List.of(InetSocketAddress.createUnresolved("127.0.0.1", port))),
                new NextHopOptions(
                        "gate.example",
                        script.timeout("connect"),
                        patience,
                        2,
                        NextHopTls.NONE,
                        Optional.empty(),
                        true,
                        !script.settings().contains("chunking off"),
                        new NextHopOptions.Timeouts(
                                patience,
                                script.timeout("rcpt"),
                                script.timeout("data"),
                                patience,
                                script.timeout("dot"))),
                script.recent());
    }
}
