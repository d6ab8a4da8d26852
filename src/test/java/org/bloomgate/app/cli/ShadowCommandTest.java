package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShadowCommandTest extends CliRig {
    private static final String LISTED =
            "{\"kind\":\"domain\",\"value\":\"h.example\",\"where\":\"link\",\"verdict\":\"listed\",\"key\":\"h.example\","
                    + "\"feed\":\"%s\",\"category\":\"%s\"}";

    private final Instant now = Instant.now();
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void configure() throws IOException {
        write("bloomgate.yaml", STORES);
        Files.createDirectories(folder.resolve("decisions"));
    }

    private Invocation runOverJournal(String... arguments) throws IOException {
        Files.write(folder.resolve("decisions").resolve(LocalDate.ofInstant(now, ZoneOffset.UTC) + ".jsonl"), lines);
        return run(arguments);
    }

    /// @param rest of the fields, each behind a comma
    private void decided(String from, String action, String enforced, String found, String rest) {
        decided("192.0.2.1", from, action, enforced, found, rest);
    }

    private void decided(String client, String from, String action, String enforced, String found, String rest) {
        String token = "%012d".formatted(lines.size());
        lines.add("""
                {"time":"%s","token":"%s","client":"%s","helo":"h","tls":"","mailFrom":"%s","recipients":["to@d.example"],\
                "refused":[],"subject":"Hello","sizeBytes":1,"keys":1,"suspects":1,"found":[%s],"limits":[],"verdict":"%s",\
                "action":"%s","enforced":"%s"%s,"reply":"","nextHopReply":"","snapshot":"g","millis":{}}""".formatted(
                        now, token, client, from, found, found.isEmpty() ? "clean" : "listed", action, enforced, rest));
    }

    private void clean(String domain, int times) {
        for (int i = 0; i < times; i++) {
            decided("192.0." + i + ".1", "a@" + domain, "pass", "pass", "", "");
        }
    }

    private void shadowed(String domain, String action) {
        decided(
                "b@" + domain,
                action,
                "pass",
                LISTED.formatted("one", "phishing"),
                ",\"feed\":\"one\",\"category\":\"phishing\",\"value\":\"h.example\"");
    }

    private JsonNode report(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("shadow", "--json"));
        arguments.addAll(List.of(more));
        Invocation done = runOverJournal(arguments.toArray(String[]::new));
        assertEquals(ExitStatus.FINE, done.status(), done.err());
        return new JsonMapper().readTree(done.out());
    }

    private static List<String> rows(JsonNode rows, String name) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.get(name).asText() + " " + row.get("messages"))
                .toList();
    }

    @Test
    void shadowActions_areCountedByFeedCategoryAndSender() throws IOException {
        shadowed("bad.example", "reject");
        shadowed("bad.example", "tag");
        decided("", "defer", "pass", "", "");
        decided(
                "c@worse.example",
                "pass",
                "pass",
                LISTED.formatted("two", "spam") + "," + LISTED.formatted("three", "tracking"),
                ",\"would\":{\"two\":\"reject\",\"three\":\"pass\"}");
        decided("d@bad.example", "reject", "reject", LISTED.formatted("one", "phishing"), ",\"feed\":\"one\"");
        clean("bad.example", 3);

        JsonNode report = report();
        assertEquals(8, report.get("mails").asInt());
        assertEquals(
                "2 1 1",
                String.join(
                        " ",
                        Stream.of("reject", "tag", "defer")
                                .map(action -> report.at("/messages/" + action).asText())
                                .toList()));
        assertEquals(
                List.of("one {\"reject\":1,\"tag\":1}", " {\"defer\":1}", "two {\"reject\":1}"),
                rows(report.get("feeds"), "name"));
        assertEquals(
                List.of("phishing {\"reject\":1,\"tag\":1}", " {\"defer\":1}", "spam {\"reject\":1}"),
                rows(report.get("categories"), "name"));
        assertEquals(
                List.of("bad.example {\"reject\":1,\"tag\":1}", " {\"defer\":1}", "worse.example {\"reject\":1}"),
                rows(report.get("senders"), "domain"));
        assertEquals(6, report.at("/senders/0/mails").asInt());
        assertEquals(3, report.at("/senders/0/clean").asInt());
        assertTrue(report.get("honest").isEmpty(), "three clean mails make nobody honest");
    }

    @Test
    void sendersOfCleanMail_areReportedAsHonest() throws IOException {
        clean("partner.example", 10);
        shadowed("partner.example", "tag");
        shadowed("partner.example", "reject");
        shadowed("partner.example", "tag");
        clean("tagged.example", 20);
        shadowed("tagged.example", "tag");
        clean("few.example", 9);
        shadowed("few.example", "reject");
        clean("mixed.example", 10);
        for (int i = 0; i < 10; i++) {
            shadowed("mixed.example", "quarantine");
        }
        JsonNode report = report();
        assertEquals(List.of("partner.example {\"reject\":1,\"tag\":2}"), rows(report.get("honest"), "domain"));
        assertEquals("b@partner.example", report.at("/honest/0/newest/mailFrom").asText());
        assertEquals("reject", report.at("/honest/0/newest/action").asText());
        assertEquals(1, report("--limit", "1").get("senders").size());

        Invocation text = runOverJournal("shadow");
        assertTrue(text.out().startsWith("would have: quarantine 10, reject 2, tag 3\n"), text.out());
        assertTrue(text.out().contains("looks honest     tag  reject  messages  clean\n"), text.out());
        assertTrue(text.out().contains("would reject  <b@partner.example> to to@d.example  Hello"), text.out());
        assertEquals("bloomgate: %,d messages since then\n".formatted(lines.size()), text.err());
    }

    @Test
    void cleanMailOfOneClientNetworkToOneRecipient_countsOnce() throws IOException {
        for (int i = 0; i < 200; i++) {
            decided("198.51.100." + i, "a@own.example", "pass", "pass", "", "");
        }
        shadowed("own.example", "reject");
        clean("own.example", 8);
        assertEquals(List.of(), rows(report().get("honest"), "domain"));
        decided("198.51.101.1", "a@own.example", "pass", "pass", "", "");
        assertEquals(List.of("own.example {\"reject\":1}"), rows(report().get("honest"), "domain"));
    }

    @Test
    void noShadowActions_giveAnEmptyReport() throws IOException {
        clean("partner.example", 1);
        assertEquals("nothing would have been done\n", runOverJournal("shadow").out());
        assertEquals(
                ExitStatus.MISTAKE, runOverJournal("shadow", "--limit", "0").status());
    }
}
