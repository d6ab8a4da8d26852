package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.key.DomainKeys;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.Host;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LiveSnapshotsTest {
    private static final PublicSuffixes BUNDLED = Snapshots.SUFFIXES;

    private final FakeExact.Opener opener = new FakeExact.Opener();
    private Instant now = Snapshots.NOW.plusSeconds(10);
    private Instant later = Snapshots.NOW;

    @TempDir
    Path root;

    private LiveSnapshots live() {
        return new LiveSnapshots(root, new SnapshotReader(), opener, BUNDLED, () -> now);
    }

    @Test
    void noSnapshot_hasNoLayerAndBundledSuffixes() {
        try (LiveSnapshots live =
                        new LiveSnapshots(root.resolve("absent"), new SnapshotReader(), opener, BUNDLED, () -> now);
                LayerLease lease = live.lease()) {
            assertEquals(List.of(), lease.layers());
            assertSame(BUNDLED, lease.suffixes());
        }
    }

    @Test
    void currentSnapshots_areAdoptedAtStart() throws Exception {
        String nightly = Snapshots.publish(root, "nightly", "bad.example").generation();
        String hourly =
                Snapshots.publish(root, "hourly", "evil.test", "worse.test").generation();
        try (LiveSnapshots live = live();
                LayerLease lease = live.lease()) {
            assertEquals(List.of(hourly, nightly), generations(lease));
            Layer layer = lease.layers().getLast();
            assertEquals(Map.of(KeyKind.DOMAIN, Set.of("phishing")), layer.categories());
            assertTrue(asks(layer, "bad.example"));
            LiveStatus.LayerStatus status = live.readStatus().layers().getFirst();
            assertEquals("hourly", status.layer());
            assertEquals(2, status.entries());
            assertEquals(now.minusSeconds(10), status.renewedAt());
            assertEquals(now, status.adoptedAt());
            assertTrue(status.sizeBytes() > 4096);
        }
    }

    @Test
    void newPointer_isAdoptedAndLeaseKeepsItsLayers() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        String hourly = Snapshots.publish(root, "hourly", "evil.test").generation();
        try (LiveSnapshots live = live()) {
            LayerLease old = live.lease();
            String second = Snapshots.publish(root, "nightly", "new.example").generation();
            live.checkNow();
            try (LayerLease lease = live.lease()) {
                assertEquals(List.of(hourly, second), generations(lease));
            }
            assertEquals(List.of(hourly, first), generations(old));
            BloomFilter retired = filter(old.layers().getLast());
            assertTrue(retired.mightContain(hash(retired, "bad.example")));
            assertEquals(0, exact(first).closed.get());
            old.close();
            old.close();
            assertEquals(1, exact(first).closed.get());
            assertEquals(0, exact(hourly).closed.get(), "still in force");
            assertThrows(IllegalStateException.class, () -> retired.mightContain(1));
        }
        assertEquals(
                List.of(1, 1, 1),
                opener.opened.stream().map(one -> one.closed.get()).toList());
    }

    @Test
    void rollback_isAdopted() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        Snapshots.publish(root, "nightly", "new.example");
        try (LiveSnapshots live = live()) {
            new LayerDirectory(root, "nightly").rollback(Optional.empty(), new SnapshotReader(), Optional.empty());
            live.checkNow();
            assertEquals(first, live.readStatus().layers().getFirst().generation());
        }
    }

    @Test
    void damagedSnapshot_isRefusedOnceAndOldOneStays() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        try (LiveSnapshots live = live()) {
            SnapshotManifest second = Snapshots.publish(root, "nightly", "new.example");
            Path file = root.resolve("nightly").resolve(second.generation()).resolve("domain.bloom");
            Snapshots.flip(file, 4100);
            live.checkNow();
            live.checkNow();
            LiveStatus status = live.readStatus();
            assertEquals(first, status.layers().getFirst().generation());
            assertEquals(1, status.refusedTotal());
            Condition condition = status.conditions().getFirst();
            assertEquals(second.generation(), condition.generation());
            assertTrue(condition.reason().contains("domain.bloom"), condition.reason());
            assertEquals(now, condition.since());
            assertEquals(1, status.conditions().size());
            now = now.plusSeconds(1);
            String third = Snapshots.publish(root, "nightly", "newer.example").generation();
            live.checkNow();
            assertEquals(third, live.readStatus().layers().getFirst().generation());
            assertEquals(List.of(), live.readStatus().conditions());
        }
    }

    @Test
    void refusal_logsWhetherASnapshotStaysInUse() throws Exception {
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.start();
        Logger log = (Logger) LoggerFactory.getLogger(Conditions.class);
        log.addAppender(events);
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        String second;
        Snapshots.flip(root.resolve("nightly").resolve(first).resolve("domain.bloom"), 4100);
        try (LiveSnapshots live = live()) {
            now = now.plusSeconds(1);
            second = Snapshots.publish(root, "nightly", "new.example").generation();
            live.checkNow();
            Files.writeString(root.resolve("nightly/current"), "20270101T000000Z-0000");
            live.checkNow();
        } finally {
            log.detachAppender(events);
        }
        List<String> lines = events.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.getFirst().startsWith("snapshot: nightly/" + first + ": "), lines::toString);
        assertTrue(lines.getFirst().endsWith(" (no snapshot of nightly is in force)"), lines::toString);
        assertTrue(
                lines.getLast()
                        .endsWith(" (not adopted; nightly/" + second + " stays in force since "
                                + now.truncatedTo(ChronoUnit.SECONDS) + ")"),
                lines::toString);
    }

    @Test
    void invalidPointer_keepsOldSnapshot() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        try (LiveSnapshots live = live()) {
            for (String pointer : List.of("20270101T000000Z-0000", "nonsense", "")) {
                Files.writeString(root.resolve("nightly/current"), pointer);
                live.checkNow();
                live.checkNow();
            }
            assertEquals(first, live.readStatus().layers().getFirst().generation());
            assertEquals(2, live.readStatus().refusedTotal(), "nonsense and nothing count as one");
            Files.delete(root.resolve("nightly/current"));
            live.checkNow();
            assertEquals(first, live.readStatus().layers().getFirst().generation());
            assertEquals(1, live.readStatus().conditions().size());
            Files.writeString(root.resolve("nightly/current"), first);
            live.checkNow();
            assertEquals(List.of(), live.readStatus().conditions());
        }
    }

    @Test
    void snapshotOfOtherLayerOrGeneration_isRefused() throws Exception {
        String nightly = Snapshots.publish(root, "nightly", "bad.example").generation();
        Files.createDirectories(root.resolve("hourly"));
        Files.move(
                root.resolve("nightly").resolve(nightly), root.resolve("hourly").resolve(nightly));
        Files.move(root.resolve("nightly/current"), root.resolve("hourly/current"));
        try (LiveSnapshots live = live()) {
            assertEquals(List.of(), live.readStatus().layers());
            assertTrue(live.readStatus().conditions().getFirst().reason().contains("nightly/" + nightly));
        }
    }

    @Test
    void exactTierThatDoesNotOpen_isRetriedAfterAMinute() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "bad.example").generation();
        opener.failure = "no more files";
        try (LiveSnapshots live = live()) {
            assertEquals(
                    "no more files", live.readStatus().conditions().getFirst().reason());
            opener.failure = "";
            now = now.plusSeconds(59);
            live.checkNow();
            assertEquals(List.of(), live.readStatus().layers());
            now = now.plusSeconds(1);
            live.checkNow();
            assertEquals(generation, live.readStatus().layers().getFirst().generation());
        }
    }

    @Test
    void storeReplacedAfterVerification_isNotUsed() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        try (LiveSnapshots live = live()) {
            String second = Snapshots.publish(root, "nightly", "new.example").generation();
            Path store = root.resolve("nightly").resolve(second).resolve("exact/000001.sst");
            opener.whileOpening = () -> replace(store);
            live.checkNow();
            assertEquals(first, live.readStatus().layers().getFirst().generation());
            String reason = live.readStatus().conditions().getFirst().reason();
            assertEquals("exact/000001.sst: changed while the snapshot was opened", reason);
            assertEquals(1, exact(second).closed.get());
            opener.whileOpening = () -> {};
            now = now.plusSeconds(60);
            live.checkNow();
            assertEquals(second, live.readStatus().layers().getFirst().generation());
        }
    }

    /// With the same bytes: nobody looks at them again, so they may be any.
    private void replace(Path file) {
        try {
            Files.move(Files.copy(file, root.resolve("other")), file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void status_doesNotWaitForOpening() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        try (LiveSnapshots live = live()) {
            List<String> seen = new ArrayList<>();
            opener.whileOpening = () -> seen.add(CompletableFuture.supplyAsync(live::readStatus)
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join()
                    .layers()
                    .getFirst()
                    .generation());
            Snapshots.publish(root, "nightly", "new.example");
            live.checkNow();
            assertEquals(List.of(first), seen);
        }
    }

    @Test
    void layersWithDifferentSuffixLists_areUsedTogether() throws Exception {
        Snapshots.publish(root, "nightly", "bad.example");
        String hourly = Snapshots.publish(root, "hourly", "evil.test").generation();
        try (LiveSnapshots live = live()) {
            String nightly = publishLater("nightly", Snapshots.OTHER_SUFFIXES, "bad.example");
            live.checkNow();
            assertEquals(List.of(hourly, nightly), generations(live));
            assertEquals(0, live.readStatus().refusedTotal());
        }
        try (LiveSnapshots restarted = live()) {
            assertEquals(2, restarted.readStatus().layers().size());
        }
    }

    @Test
    void suffixes_areThoseOfNewestLayer() throws Exception {
        Snapshots.publish(root, "hourly", "a.example", "b.example", "c.example");
        publishLater("nightly", Snapshots.OTHER_SUFFIXES, "bad.example");
        try (LiveSnapshots live = live()) {
            assertEquals(Snapshots.OTHER_SUFFIXES.sha256(), suffixes(live));
            publishLater("hourly", Snapshots.SUFFIXES, "a.example");
            live.checkNow();
            assertEquals(Snapshots.SUFFIXES.sha256(), suffixes(live));
        }
    }

    /// `co.test` is a public suffix of one list only, and names below and beside it are listed by layers of both.
    @Test
    void name_isFoundInLayerWithOtherSuffixList() throws Exception {
        PublicSuffixes with = Snapshots.OTHER_SUFFIXES;
        PublicSuffixes without = Snapshots.SUFFIXES;
        for (List<PublicSuffixes> lists : List.of(List.of(with, without), List.of(without, with))) {
            Snapshots.publish(root, "hourly", lists.getFirst(), "evil.co.test", "worse.test");
            publishLater("nightly", lists.getLast(), "bad.example");
            try (LiveSnapshots live = live();
                    LayerLease lease = live.lease()) {
                assertEquals(lists.getLast().sha256(), lease.suffixes().sha256());
                for (String host : List.of("evil.co.test", "www.evil.co.test", "a.b.worse.test")) {
                    assertTrue(maybeListed(host, lease), host);
                }
            }
        }
    }

    @Test
    void close_keepsOpenLease() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "bad.example").generation();
        LiveSnapshots live = live();
        LayerLease lease = live.lease();
        live.close();
        live.close();
        live.checkNow();
        assertEquals(List.of(), live.readStatus().layers());
        assertTrue(asks(lease.layers().getFirst(), "bad.example"));
        lease.close();
        assertEquals(1, exact(generation).closed.get());
        assertThrows(IllegalStateException.class, () -> live.watch(Duration.ofSeconds(1)));
    }

    /// A second after all other snapshots.
    private String publishLater(String layer, PublicSuffixes suffixes, String... domains) throws Exception {
        later = later.plusSeconds(1);
        return Snapshots.publish(root, layer, later, suffixes, domains).generation();
    }

    private static boolean maybeListed(String host, LayerLease lease) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "test"));
        DomainKeys.append(Host.parse(host).orElseThrow(), lease.suffixes(), batch);
        BloomFilter hourly = filter(lease.layers().getFirst());
        return IntStream.range(0, batch.size())
                .mapToLong(key -> hourly.hash().hash(batch.bytes(), batch.start(key), batch.end(key)))
                .anyMatch(hourly::mightContain);
    }

    private static String suffixes(LiveSnapshots live) {
        try (LayerLease lease = live.lease()) {
            return lease.suffixes().sha256();
        }
    }

    private FakeExact exact(String generation) {
        return opener.opened.stream()
                .filter(one -> one.directory.toString().contains(generation))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> generations(LiveSnapshots live) {
        try (LayerLease lease = live.lease()) {
            return generations(lease);
        }
    }

    private static List<String> generations(LayerLease lease) {
        return lease.layers().stream().map(Layer::generation).toList();
    }

    private static boolean asks(Layer layer, String domain) {
        BloomFilter filter = filter(layer);
        return filter.mightContain(hash(filter, domain));
    }

    private static BloomFilter filter(Layer layer) {
        return Optional.ofNullable(layer.filters().get(KeyKind.DOMAIN)).orElseThrow();
    }

    private static long hash(BloomFilter filter, String domain) {
        byte[] bytes = domain.getBytes(StandardCharsets.UTF_8);
        return filter.hash().hash(bytes, 0, bytes.length);
    }
}
