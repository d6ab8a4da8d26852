package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.server.spool.ReceivedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceivedFieldTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void theFieldIsThatOfRfc5321() {
        assertEquals("""
                Received: from client.example ([192.0.2.7])
                \tby relay.example with ESMTP id TOKEN
                \tfor <b@to.example>;
                \tFri, 2 Jan 2026 03:04:05 +0000
                """.replace("\n", "\r\n"), field(client("192.0.2.7", "client.example", true, ""), "b@to.example"));
    }

    @Test
    void severalRecipientsDoNotLearnOfEachOther() {
        assertEquals(
                """
                Received: from client.example ([192.0.2.7])
                \tby relay.example with ESMTP id TOKEN;
                \tFri, 2 Jan 2026 03:04:05 +0000
                """.replace("\n", "\r\n"),
                field(client("192.0.2.7", "client.example", true, ""), "b@to.example", "c@to.example"));
    }

    @ParameterizedTest
    @CsvSource({"my_host,my_host", "[192.0.2.9],[192.0.2.9]", "(comment,[192.0.2.7]", "a;b,[192.0.2.7]"})
    void aNameThatIsNoneIsReplacedByTheAddress(String helo, String shown) {
        String field = field(client("192.0.2.7", helo, true, ""), "b@to.example");
        assertEquals(
                "Received: from " + shown + " ([192.0.2.7])",
                field.lines().findFirst().orElseThrow());
    }

    @Test
    void anIpv6ClientHasItsPrefix() {
        String field = field(client("2001:db8::1", "client.example", true, ""), "b@to.example");
        assertEquals(
                "Received: from client.example ([IPv6:2001:db8:0:0:0:0:0:1])",
                field.lines().findFirst().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "false,'',false,SMTP",
        "true,'',false,ESMTP",
        "true,TLSv1.3,false,ESMTPS",
        "true,'',true,UTF8SMTP",
        "true,TLSv1.3,true,UTF8SMTPS"
    })
    void theProtocolIsThatOfRfc3848AndRfc6531(boolean extended, String tls, boolean smtpUtf8, String protocol) {
        assertEquals(
                protocol, client("192.0.2.7", "client.example", extended, tls).protocol(smtpUtf8));
    }

    private static Client client(String address, String helo, boolean extended, String tls) {
        Peer peer = new Peer(IpLiteral.parse(address), 4321, "");
        return new Client(peer, helo, extended, tls, Optional.empty(), ResultsSource.STRANGER);
    }

    private static String field(Client client, String... recipients) {
        List<String> paths =
                List.of(recipients).stream().map(path -> "<" + path + ">").toList();
        return ReceivedField.format(client.origin(false), paths, "relay.example", "TOKEN", NOW);
    }
}
