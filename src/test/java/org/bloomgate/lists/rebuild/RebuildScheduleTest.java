package org.bloomgate.lists.rebuild;

import static org.bloomgate.lists.layer.RebuildOutcome.GATE_CLOSED;
import static org.bloomgate.lists.layer.RebuildOutcome.NOT_DUE;
import static org.bloomgate.lists.layer.RebuildOutcome.PUBLISHED;
import static org.bloomgate.lists.layer.RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS;
import static org.bloomgate.lists.layer.RebuildOutcome.UNCHANGED;
import static org.bloomgate.lists.layer.RebuildOutcome.UNCHANGED_WITH_FAILED_FEEDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A clock that is moved by hand stands for the timers.
class RebuildScheduleTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));
    private Optional<HttpServer> web = Optional.empty();
    private int queried;
    private int status = 200;
    private String served = "web.example\n";

    @BeforeEach
    void newRig() throws IOException {
        rig = new RebuildRig(folder);
        rig.feed("list", KeyKind.DOMAIN, "a.example", "b.example");
    }

    @AfterEach
    void stop() {
        web.ifPresent(server -> server.stop(0));
    }

    private void remoteFeed() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            queried++;
            byte[] body = served.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        web = Optional.of(server);
        String source = "http://127.0.0.1:" + server.getAddress().getPort() + "/list";
        rig.feeds.add(Feed.of("web", KeyKind.DOMAIN, FeedFormat.LINES, source));
        rig.feedOption("web", "trusted", true);
    }

    private Optional<Instant> confirmed() throws IOException {
        return new SnapshotReader().readConfirmedAt(rig.layer(), rig.current().orElseThrow(), rig.now);
    }

    private RebuildOutcome after(Duration time) throws IOException {
        rig.pass(time);
        return rig.runDue().outcome();
    }

    @Test
    void layer_isDueOnceACadence() throws Exception {
        assertEquals(PUBLISHED, rig.runDue().outcome());
        Optional<String> made = rig.current();
        assertEquals(NOT_DUE, after(Duration.ofMinutes(1)));
        assertEquals(NOT_DUE, after(Duration.ofHours(19)));
        assertEquals(Optional.empty(), confirmed());
        assertEquals(UNCHANGED, after(Duration.ofHours(1)));
        assertEquals(Optional.of(rig.now), confirmed());
        assertEquals(NOT_DUE, after(Duration.ofHours(19)));
        assertEquals(made, rig.current());
    }

    @Test
    void changedLocalSource_isDueButATouchedOneIsNot() throws Exception {
        rig.runDue();
        Path source = rig.source("list");
        Files.write(source, Files.readAllBytes(source));
        assertEquals(NOT_DUE, after(Duration.ofMinutes(1)));
        rig.content("list", "a.example", "c.example");
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        assertEquals(Set.of("list"), rig.listedBy("c.example"));
        rig.content("list", "a.example", "longer.example");
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        assertEquals(Set.of("list"), rig.listedBy("longer.example"));
    }

    /// What a gate held is noted, and the copy is still one of before.
    @Test
    void touchedSourceHeldByAGate_isNotDue() throws Exception {
        rig.option("canaries", List.of("https://login.canary.test/x"));
        rig.runDue();
        rig.content("list", "canary.test").feedOption("list", "trusted", true);
        assertEquals(GATE_CLOSED, after(Duration.ofMinutes(1)));
        Path source = rig.source("list");
        Files.write(source, Files.readAllBytes(source));
        assertEquals(NOT_DUE, after(Duration.ofMinutes(1)));
        rig.content("list", "b.example");
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
    }

    @Test
    void changedFeedOrConfiguration_isDue() throws Exception {
        rig.runDue();
        rig.feedOption("list", "category", "malware");
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        assertEquals("malware", rig.listings("a.example").getFirst().category());
        rig.option("bounds", RecordCopy.with(rig.options.bounds(), "maxHoldShare", 0.1));
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        rig.feed("other", KeyKind.DOMAIN, "c.example");
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        rig.feeds.removeLast();
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        assertEquals(NOT_DUE, after(Duration.ofMinutes(1)));
    }

    @Test
    void remoteFeed_isFetchedOnceACadence() throws Exception {
        remoteFeed();
        assertEquals(PUBLISHED, rig.runDue().outcome());
        rig.content("list", "c.example");
        assertEquals(PUBLISHED, after(Duration.ofHours(1)));
        assertEquals(1, queried);
        assertEquals(Set.of("web"), rig.listedBy("web.example"));
        rig.content("list", "d.example");
        RebuildReport again = rig.runDue();
        assertEquals(FeedReport.From.NOT_DUE, again.feeds().getLast().from());
        assertEquals(Optional.empty(), again.feeds().getLast().failure());
        served = "later.example\n";
        assertEquals(PUBLISHED, after(Duration.ofHours(19)));
        assertEquals(2, queried);
        assertEquals(Set.of("web"), rig.listedBy("later.example"));
    }

    @Test
    void failedFeed_isFetchedAgainAndOthersAreNot() throws Exception {
        remoteFeed();
        status = 404;
        assertEquals(PUBLISHED_WITH_FAILED_FEEDS, rig.runDue().outcome());
        Optional<String> made = rig.current();
        assertEquals(UNCHANGED_WITH_FAILED_FEEDS, after(Duration.ofMinutes(1)));
        assertEquals(made, rig.current());
        status = 200;
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        assertEquals(3, queried);
        assertEquals(NOT_DUE, after(Duration.ofMinutes(1)));
    }

    @Test
    void noSourceReached_doesNotRenewTheAge() throws Exception {
        rig.runDue();
        Files.delete(rig.source("list"));
        assertEquals(PUBLISHED_WITH_FAILED_FEEDS, after(Duration.ofDays(1)));
        assertEquals(UNCHANGED_WITH_FAILED_FEEDS, after(Duration.ofDays(1)));
        assertEquals(Optional.empty(), confirmed());
    }

    @Test
    void heldFeed_isTriedAgainUntilItPasses() throws Exception {
        rig.feeds.clear();
        rig.feed(
                "big",
                KeyKind.DOMAIN,
                IntStream.range(0, 200).mapToObj(i -> "d" + i + ".example").toArray(String[]::new));
        rig.runDue();
        rig.content(
                "big",
                IntStream.range(0, 900).mapToObj(i -> "e" + i + ".example").toArray(String[]::new));
        assertEquals(PUBLISHED_WITH_FAILED_FEEDS, after(Duration.ofHours(1)));
        assertEquals(UNCHANGED_WITH_FAILED_FEEDS, after(Duration.ofHours(1)));
        rig.content(
                "big",
                IntStream.range(0, 201).mapToObj(i -> "d" + i + ".example").toArray(String[]::new));
        assertEquals(PUBLISHED, after(Duration.ofHours(1)));
    }

    @Test
    void rolledBackGeneration_isNotRebuiltAtOnce() throws Exception {
        rig.runDue();
        String good = rig.current().orElseThrow();
        rig.content("list", "a.example", "bad.example");
        assertEquals(PUBLISHED, after(Duration.ofHours(1)));
        rig.layer().rollback(Optional.empty(), new SnapshotReader(), Optional.empty());
        assertEquals(NOT_DUE, after(Duration.ofHours(1)));
        assertEquals(Optional.of(good), rig.current());
        assertEquals(PUBLISHED, after(Duration.ofHours(20)));
        assertEquals(Set.of("list"), rig.listedBy("bad.example"));
    }

    @Test
    void damagedGenerationOrInputs_areDue() throws Exception {
        String first = rig.runDue().generation().orElseThrow();
        Path filter = rig.layer().resolveGeneration(first).resolve("domain.bloom");
        byte[] bytes = Files.readAllBytes(filter);
        bytes[bytes.length - 1] ^= 1;
        Files.write(filter, bytes);
        assertEquals(PUBLISHED, after(Duration.ofMinutes(1)));
        for (String broken : List.of("", "{", "[]", "null", "{\"generation\":1}")) {
            Files.writeString(LayerInputs.file(rig.snapshots, "nightly").path(), broken);
            assertEquals(PUBLISHED, after(Duration.ofMinutes(1)), broken);
            assertEquals(NOT_DUE, after(Duration.ofMinutes(1)), broken);
        }
    }

    @Test
    void retainedListing_expiresWithoutOtherChanges() throws Exception {
        rig.feedOption("list", "retention", Duration.ofDays(3));
        rig.runDue();
        for (int day = 0; day < 5; day++) {
            rig.daysPass(1);
            assertTrue(Set.of(UNCHANGED, PUBLISHED).contains(rig.runDue().outcome()));
        }
        rig.content("list", "a.example");
        assertEquals(PUBLISHED, after(Duration.ofDays(1)));
        assertEquals(Set.of("list"), rig.listedBy("b.example"), "it was confirmed a day ago, and lives on from then");
        int days = 0;
        while (!rig.listedBy("b.example").isEmpty()) {
            assertTrue(++days <= 3, "three days after it was last seen it is gone");
            rig.daysPass(1);
            rig.runDue();
        }
        assertEquals(2, days);
    }

    /// Whose timer fires in this minute: some too often, and the shortest in the first hours alone.
    private static List<Cadence> timersAt(int minute) {
        return Stream.of(Cadence.values())
                .filter(cadence -> switch (cadence) {
                    case NIGHTLY -> minute % 240 == 15;
                    case HOURLY -> minute % 60 == 0 || minute % 240 == 15;
                    case MINUTES -> minute <= 6 * 60;
                })
                .toList();
    }

    @Test
    void twoNights_rebuildDueLayersAndKeepGenerations() throws Exception {
        rig.option("keepGenerations", 2);
        for (Cadence cadence : List.of(Cadence.HOURLY, Cadence.MINUTES)) {
            rig.feed(cadence.layer(), KeyKind.DOMAIN, "start.example").feedOption(cadence.layer(), "cadence", cadence);
        }
        List<String> builds = new ArrayList<>();
        Map<Cadence, Integer> built = new EnumMap<>(Cadence.class);
        Map<Cadence, Integer> unchanged = new EnumMap<>(Cadence.class);
        for (int minute = 0; minute <= 2 * 24 * 60; minute += 15) {
            if (minute % 240 == 0) {
                rig.content("hourly", "hour-" + minute / 240 + ".example");
            }
            for (Cadence cadence : timersAt(minute)) {
                switch (rig.runDue(cadence).outcome()) {
                    case PUBLISHED -> {
                        built.merge(cadence, 1, Integer::sum);
                        builds.add(cadence + " " + rig.now);
                    }
                    case UNCHANGED -> unchanged.merge(cadence, 1, Integer::sum);
                    case NOT_DUE -> {}
                    case PUBLISHED_WITH_FAILED_FEEDS,
                            UNCHANGED_WITH_FAILED_FEEDS,
                            GATE_CLOSED,
                            DRY_RUN,
                            DRY_RUN_WITH_FAILED_FEEDS -> throw new AssertionError(cadence.toString());
                }
            }
            rig.pass(Duration.ofMinutes(15));
        }
        assertEquals(List.of(1, 13, 1), List.copyOf(built.values()), builds::toString);
        assertEquals(List.of(2, 36, 24), List.copyOf(unchanged.values()));

        LayerDirectory hourly = new LayerDirectory(rig.snapshots, "hourly");
        List<String> kept = hourly.listGenerations();
        assertEquals(
                List.of("20260302T220000Z", "20260303T220000Z", "20260304T020000Z"),
                kept.stream().map(id -> id.substring(0, 16)).toList());
        for (String id : kept.reversed()) {
            assertEquals(id, hourly.rollback(Optional.of(id), new SnapshotReader(), Optional.empty()));
        }
        assertNotEquals(kept.getLast(), hourly.readCurrent().orElseThrow());
    }
}
