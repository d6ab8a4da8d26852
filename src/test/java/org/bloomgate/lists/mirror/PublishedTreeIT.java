package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.bloomgate.lists.layer.PublishedTree;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.Snapshots;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A directory for static web servers, and a mirror that follows one.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishedTreeIT {
    @TempDir
    private Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Snapshots.NOW);
    private Optional<PublishedTree> tree = Optional.empty();

    @BeforeEach
    void open() {
        tree = Optional.of(new PublishedTree(theirs(), folder.resolve("www"), now::get));
    }

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private Path ours() {
        return folder.resolve("ours");
    }

    private Path written() {
        return folder.resolve("www/v1/snapshots");
    }

    private boolean update() throws IOException {
        return tree.orElseThrow().update();
    }

    private void follow() throws IOException, InterruptedException {
        HttpServer server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                folder.resolve("www").toAbsolutePath(),
                SimpleFileServer.OutputLevel.NONE);
        server.start();
        try {
            FleetKeeper.follow("http://127.0.0.1:" + server.getAddress().getPort(), ours());
        } finally {
            server.stop(0);
        }
    }

    private static String readCurrent(Path root) throws IOException {
        return new LayerDirectory(root, "nightly").readCurrent().orElseThrow();
    }

    private List<String> listWritten() throws IOException {
        try (Stream<Path> entries = Files.list(written())) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void servedTree_isFollowedThroughRebuildAndRollback() throws Exception {
        FleetKeeper.publish(theirs(), 0, 3);
        assertTrue(update());
        follow();
        String first = readCurrent(ours());
        FleetKeeper.publish(theirs(), 1, 3);
        follow();
        assertEquals(first, readCurrent(ours()), "the tree has not been updated");
        assertTrue(update());
        follow();
        assertEquals(readCurrent(theirs()), readCurrent(ours()));
        new LayerDirectory(theirs(), "nightly").rollback(Optional.of(first), new SnapshotReader(), Optional.empty());
        FleetKeeper.say(theirs(), 1, 3);
        assertTrue(update());
        follow();
        assertEquals(first, readCurrent(ours()));
    }

    @Test
    void update_ofUnchangedState_writesNothing() throws Exception {
        assertFalse(update(), "there is nothing to publish");
        FleetKeeper.publish(theirs(), 0, 3);
        assertTrue(update());
        assertFalse(update());
    }

    /// nginx makes an entity tag from the size and the seconds of the time.
    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1_000, -3_600_000})
    void statementsOfOneSecond_haveTimesOfDifferentSeconds(int laterMillis) throws Exception {
        FleetKeeper.publish(theirs(), 0, 3);
        assertTrue(update());
        long before = readSecond();
        now.updateAndGet(time -> time.plusMillis(laterMillis));
        FleetKeeper.say(theirs(), 1, 3);
        assertTrue(update());
        assertEquals(before + 1, readSecond());
        now.updateAndGet(time -> time.plusSeconds(10_000));
        FleetKeeper.say(theirs(), 2, 3);
        assertTrue(update());
        assertEquals(now.get().getEpochSecond(), readSecond(), "the clock has passed the time of the file");
    }

    private long readSecond() throws IOException {
        return Files.getLastModifiedTime(written().resolve(SharedEntries.FORM.fileName()))
                .to(TimeUnit.SECONDS);
    }

    @Test
    void everyUser_mayReadTheTree() throws Exception {
        FleetKeeper.publish(theirs(), 0, 3);
        assertTrue(update());
        try (Stream<Path> entries = Files.walk(folder.resolve("www"))) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                assertTrue(
                        Files.getPosixFilePermissions(entry).contains(PosixFilePermission.OTHERS_READ),
                        entry::toString);
            }
        }
    }

    /// What a kill can leave: a generation that was not renamed, or not deleted, and statements that were not written.
    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true", "false, false"})
    void updateAfterKill_completesTheTree(boolean isStatementMissing, boolean isGenerationMissing) throws Exception {
        FleetKeeper.publish(theirs(), 0, 3);
        assertTrue(update());
        String generation = readCurrent(theirs());
        Path unfinished = Files.createDirectories(written().resolve(".unfinished-" + generation));
        Files.writeString(unfinished.resolve("manifest.json"), "{");
        Path deleted = Files.createDirectories(written().resolve(".unfinished-deleted"));
        Files.writeString(deleted.resolve("domain.bloom"), "");
        if (isStatementMissing) {
            Files.delete(written().resolve(PublishedState.FILE_NAME));
        }
        if (isGenerationMissing) {
            Files.move(written().resolve(generation), folder.resolve("moved"));
        }
        FleetKeeper.say(theirs(), 1, 3);
        assertTrue(update());
        assertEquals(List.of(generation, "announced", "listings"), listWritten());
        follow();
        assertEquals(generation, readCurrent(ours()));
    }

    @Test
    void damagedGeneration_leavesStatementsAsTheyWere() throws Exception {
        FleetKeeper.publish(theirs(), 0, 3);
        assertTrue(update());
        byte[] before = Files.readAllBytes(written().resolve("announced"));
        FleetKeeper.publish(theirs(), 1, 3);
        Files.delete(new LayerDirectory(theirs(), "nightly")
                .resolveGeneration(readCurrent(theirs()))
                .resolve("domain.bloom"));
        assertThrows(IOException.class, this::update);
        assertArrayEquals(
                Files.readAllBytes(theirs().resolve("listings")),
                Files.readAllBytes(written().resolve("listings")),
                "entries of operators do not wait for a generation");
        assertEquals(
                List.of(before.length), List.of(Files.readAllBytes(written().resolve("announced")).length));
        follow();
    }

    @Test
    void damagedOldGeneration_stopsNothingAndIsDeletedAfterAnHour() throws Exception {
        publishNext("nightly", Duration.ZERO);
        String damaged = listGenerations().getFirst();
        publishNext("nightly", Duration.ofMinutes(1));
        Files.writeString(written().resolve(damaged).resolve("manifest.json"), "{");
        Files.setLastModifiedTime(written().resolve(damaged), FileTime.from(now.get()));
        publishNext("nightly", Duration.ofHours(1));
        assertTrue(listGenerations().contains(damaged));
        FleetKeeper.say(theirs(), 1, 3);
        now.updateAndGet(time -> time.plusMillis(1));
        publishNext("nightly", Duration.ZERO);
        assertFalse(listGenerations().contains(damaged));
        assertArrayEquals(
                Files.readAllBytes(theirs().resolve("listings")),
                Files.readAllBytes(written().resolve("listings")));
    }

    @ParameterizedTest
    @CsvSource({"nightly, 7", "hourly, 48"})
    void generations_beyondTheCountStayForAnHourAfterTheyWereNamed(String layer, int count) throws Exception {
        for (int i = 0; i < count + 2; i++) {
            publishNext(layer, Duration.ofHours(2));
        }
        assertEquals(count, listGenerations().size());
        String oldest = listGenerations().getFirst();
        publishNext(layer, Duration.ofMinutes(59));
        publishNext(layer, Duration.ofMinutes(59));
        assertFalse(listGenerations().contains(oldest), "it was named hours ago");
        assertEquals(count, listGenerations().size());
    }

    private List<String> listGenerations() throws IOException {
        return listWritten().stream().filter(LayerDirectory::isGenerationId).toList();
    }

    private void publishNext(String layer, Duration later) throws IOException {
        now.updateAndGet(time -> time.plus(later));
        String _ = Snapshots.publish(theirs(), layer, now.get(), Snapshots.SUFFIXES, "bad.example")
                .generation();
        FleetKeeper.say(theirs(), 0, 0);
        assertTrue(update());
    }

    @Test
    void generationNamedBefore_staysForAnHour() throws Exception {
        publishNext("nightly", Duration.ofHours(2));
        String first = listGenerations().getFirst();
        for (int i = 0; i < 7; i++) {
            publishNext("nightly", Duration.ofHours(2));
        }
        assertFalse(listGenerations().contains(first));
        new LayerDirectory(theirs(), "nightly")
                .rollback(Optional.of(listHere().getFirst()), new SnapshotReader(), Optional.empty());
        FleetKeeper.say(theirs(), 0, 0);
        assertTrue(update());
        String rolledBackTo = readCurrent(theirs());
        publishNext("nightly", Duration.ofMinutes(30));
        assertTrue(listGenerations().contains(rolledBackTo), "named half an hour ago");
        publishNext("nightly", Duration.ofMinutes(61));
        assertFalse(listGenerations().contains(rolledBackTo));
    }

    private List<String> listHere() throws IOException {
        return new LayerDirectory(theirs(), "nightly").listGenerations();
    }
}
