package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.server.milter.MilterClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Networks from a feed and from operators to what is said of addresses, links, clients, and mail of before.
@Timeout(60)
class NetworkJourneyIT extends CliRig {
    @BeforeEach
    void rebuild() throws IOException {
        configure(
                GATEWAY + "milter: { listen: \"127.0.0.1:0\" }",
                "name: nets, kind: network, format: cidr, source: FOLDER/nets.txt, category: botnet");
        write("nets.txt", "11.22.33.0/24\n2a02:cafe:1::/48\n");
        done("rebuild");
    }

    /// As itself, mapped (RFC 4291 2.5.5.2), by 6to4 (RFC 3056) and by NAT64 (RFC 6052).
    @Test
    void address_isListedInEveryNotation() {
        for (String listed : List.of(
                "11.22.33.0",
                "11.22.33.255",
                "::ffff:11.22.33.44",
                "::ffff:b16:212c",
                "2002:b16:212c::1",
                "64:ff9b::b16:212c",
                "2a02:cafe:1:ffff:ffff:ffff:ffff:ffff")) {
            Invocation checked = run("check", "network", listed, "--json");
            assertEquals(ExitStatus.LISTED, checked.status(), listed);
            String range = listed.startsWith("2a02") ? "2a02:cafe:1::/48" : "11.22.33.0/24";
            assertTrue(checked.out().contains("\"key\":\"" + range + "\""), checked::out);
        }
        for (String clean : List.of(
                "11.22.32.255", "11.22.34.0", "::11.22.33.44", "64:ff9b:1::b16:212c", "2a02:cafe:2::", "2a02:cafe::")) {
            assertEquals(ExitStatus.FINE, run("check", "network", clean).status(), clean);
        }
        for (String wrong : List.of("11.22.33", "11.22.33.0/24", "host.example", "011.22.33.44", "11.22.33.44%eth0")) {
            assertEquals(ExitStatus.MISTAKE, run("check", "network", wrong).status(), wrong);
        }
    }

    @Test
    void listedAddress_isFoundAsLinkAndAsClient() throws IOException {
        Path linking = mail("http://11.22.33.44/x");
        Path other = mail("http://11.22.34.44/x");
        assertEquals(ExitStatus.LISTED, run("scan", linking.toString()).status());
        assertEquals(ExitStatus.FINE, run("scan", other.toString()).status());
        Invocation client = run("scan", other.toString(), "--client", "2a02:cafe:1::25", "--json");
        assertEquals(ExitStatus.LISTED, client.status());
        assertTrue(client.out().contains("\"where\":\"client\""), client::out);
        assertEquals(
                ExitStatus.FINE,
                run("scan", other.toString(), "--client", "2a02:cafe:2::25").status());
    }

    private Path mail(String text) throws IOException {
        Path file = Files.createTempFile(folder, "mail", ".eml");
        return Files.writeString(file, "From: <a@from.example>\r\nSubject: x\r\n\r\n" + text + "\r\n");
    }

    @Test
    void operatorEntries_listAndExceptNetworks() {
        assertEquals(
                ExitStatus.FINE,
                run("listing", "add", "network", "12.34.0.0/16", "--category", "spam")
                        .status());
        assertEquals(
                ExitStatus.FINE,
                run("exception", "add", "network", "12.34.56.0/24", "--reason", "ours")
                        .status());
        assertEquals(
                ExitStatus.FINE,
                run("exception", "add", "network", "11.22.33.44", "--reason", "ours")
                        .status());
        assertEquals(
                ExitStatus.LISTED,
                run("check", "network", "12.34.57.1", "11.22.33.45").status());
        assertEquals(
                ExitStatus.FINE,
                run("check", "network", "12.34.56.1", "11.22.33.44").status());
        for (String never :
                List.of("10.1.2.0/24", "127.0.0.1", "0.0.0.0/0", "12.0.0.0/7", "12.34.56.1/24", "fe80::1")) {
            assertEquals(
                    ExitStatus.MISTAKE,
                    run("listing", "add", "network", never, "--category", "spam")
                            .status(),
                    never);
        }
    }

    @Test
    void retro_findsMessagesOfAClientListedLater() throws Exception {
        try (Gateway gateway = startGateway()) {
            int port = Integer.parseInt(gateway.readyLine().replaceAll(".*\\bmilter=127\\.0\\.0\\.1:(\\d+).*", "$1"));
            for (String client : List.of("13.1.2.3", "13.1.3.3", "2a02:beef::25")) {
                try (MilterClient mailServer = MilterClient.connect(port)) {
                    mailServer.greet(client, "client.example");
                    assertEquals(
                            "c",
                            mailServer
                                    .mail("a@from.example", List.of("b@to.example"), "Subject: x\r\n\r\nx\r\n")
                                    .last());
                    mailServer.quit();
                }
            }
        }
        assertEquals(ExitStatus.FINE, run("retro").status());
        Files.writeString(folder.resolve("nets.txt"), "13.1.2.0/24\n2a02:beef::/32\n");
        Invocation rebuilt = run("rebuild");
        assertEquals(ExitStatus.FINE, rebuilt.status());
        Invocation retro = run("retro");
        assertEquals(ExitStatus.LISTED, retro.status(), () -> rebuilt.toString() + retro);
        assertEquals(2, retro.lines().size(), retro::out);
        assertTrue(retro.out().contains("(nets lists 13.1.2.0/24 since "), retro::out);
        assertTrue(retro.err().contains("2 of 3 messages"), retro::err);
        assertEquals(
                1,
                run("retro", "--kind", "network", "--value", "13.1.3.3").lines().size());
    }
}
