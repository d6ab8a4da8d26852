package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.app.gateway.wiring.Reload;
import org.bloomgate.lookup.dns.ScriptedDnsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A feed that a zone on a loopback server confirms, through commands and a running gateway.
@Timeout(60)
class ZoneConfirmationIT extends CliRig {
    private static final String ZONE = "dbl.example";
    private static final String CONFIRMED =
            "confirm: dns, zone: dbl.example, answers: { 127.0.0.2: phishing, 127.0.0.4: malware }";

    private ScriptedDnsServer server;

    @BeforeEach
    void build() throws Exception {
        server = new ScriptedDnsServer(ZONE);
        server.lists("bad.example", "127.0.0.2");
        server.lists("odd.example", "192.0.2.1");
        write(
                "bloomgate.yaml",
                GATEWAY
                        + "exact: { deadline: 10s, dns: { resolvers: [\"RESOLVER\"] } }"
                                .replace("RESOLVER", server.address()));
        write("domains.txt", "bad.example\ndelisted.example\nodd.example\n");
        feed(CONFIRMED);
        done("rebuild");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private void feed(String confirmation) throws Exception {
        write("feeds.yaml", """
                feeds:
                  - { name: dbl, kind: domain, format: lines, category: spam, source: "FOLDER/domains.txt",
                      CONFIRMATION }
                """.replace("CONFIRMATION", confirmation));
    }

    @Test
    void check_distinguishesConfirmedDelistedAndUnresolved() {
        Invocation listed = run("check", "domain", "www.bad.example");
        assertEquals(ExitStatus.LISTED, listed.status(), listed::toString);
        assertTrue(listed.mentions("dbl (phishing) bad.example"), listed::toString);
        Invocation delisted = run("check", "domain", "delisted.example");
        assertEquals(ExitStatus.FINE, delisted.status(), delisted::toString);
        Invocation odd = run("check", "domain", "odd.example");
        assertEquals(ExitStatus.UNKNOWN, odd.status(), odd::toString);
        assertTrue(odd.mentions("192.0.2.1"), odd::toString);
    }

    @Test
    void explain_showsQueryAndAnswer() {
        String text = run("explain", "www.bad.example").out();
        assertTrue(
                text.contains("zone dbl.example queried for bad.example.dbl.example: 127.0.0.2 (TTL 60 s); feed dbl:"
                        + " listed as phishing"),
                text);
        String object = run("explain", "--json", "delisted.example").out();
        assertTrue(object.contains("\"question\":\"delisted.example.dbl.example\""), object);
        assertTrue(object.contains("\"meaning\":\"not listed\""), object);
        assertFalse(run("explain", "good.example").out().contains("asked for"));
    }

    @Test
    void invalidConfirmation_isNamedWithItsLine() throws Exception {
        feed("confirm: dns,\n answers: { 10.0.0.1: phishing }");
        Invocation refused = run("config", "check");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        String file = folder.resolve("feeds.yaml").toString();
        assertTrue(refused.mentions(file + ":2: feeds[0].zone: confirm dns needs the name"), refused::toString);
        assertTrue(refused.mentions(file + ":4: feeds[0].answers: 10.0.0.1 is not an address"), refused::toString);
        assertEquals(ExitStatus.MISTAKE, run("check", "domain", "bad.example").status());
    }

    @Test
    void listingsWithoutFeedsFile_needNoConfirmation() throws Exception {
        Files.delete(folder.resolve("feeds.yaml"));
        assertEquals(
                ExitStatus.LISTED, run("check", "domain", "delisted.example").status());
    }

    @Test
    void untrustedZone_isReportedUntilReloadedWithoutIt() throws Exception {
        server.lists("invalid", "127.0.0.2");
        ConfigurationSource source = new ConfigurationSource(file(), Map.of());
        try (Gateway gateway = Gateway.start(source.read())) {
            String unresolved = check(gateway, "bad.example");
            assertTrue(unresolved.contains("\"verdict\":\"unresolved\""), unresolved);
            String ready = get(gateway, "/health/ready");
            assertTrue(ready.contains("\"layer\":\"zone dbl.example\""), ready);
            assertTrue(ready.contains("zone-self-test: INVALID is answered [127.0.0.2]"), ready);
            String metrics = get(gateway, "/metrics");
            assertTrue(metrics.contains("bloomgate_zone_trusted{zone=\"dbl.example\"} 0.0"), metrics);

            feed("confirm: none");
            new Reload(source, gateway).now();
            assertTrue(check(gateway, "delisted.example").contains("\"verdict\":\"listed\""));
            assertFalse(get(gateway, "/health/ready").contains("zone"));
            assertFalse(get(gateway, "/metrics").contains("bloomgate_zone"));
        }
    }

    @Test
    void queriesAndAnswers_areCounted() throws Exception {
        ConfigurationSource source = new ConfigurationSource(file(), Map.of());
        try (Gateway gateway = Gateway.start(source.read())) {
            for (String domain :
                    List.of("bad.example", "bad.example", "delisted.example", "odd.example", "good.example")) {
                check(gateway, domain);
            }
            String metrics = get(gateway, "/metrics");
            for (String line : List.of(
                    "bloomgate_zone_trusted{zone=\"dbl.example\"} 1.0",
                    "bloomgate_zone_questions_total{zone=\"dbl.example\"} 3.0",
                    "bloomgate_zone_answers_total{result=\"listed\",zone=\"dbl.example\"} 1.0",
                    "bloomgate_zone_answers_total{result=\"not-listed\",zone=\"dbl.example\"} 1.0",
                    "bloomgate_zone_answers_total{result=\"unknown\",zone=\"dbl.example\"} 1.0",
                    "bloomgate_zone_latency_seconds_count{zone=\"dbl.example\"} 3")) {
                assertTrue(metrics.contains(line), () -> line + " is not in\n" + metrics);
            }
        }
    }

    private static String check(Gateway gateway, String domain) throws Exception {
        String body = "{\"items\":[{\"kind\":\"domain\",\"value\":\"" + domain + "\"}]}";
        return send(HttpRequest.newBuilder(uri(gateway, "/v1/check"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static String get(Gateway gateway, String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(gateway, path)));
    }

    private static URI uri(Gateway gateway, String path) {
        return URI.create(gateway.readyLine().replaceAll(".*\\bhttp=(\\S+).*", "http://$1") + path);
    }

    private static String send(HttpRequest.Builder request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
