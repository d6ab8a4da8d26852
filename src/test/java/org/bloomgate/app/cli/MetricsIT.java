package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a gateway that has seen mail tells Prometheus, against the table of its metrics and all who use their names.
@Timeout(120)
class MetricsIT {
    private static final Path TABLE = Path.of("docker", "METRICS.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_]+)` \\| (\\w+) \\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\b(?:bloomgate|jvm|process|system)_[a-z_]+\\b");

    /// Made by the scraper itself.
    private static final Pattern OF_PROMETHEUS = Pattern.compile("^up\\b");

    /// Shown from the first time on that there is something to count.
    private static final Set<String> NOT_YET = Set.of(
            "bloomgate_lookup_unknown_reasons_total",
            "bloomgate_trial_messages_total",
            "bloomgate_feed_errors",
            "bloomgate_mirror_answer_age_seconds",
            "bloomgate_mirror_listings_answer_age_seconds",
            "bloomgate_quarantine_oldest_age_seconds",
            "bloomgate_rebuild_last_age_seconds",
            "bloomgate_certificate_left_seconds");

    private enum Part {
        OF_EVERY_GATEWAY,
        WHOLE
    }

    private static Exposition scraped = Exposition.of("");
    private static Exposition scrapedOfFollower = Exposition.of("");
    private static String status = "";
    private static String statusOfFollower = "";

    @BeforeAll
    static void scrapeAGatewayThatHasSeenMail(@TempDir Path folder) throws Exception {
        try (RunningGateway gateway = RunningGateway.start(folder)) {
            assertEquals("250", gateway.link("good.example"));
            assertEquals("550", gateway.link(RunningGateway.LISTED));
            scraped = Exposition.of(get(gateway.http("/metrics")));
            scraped = Exposition.of(get(gateway.http("/metrics")));
            status = get(gateway.http("/v1/status"));
            try (RunningGateway follower = RunningGateway.follow(gateway, Files.createDirectory(folder.resolve("2")))) {
                scrapedOfFollower = Exposition.of(get(follower.http("/metrics")));
                statusOfFollower = get(follower.http("/v1/status"));
            }
        }
    }

