package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.HistoryLine;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.Staleness;
import org.bloomgate.lists.layer.Staleness.BuiltLayer;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A day of two hourly lists, with a clock that is moved by hand instead of the timer.
class HourlyDayTest {
    private static final String SINCE = "not from the source for 3 cadences: web";

    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));
    private Optional<HttpServer> web = Optional.empty();
    private volatile boolean isAway;

    @BeforeEach
    void newRig() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "web.example\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isAway ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        web = Optional.of(server);
        rig = new RebuildRig(folder).feed("file", KeyKind.DOMAIN, "a.example");
        String source = "http://127.0.0.1:" + server.getAddress().getPort() + "/list";
        rig.feeds.add(Feed.of("web", KeyKind.DOMAIN, FeedFormat.LINES, source));
        rig.feedOption("web", "trusted", true)
                .feedOption("web", "cadence", Cadence.HOURLY)
                .feedOption("file", "cadence", Cadence.HOURLY);
    }

    @AfterEach
    void stop() {
        web.ifPresent(server -> server.stop(0));
    }

    /// What `rebuild --due --layer hourly` does.
    private RebuildOutcome rebuild() throws IOException {
        RebuildReport report = rig.runDue(Cadence.HOURLY);
        if (report.outcome() != RebuildOutcome.NOT_DUE) {
            history().add(HistoryLine.of(report, rig.now));
        }
        return report.outcome();
    }

    private RebuildHistory history() {
        return new RebuildHistory(rig.snapshots);
    }

    private String stale() throws IOException {
        RebuildHistory history = history();
        history.refresh();
        Map<String, String> stale =
                Staleness.find(BuiltLayer.readAll(rig.snapshots), rig.feeds, history.findLastRebuilds(), rig.now);
        assertTrue(stale.isEmpty() || stale.keySet().equals(Map.of("hourly", "").keySet()), stale::toString);
        return stale.getOrDefault("hourly", "");
    }

    @Test
    void hourlyLists_areRebuiltAndStaleWhereTheSourceIsAway() throws Exception {
        assertTrue(stale().startsWith("never built: file, web; no rebuild so far"), this::text);
        Map<Integer, String> staleHours = new TreeMap<>();
        for (int hour = 0; hour < 24; hour++) {
            isAway = hour >= 10 && hour < 18;
            if (hour == 5) {
                rig.content("file", "a.example", "b.example");
            }
            RebuildOutcome outcome = rebuild();
            assertEquals(isAway ? 1 : 0, outcome.exitStatus(), outcome::toString);
            assertEquals(
                    List.of(rig.now),
                    BuiltLayer.readAll(rig.snapshots).values().stream()
                            .map(BuiltLayer::renewedAt)
                            .toList());
            if (!stale().isEmpty()) {
                staleHours.put(hour, stale());
            }
            rig.pass(Duration.ofHours(1));
        }
        assertEquals(Map.of(13, SINCE, 14, SINCE, 15, SINCE, 16, SINCE, 17, SINCE), staleHours);

        Instant last = rig.now.minus(Duration.ofHours(1));
        rig.pass(Duration.ofHours(2));
        assertEquals("", stale(), "three hours without a timer");
        rig.pass(Duration.ofSeconds(1));
        assertEquals(
                "older than 3 cadences, last renewed " + last + "; no rebuild since " + last
                        + ": bloomgate-rebuild@hourly.timer or gateway.rebuild starts them",
                stale());
        assertEquals(RebuildOutcome.UNCHANGED, rebuild());
        assertEquals("", stale());
    }

    /// Without another list nothing renews the layer.
    @Test
    void onlyListAway_makesTheLayerOld() throws Exception {
        rig.feeds.removeIf(feed -> feed.name().equals("file"));
        rebuild();
        isAway = true;
        for (int hour = 0; hour < 5; hour++) {
            rig.pass(Duration.ofHours(1));
            rebuild();
        }
        assertTrue(stale().startsWith("older than 3 cadences, last renewed "), this::text);
        assertTrue(!stale().contains("no rebuild"), this::text);
        isAway = false;
        rig.pass(Duration.ofHours(1));
        rebuild();
        assertEquals("", stale());
    }

    private String text() {
        try {
            return stale();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
