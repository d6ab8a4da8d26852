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
