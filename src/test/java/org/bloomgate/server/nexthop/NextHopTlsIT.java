package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.smtp.BytesInMemory;
import org.bloomgate.server.smtp.ScriptedNextHop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class NextHopTlsIT {
    private static final String OFFER = """
        > 220 mx.example
        < EHLO gate.example
        > 250-mx.example
        > 250 STARTTLS
        """;
    private static final String START = OFFER + """
        < STARTTLS
        > 220 go
        """;
    private static final String MESSAGE = """
        < MAIL FROM:<a@from.example>
        > 250 ok
        < RCPT TO:<b@to.example>
        > 250 ok
        < DATA
        > 354 go
        < x
        < .
        > 250 queued
        """;
    private static final String ENCRYPTED = START + """
        ! tls
        < EHLO gate.example
        > 250-mx.example
        > 250 DSN
        """ + MESSAGE;
    private static final String REFUSED = START + "! tls refused\n";
    private static final String UNREACHABLE = "451 4.4.1 Next hop not reachable, try again later\r\n";
    private static final String OUT_OF_PROTOCOL = "451 4.3.0 Next hop out of protocol, try again later\r\n";

    @TempDir
    Path folder;

    @Test
    void aTrustedCertificateForTheHostIsRequired() throws Exception {
        assertEquals("250 queued\r\n", replyOf(ENCRYPTED, NextHopTls.REQUIRED, trusted(), "127.0.0.1"));
    }

    @Test
    void aCertificateForAnotherHostIsRefused() throws Exception {
        assertEquals(UNREACHABLE, replyOf(REFUSED, NextHopTls.REQUIRED, trusted(), "localhost"));
    }

    @Test
    void aCertificateNobodyTrustsIsRefused() throws Exception {
        assertEquals(UNREACHABLE, replyOf(REFUSED, NextHopTls.REQUIRED, Optional.empty(), "127.0.0.1"));
    }

    @Test
    void requiredTlsThatIsNotOfferedStopsTheMail() throws Exception {
        String clear = OFFER.replace("STARTTLS", "DSN") + "! gone\n";
        assertEquals(UNREACHABLE, replyOf(clear, NextHopTls.REQUIRED, trusted(), "127.0.0.1"));
    }

    @Test
    void opportunisticTlsTakesAnyCertificate() throws Exception {
        assertEquals("250 queued\r\n", replyOf(ENCRYPTED, NextHopTls.OPPORTUNISTIC, Optional.empty(), "127.0.0.1"));
    }

    @Test
    void opportunisticTlsTriesOnceMoreInTheClearWhenTheOfferIsRefused() throws Exception {
        String refused = OFFER + "< STARTTLS\n> 454 4.7.0 TLS not available\n! gone\n! accept\n" + OFFER + MESSAGE;
        assertEquals("250 queued\r\n", replyOf(refused, NextHopTls.OPPORTUNISTIC, Optional.empty(), "127.0.0.1"));
    }

    @Test
    void opportunisticTlsTriesOnceMoreInTheClearWhenTheHandshakeFails() throws Exception {
        String broken = START + "! close\n! accept\n" + OFFER + MESSAGE;
        assertEquals("250 queued\r\n", replyOf(broken, NextHopTls.OPPORTUNISTIC, Optional.empty(), "127.0.0.1"));
    }

    @Test
    void requiredTlsDoesNotGoWithout() throws Exception {
        assertEquals(UNREACHABLE, replyOf(START + "! close\n", NextHopTls.REQUIRED, trusted(), "127.0.0.1"));
    }

    @Test
    void opportunisticTlsGoesWithoutWhenNotOffered() throws Exception {
        String clear = OFFER.replace("STARTTLS", "DSN") + MESSAGE;
        assertEquals("250 queued\r\n", replyOf(clear, NextHopTls.OPPORTUNISTIC, Optional.empty(), "127.0.0.1"));
    }

    @Test
    void withoutTlsAnOfferIsLeftAlone() throws Exception {
        assertEquals("250 queued\r\n", replyOf(OFFER + MESSAGE, NextHopTls.NONE, Optional.empty(), "127.0.0.1"));
    }

    /// Anyone who stands between could else have its plain text taken for the next hop's.
    @ParameterizedTest
    @EnumSource(
            value = NextHopTls.class,
            names = {"OPPORTUNISTIC", "REQUIRED"})
    void aReplyBehindTheOneToStarttlsIsOutOfProtocol(NextHopTls tls) throws Exception {
        String injected = OFFER + """
            < STARTTLS
            > 220 go\\r\\n250 injected
            ! gone
            """;
        assertEquals(OUT_OF_PROTOCOL, replyOf(injected, tls, trusted(), "127.0.0.1"));
    }

    @Test
    void aCaFileThatIsMissingOrEmptyIsNamed() throws IOException {
        Path missing = folder.resolve("missing.pem");
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        for (Path file : List.of(missing, empty)) {
            NextHopOptions options = options(NextHopTls.REQUIRED, Optional.of(file));
            String message = assertThrows(IOException.class, () -> NextHops.open("smtp://127.0.0.1:1", options))
                    .toString();
            assertTrue(message.contains(file.toString()), message);
        }
    }

    private static String replyOf(String script, NextHopTls tls, Optional<Path> caFile, String host) throws Exception {
        try (ScriptedNextHop server = new ScriptedNextHop(script.lines().toList())) {
            NextHopAddress.Servers servers = new NextHopAddress.Servers(
                    NextHopDialect.SMTP, List.of(InetSocketAddress.createUnresolved(host, server.port())));
            Reply reply;
            try (NextHop nextHop = new SmtpNextHop(servers, options(tls, caFile))) {
                reply = send(nextHop);
            }
            server.assertPlayed();
            return reply.toWire();
        }
    }

    private static Reply send(NextHop nextHop) {
        ClientIdentity client = new ClientIdentity("192.0.2.1", 4321, "", "client.example", "ESMTP");
        try (NextHopTransaction transaction = nextHop.begin(client)) {
            transaction.mail("FROM:<a@from.example>");
            transaction.rcpt("TO:<b@to.example>");
            return transaction.data(new byte[0], new BytesInMemory("x\r\n"));
        }
    }

    private static NextHopOptions options(NextHopTls tls, Optional<Path> caFile) {
        return new NextHopOptions(
                "gate.example",
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                1,
                tls,
                caFile,
                true,
                true,
                NextHopOptions.Timeouts.defaults());
    }

    private static Optional<Path> trusted() throws URISyntaxException {
        return Optional.of(
                Path.of(NextHopTlsIT.class.getResource("/tls/next-hop.pem").toURI()));
    }
}