    private static String get(URI uri) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    /// Type by name, of the first table or of the ones behind it as well.
    private static Map<String, String> table(Part part) throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        String text = Files.readString(TABLE);
        String read = part == Part.OF_EVERY_GATEWAY ? text.substring(0, text.indexOf("\nWith `exact.store")) : text;
        ROW.matcher(read).results().forEach(row -> types.put(row.group(1), row.group(2)));
        return types;
    }

    @Test
    void theScrapeIsAsPrometheusWantsIt() {
        assertEquals(List.of(), scraped.faults());
        assertEquals(List.of(), scrapedOfFollower.faults());
        assertTrue(scraped.series().size() < 600, () -> scraped.series().size() + " series of one gateway");
    }

    @Test
    void everyMetricIsInTheTableAndEveryRowOfTheTableIsAMetric() throws IOException {
        toldIs(scraped, table(Part.OF_EVERY_GATEWAY));
        Set<String> rest = new TreeSet<>(table(Part.WHOLE).keySet());
        rest.removeAll(scraped.types().keySet());
        rest.removeAll(scrapedOfFollower.types().keySet());
        rest.removeAll(NOT_YET);
        assertEquals(Set.of(), rest, "in " + TABLE + ", but not scraped");
        Set<String> untold = new TreeSet<>(scrapedOfFollower.types().keySet());
        untold.removeIf(name -> !name.startsWith("bloomgate_"));
        untold.removeAll(table(Part.WHOLE).keySet());
        assertEquals(Set.of(), untold, "not in " + TABLE);
    }

    private static void toldIs(Exposition scrape, Map<String, String> told) {
        Map<String, String> ours = new LinkedHashMap<>(scrape.types());
        ours.keySet().removeIf(name -> !name.startsWith("bloomgate_"));
        Set<String> untold = new TreeSet<>(ours.keySet());
        untold.removeAll(told.keySet());
        assertEquals(Set.of(), untold, "not in " + TABLE);
        Set<String> missing = new TreeSet<>(told.keySet());
        missing.removeAll(ours.keySet());
        missing.removeAll(NOT_YET);
        assertEquals(Set.of(), missing, "in " + TABLE + ", but not scraped");
        ours.forEach((name, type) -> assertEquals(type, told.get(name), name));
    }

    @Test
    void countsAreThoseOfTheMail() {
        assertEquals(1.0, value("bloomgate_messages_total{action=\"reject\",verdict=\"listed\"}"));
        assertEquals(1.0, value("bloomgate_messages_total{action=\"pass\",verdict=\"clean\"}"));
        assertEquals(0.0, value("bloomgate_messages_total{action=\"defer\",verdict=\"unresolved\"}"));
        assertEquals(
                1.0, value("bloomgate_feed_messages_total{action=\"reject\",category=\"phishing\",feed=\"test\"}"));
        assertEquals(1.0, value("bloomgate_filter_confirmed_total{kind=\"domain\",layer=\"nightly\"}"));
        assertEquals(1.0, value("bloomgate_feed_entries{feed=\"test\",layer=\"nightly\"}"));
        assertEquals(0.0, value("bloomgate_feed_fallback{feed=\"test\",layer=\"nightly\"}"));
        assertEquals(2.0, value("bloomgate_stage_seconds_count{stage=\"read\"}"));
        assertEquals(0.0, value("bloomgate_reports_total{outcome=\"unproven\"}"));
        double free = value("bloomgate_state_free_bytes");
        assertTrue(free > 0 && free <= value("bloomgate_state_size_bytes"), () -> free + " bytes free");
    }

    @Test
    void status_listsOpenListeners() throws IOException {
        String open = "{\"dns\":{\"connections\":0,\"served\":0},\"milter\":{\"connections\":0,\"served\":0}}";
        assertEquals(
                "{}", new JsonMapper().readTree(status).at("/totals/listeners").toString());
        assertEquals(
                open,
                new JsonMapper()
                        .readTree(statusOfFollower)
                        .at("/totals/listeners")
                        .toString());
    }

    private static double value(String series) {
        Double value = scraped.series().getOrDefault(series, scraped.series().get(series + "{}"));
        assertNotNull(value, () -> "no such series: " + series);
        return value;
    }

    @Test
    void everyPanelOfTheDashboardNamesMetricsThatExist() throws IOException {
        JsonNode dashboard = new JsonMapper()
                .readTree(Path.of("docker", "grafana-dashboard.json").toFile());
        List<String> expressions = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            assertTrue(ids.add(panel.path("id").asInt()), "two panels with one id");
            boolean row = panel.path("type").asText().equals("row");
            assertTrue(
                    row || panel.path("targets").size() > 0, panel.path("title").asText());
            for (JsonNode target : panel.path("targets")) {
                expressions.add(target.path("expr").asText());
                assertEquals("${datasource}", target.at("/datasource/uid").asText());
            }
        }
        assertTrue(dashboard.path("schemaVersion").asInt() >= 38, "Grafana 10");
        assertTrue(expressions.size() > 30, expressions::toString);
        expressions.forEach(MetricsIT::namesWhatExists);
        for (String drawn : List.of(
                "messages_total",
                "stage_seconds_bucket",
                "refuted_total",
                "predicted",
                "reasons_total",
                "snapshot_age",
                "feed_age",
                "smtp_sessions",
                "next_hop_connections",
                "jvm_memory_used_bytes")) {
            assertTrue(expressions.stream().anyMatch(one -> one.contains(drawn)), drawn);
        }
    }

    @Test
    void everyAlertNamesMetricsThatExist() throws IOException {
        JsonNode alerts =
                new YAMLMapper().readTree(Path.of("docker", "alerts.yaml").toFile());
        JsonNode rules = alerts.at("/groups/0/rules");
        assertTrue(rules.size() >= 5);
        for (JsonNode rule : rules) {
            namesWhatExists(rule.path("expr").asText());
            assertTrue(
                    rule.at("/annotations/summary").asText().length() > 20,
                    rule.path("alert").asText());
        }
        JsonNode scrape =
                new YAMLMapper().readTree(Path.of("docker", "prometheus.yaml").toFile());
        assertEquals("bloomgate", scrape.at("/scrape_configs/0/job_name").asText());
    }

    @Test
    void everyAlertLinksToItsParagraph() throws IOException {
        JsonNode rules = new YAMLMapper()
                .readTree(Path.of("docker", "alerts.yaml").toFile())
                .at("/groups/0/rules");
        List<String> alerts = new ArrayList<>();
        for (JsonNode rule : rules) {
            String name = rule.path("alert").asText();
            alerts.add(name);
            assertEquals(
                    "docs/alerts.md#" + name.toLowerCase(Locale.ROOT),
                    rule.at("/annotations/runbook_url").asText());
        }
        List<String> headings = Files.readAllLines(Path.of("docs", "alerts.md")).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
        assertEquals(alerts, headings);
    }

    private static void namesWhatExists(String expression) {
        Set<String> named = new TreeSet<>(
                NAME.matcher(expression).results().map(MatchResult::group).toList());
        assertTrue(!named.isEmpty() || OF_PROMETHEUS.matcher(expression).find(), expression);
        named.removeAll(scraped.names());
        named.removeAll(NOT_YET);
        named.removeAll(scrapedOfFollower.names());
        assertEquals(Set.of(), named, expression);
    }
}
