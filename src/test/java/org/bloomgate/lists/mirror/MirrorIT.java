package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.bloomgate.base.io.DiskSpace;
import org.bloomgate.lists.mirror.ScriptedPublisher.Reply;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotKeys;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.snapshot.Snapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A mirror and a publisher that is good, bad or broken.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MirrorIT {
    @TempDir
    Path theirs;

    @TempDir
    Path ours;

    private Optional<ScriptedPublisher> scripted = Optional.empty();
    private Optional<Mirror> mirror = Optional.empty();

    @BeforeEach
    void open() throws IOException {
        scripted = Optional.of(new ScriptedPublisher(theirs));
        publisher()
                .publishWith(
                        new PublishedStateWriter(theirs, Optional.empty(), Duration.ofHours(36), () -> Snapshots.NOW));
        restart(new SnapshotReader());
    }

    @AfterEach
    void close() throws IOException {
        mirror().close();
        publisher().close();
    }

    private void restart(SnapshotReader reader) throws IOException {
        restart(reader, 1 << 20);
    }

    private void restart(SnapshotReader reader, long maxBytes) throws IOException {
        restart(reader, maxBytes, DiskSpace::measure);
    }

    /// As after the end of the process before.
    private void restart(SnapshotReader reader, long maxBytes, DiskSpace.Meter disks) throws IOException {
        mirror.ifPresent(Mirror::close);
        MirrorOptions options = new MirrorOptions(
                publisher().url() + "/",
                Duration.ofHours(1),
                Optional.empty(),
                Duration.ofMillis(1500),
                maxBytes,
                MirrorOptions.OnExpired.ALARM,
                false,
                "");
        mirror = Optional.of(new Mirror(options, ours, reader, 2, () -> Snapshots.NOW, disks));
    }

    private Mirror mirror() {
        return mirror.orElseThrow();
    }

    private ScriptedPublisher publisher() {
        return scripted.orElseThrow();
    }

    @Test
    void publishedLayers_areFetchedAndCurrent() throws Exception {
        String nightly = publish("bad.example");
        String hourly = Snapshots.publish(theirs, "hourly", "evil.test").generation();
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(nightly);
        assertEquals(Optional.of(hourly), new LayerDirectory(ours, "hourly").readCurrent());
        assertEquals(2, mirror().readStatus().fetchedTotal());
        assertEquals(
                Optional.of(Snapshots.NOW), mirror().readStatus().following().lastAnswerAt());
        publisher().takePaths();
        assertTrue(mirror().runRound());
        assertEquals("announced", publisher().requests.getFirst().path());
        assertTrue(publisher().requests.getFirst().field("if-none-match").isPresent());
        assertEquals(1, publisher().requests.size());
    }

    @Test
    void rollback_isFollowedAndOldGenerationsAreDeleted() throws Exception {
        String first = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        String second = publish("evil.test");
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(second);
        new LayerDirectory(theirs, "nightly").rollback(Optional.of(first), new SnapshotReader(), Optional.empty());
        publisher().takePaths();
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(first);
        assertEquals(List.of("announced"), publisher().takePaths(), "it was here still");
        String third = publish("third.test");
        String fourth = publish("fourth.test");
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(fourth);
        assertFalse(ours().listGenerations().contains(third), "never announced");
        assertEquals(List.of(second, fourth), ours().listGenerations());
    }

    @Test
    void pointerChangedHere_isSetBack() throws Exception {
        String first = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        String second = publish("evil.test");
        assertTrue(mirror().runRound(), this::faults);
        ours().rollback(Optional.of(first), new SnapshotReader(), Optional.empty());
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(second);
        Files.writeString(ours.resolve("nightly/current"), "nonsense");
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(second);
    }

    @Test
    void interruptedDownload_continuesAfterRestart() throws Exception {
        String generation = publish("bad.example");
        publisher().reply("domain.bloom", brokenOffAt(1000));
        assertFault("domain.bloom: ");
        publisher().reply("domain.bloom", goingOnTo(3000));
        restart(new SnapshotReader());
        assertFault("domain.bloom: ");
        publisher().clearReplies();
        publisher().requests.clear();
        restart(new SnapshotReader());
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
        assertEquals(
                List.of("bytes=3000-"),
                publisher().requests.stream()
                        .flatMap(request -> request.field("range").stream())
                        .toList());
        assertEquals(List.of(), mirror().readStatus().faults());
    }

    /// A static web server has tags of its own, and answers a condition on another tag with the whole file.
    @Test
    void interruptedDownload_fromStaticServer_continues() throws Exception {
        String generation = publish("bad.example");
        publisher().reply("domain.bloom", brokenOffAt(1000));
        assertFault("domain.bloom: ");
        publisher().reply("domain.bloom", (request, out) -> {
            byte[] whole = publisher().bytes(request.path());
            if (request.field("if-range").isPresent()) {
                ScriptedPublisher.write(out, "200 OK", "ETag: \"66-1f\"\r\n", whole.length, new byte[0]);
            } else {
                goingOnTo(whole.length).to(request, out);
            }
        });
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    /// As of a page of a mapped file that the disk cannot read.
    @Test
    void internalError_isFaultOfOneRound() throws Exception {
        String generation = publish("bad.example");
        AtomicBoolean fails = new AtomicBoolean(true);
        restart(new SnapshotReader(), 1 << 20, folder -> {
            if (fails.getAndSet(false)) {
                throw new InternalError("a fault occurred in an unsafe memory access operation");
            }
            return DiskSpace.measure(folder);
        });
        assertFault("InternalError");
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    @Test
    void truncatedFile_isFault() throws Exception {
        publish("bad.example");
        publisher().reply("domain.bloom", (request, out) -> {
            byte[] whole = publisher().bytes(request.path());
            ScriptedPublisher.write(out, "200 OK", "", Arrays.copyOf(whole, 1000));
        });
        assertFault("domain.bloom: ends after 1000 of ");
    }

    @Test
    void fileChangedDuringDownload_isFetchedWhole() throws Exception {
        String generation = publish("bad.example");
        publisher().reply("domain.bloom", (request, out) -> {
            byte[] other = new byte[publisher().bytes(request.path()).length];
            ScriptedPublisher.write(out, "200 OK", "", other.length, Arrays.copyOf(other, 1000));
        });
        assertFault("domain.bloom: ");
        publisher().reply("domain.bloom", (request, out) -> {
            assertTrue(request.field("range").isPresent());
            ScriptedPublisher.write(out, "200 OK", "", publisher().bytes(request.path()));
        });
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    @Test
    void wrongBytes_areRejectedAndFetchedAgain() throws Exception {
        String first = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        String second = publish("evil.test");
        publisher().reply("000001.sst", (request, out) -> {
            byte[] bytes = publisher().bytes(request.path());
            bytes[3] ^= 1;
            ScriptedPublisher.write(out, "200 OK", "", bytes);
        });
        assertFault("exact/000001.sst: SHA-256 is not what the manifest says");
        assertCurrent(first);
        Condition fault = mirror().readStatus().faults().getFirst();
        assertEquals("nightly/" + second, fault.subject() + "/" + fault.generation());
        publisher().clearReplies();
        publisher().takePaths();
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(second);
        assertFalse(publisher().takePaths().contains(second + "/domain.bloom"), "it was right the first time");
    }

    @Test
    void fileDamagedHere_isFetchedAgain() throws Exception {
        String generation = publish("bad.example");
        publisher().reply("public_suffix_list.dat", brokenOffAt(3));
        assertFault("public_suffix_list.dat: ");
        Snapshots.flip(ours.resolve("nightly/.incoming-" + generation + "/domain.bloom"), 1000);
        publisher().clearReplies();
        assertFault("domain.bloom: SHA-256");
        assertTrue(mirror().runRound(), this::faults);
        Snapshots.flip(ours().resolveGeneration(generation).resolve("domain.bloom"), 1000);
        restart(new SnapshotReader());
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    @Test
    void endlessBody_isCutAtExpectedSize() throws Exception {
        publish("bad.example");
        Reply endless = (request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write(new byte[8192]);
            }
        };
        publisher().reply("domain.bloom", endless);
        assertFault("more than the ");
        publisher().reply("manifest.json", endless);
        assertFault("more than the ");
        publisher().reply("announced", endless);
        assertFault("more than the ");
    }

    @Test
    void rangeNotSatisfiable_startsFileAgain() throws Exception {
        String generation = publish("bad.example");
        publisher().reply("domain.bloom", brokenOffAt(1000));
        assertFault("domain.bloom: ");
        publisher()
                .reply(
                        "domain.bloom",
                        (request, out) -> ScriptedPublisher.write(
                                out, "416 Range Not Satisfiable", "Content-Range: bytes */7\r\n", new byte[0]));
        assertFault("status 416");
        publisher().clearReplies();
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    @Test
    void otherRangeThanRequested_isRejected() throws Exception {
        publish("bad.example");
        publisher().reply("domain.bloom", brokenOffAt(1000));
        assertFault("domain.bloom: ");
        publisher().reply("domain.bloom", (request, out) -> {
            byte[] whole = publisher().bytes(request.path());
            String range = "Content-Range: bytes 0-" + (whole.length - 1) + "/" + whole.length + "\r\n";
            ScriptedPublisher.write(out, "206 Partial Content", range, whole);
        });
        assertFault("domain.bloom: not the requested range");
    }

    @Test
    void stalledAnswer_isAborted() throws Exception {
        String generation = publish("bad.example");
        Reply silent = (request, out) -> {
            ScriptedPublisher.write(out, "200 OK", "", 4000, new byte[100]);
            LockSupport.park();
        };
        publisher().reply("domain.bloom", silent);
        assertFault("stalled");
        publisher().clearReplies();
        assertFault("domain.bloom: SHA-256");
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    @ParameterizedTest
    @CsvSource({"301, redirects", "302, redirects", "307, redirects", "500, status 500", "404, status 404"})
    void errorOrRedirect_isFault(int status, String reason) throws Exception {
        String first = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        publish("evil.test");
        for (String end : List.of("domain.bloom", "manifest.json", "announced")) {
            publisher()
                    .reply(
                            end,
                            (request, out) -> ScriptedPublisher.write(
                                    out,
                                    status + " No",
                                    "Location: http://elsewhere.example/\r\n",
                                    "no".getBytes(StandardCharsets.UTF_8)));
            assertFault(reason);
            assertCurrent(first);
        }
    }

    @Test
    void unreachablePublisher_isFaultUntilItAnswers() throws Exception {
        String generation = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        publisher().reply("announced", (request, out) -> {});
        assertFalse(mirror().runRound());
        assertFalse(mirror().runRound());
        assertEquals(Mirror.PUBLISHER, mirror().readStatus().faults().getFirst().subject());
        assertEquals(2, mirror().readStatus().faultsTotal());
        assertCurrent(generation);
        publisher().clearReplies();
        assertTrue(mirror().runRound());
        assertEquals(List.of(), mirror().readStatus().faults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "domain.bloom\", | ../../evil\", | leads out of the snapshot",
                "domain.bloom\", | manifest.json\", | is not one of the files",
                "\"layer\" : \"nightly\" | \"layer\" : \"hourly\" | manifest.json"
            })
    void wrongManifest_isRejectedBeforeAnyFileIsFetched(String from, String to, String reason) throws Exception {
        String generation = publish("bad.example");
        publisher().reply("manifest.json", (request, out) -> {
            String text = new String(publisher().bytes(request.path()), StandardCharsets.UTF_8);
            int files = text.indexOf("\"files\"");
            String changed = text.contains(from) && from.startsWith("domain")
                    ? text.substring(0, files) + text.substring(files).replace(from, to)
                    : text.replace(from, to);
            ScriptedPublisher.write(out, "200 OK", "", changed.getBytes(StandardCharsets.UTF_8));
        });
        assertFalse(mirror().runRound());
        assertFalse(publisher().takePaths().contains(generation + "/domain.bloom"));
        assertEquals(Optional.empty(), ours().readCurrent());
        assertFalse(Files.exists(ours.resolve("evil")));
        assertTrue(faults().contains("manifest") || faults().contains(reason), this::faults);
    }

    @Test
    void snapshotAboveLimit_isRejected() throws Exception {
        publish("bad.example");
        restart(new SnapshotReader(), 4000);
        assertFault("files of more than 4000 bytes");
    }

    /// A twentieth of a disk of 2 GB, and a gibibyte of one of 2 TB.
    @ParameterizedTest
    @CsvSource({"2000000000, 100000000", "2000000000000, 1073741824"})
    void snapshotBeyondFreeSpace_isNotFetched(long total, long reserve) throws Exception {
        String first = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        String second = publish("evil.test");
        long size = new SnapshotReader()
                .readManifest(theirs.resolve("nightly").resolve(second))
                .countBytes();
        restart(new SnapshotReader(), 1 << 20, _ -> new DiskSpace(total, reserve + size - 1));
        publisher().takePaths();
        assertFault("no space: " + size + " bytes to write, and " + (reserve + size - 1) + " are free on ");
        assertTrue(faults().contains(reserve + " of them have to stay free"), this::faults);
        assertEquals(1, mirror().readStatus().faultsTotal());
        assertCurrent(first);
        assertEquals(List.of(first), ours().listGenerations());
        assertTrue(
                publisher().takePaths().stream().noneMatch(path -> path.endsWith(".bloom")),
                "nothing but what says how much there is");
        restart(new SnapshotReader(), 1 << 20, _ -> new DiskSpace(total, reserve + size));
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(second);
    }

    @Test
    void unsignedSnapshot_isRejectedIfAKeyIsTrusted() throws Exception {
        String unsigned = publish("bad.example");
        Optional<SigningKey> keys = Optional.of(SigningKey.read("rebuild.signingKey", fixture("signing.key")));
        publisher().publishWith(new PublishedStateWriter(theirs, keys, Duration.ofHours(36), () -> Snapshots.NOW));
        restart(new SnapshotReader(SnapshotScope.WHOLE, SnapshotKeys.read("snapshotKey", fixture("signing.pub"))));
        assertFault("missing, and snapshotKey asks for a signature");
        assertFalse(publisher().takePaths().contains(unsigned + "/domain.bloom"));
        String signed = publishSigned();
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(signed);
        publishSigned();
        restart(new SnapshotReader(SnapshotScope.WHOLE, SnapshotKeys.read("snapshotKey", fixture("other.pub"))));
        assertFault("announced: no Ed25519 signature by a key in snapshotKey");
        assertCurrent(signed);
    }

    @Test
    void exactStore_isFetchedOnlyIfNeeded() throws Exception {
        String generation = publish("bad.example");
        SnapshotReader withoutExact = new SnapshotReader(SnapshotScope.WITHOUT_EXACT, SnapshotKeys.none());
        restart(withoutExact);
        assertTrue(mirror().runRound(), this::faults);
        assertFalse(publisher().takePaths().contains(generation + "/exact/000001.sst"));
        assertFalse(Files.exists(ours().resolveExactDirectory(generation)));
        restart(new SnapshotReader());
        assertTrue(mirror().runRound(), this::faults);
        assertTrue(Files.exists(ours().resolveExactDirectory(generation).resolve("000001.sst")));
        assertCurrent(generation);
    }

    @Test
    void layerNoLongerPublished_staysWithoutFault() throws Exception {
        String generation = publish("bad.example");
        assertTrue(mirror().runRound(), this::faults);
        publish("evil.test");
        publisher().reply("domain.bloom", (request, out) -> {});
        assertFault("domain.bloom: ");
        Files.delete(theirs.resolve("nightly/current"));
        assertTrue(mirror().runRound(), this::faults);
        assertEquals(List.of(), mirror().readStatus().faults());
        assertCurrent(generation);
    }

    @Test
    void lockedLayer_isFault() throws Exception {
        String generation = publish("bad.example");
        try (SnapshotWriter writer = SnapshotWriter.begin(ours, "nightly", Snapshots.NOW)) {
            assertTrue(Files.exists(writer.directory()));
            assertFault("is being rebuilt or rolled back by another process");
        }
        assertTrue(mirror().runRound(), this::faults);
        assertCurrent(generation);
    }

    /// So many bytes of the whole file, which was announced.
    private Reply brokenOffAt(int bytes) {
        return (request, out) -> {
            byte[] whole = publisher().bytes(request.path());
            ScriptedPublisher.write(out, "200 OK", "", whole.length, Arrays.copyOf(whole, bytes));
        };
    }

    /// The part asked for, up to a byte before its end.
    private Reply goingOnTo(int end) {
        return (request, out) -> {
            byte[] whole = publisher().bytes(request.path());
            int from = Integer.parseInt(request.field("range").orElseThrow().replaceAll("\\D", ""));
            String range = "Content-Range: bytes " + from + "-" + (whole.length - 1) + "/" + whole.length + "\r\n";
            ScriptedPublisher.write(
                    out, "206 Partial Content", range, whole.length - from, Arrays.copyOfRange(whole, from, end));
        };
    }

    private String publish(String domain) throws IOException {
        return Snapshots.publish(theirs, "nightly", domain).generation();
    }

    private String publishSigned() throws Exception {
        try (SnapshotWriter writer = SnapshotWriter.begin(theirs, "nightly", Snapshots.NOW)) {
            Snapshots.write(writer, Snapshots.SUFFIXES, "bad.example");
            writer.signWith(SigningKey.read("rebuild.signingKey", fixture("signing.key")));
            return writer.publish(List.of(Snapshots.feed(1)), 1).generation();
        }
    }

    private static Path fixture(String name) throws Exception {
        return Path.of(MirrorIT.class.getResource("/snapshots/signed/" + name).toURI());
    }

    private LayerDirectory ours() {
        return new LayerDirectory(ours, "nightly");
    }

    private void assertCurrent(String generation) throws IOException {
        assertEquals(Optional.of(generation), ours().readCurrent());
        Path directory = ours().resolveGeneration(generation);
        new SnapshotReader(SnapshotScope.WITHOUT_EXACT, SnapshotKeys.none())
                .open(directory)
                .close();
    }

    private void assertFault(String reason) throws InterruptedException {
        assertFalse(mirror().runRound());
        assertTrue(faults().contains(reason), this::faults);
    }

    private String faults() {
        return mirror().readStatus().faults().toString();
    }
}
