package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bloomgate.lists.mirror.ScriptedPublisher.Reply;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.lists.snapshot.TestKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Attacks by someone between a publisher and its mirrors, on its web server, or with one of its keys.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AttacksOnAMirrorIT {
    private static final Duration LIFETIME = Duration.ofHours(36);

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Snapshots.NOW);
    private Optional<ScriptedPublisher> scripted = Optional.empty();
    private Optional<Mirror> mirror = Optional.empty();
    private String trustedKeys = "";
    private String first = "";
    private String hourly = "";

    private TestKeys keys() {
        return new TestKeys(folder);
    }

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private Path ours() {
        return folder.resolve("ours");
    }

    private ScriptedPublisher publisher() {
        return scripted.orElseThrow();
    }

    private Mirror mirror() {
        return mirror.orElseThrow();
    }

    @BeforeEach
    void mirrorOnce() throws Exception {
        StringBuilder trusted = new StringBuilder();
        for (String name : List.of("manifest", "current")) {
            trusted.append("use: ").append(name).append('\n').append(keys().pair(name, "Ed25519"));
        }
        String _ = keys().pair("foreign", "Ed25519");
        trustedKeys = trusted.toString();
        scripted = Optional.of(new ScriptedPublisher(theirs()));
        publisher().publishWith(createWriter(theirs(), "current"));
        first = publish(theirs(), "nightly", "manifest", "bad.example");
        hourly = publish(theirs(), "hourly", "manifest", "evil.example");
        restart();
        assertTrue(mirror().runRound(), this::faults);
        assertInForce(first);
    }

    @AfterEach
    void close() throws IOException {
        mirror().close();
        publisher().close();
    }

    private void restart() throws IOException {
        restart(Duration.ofSeconds(20));
    }

    private void restart(Duration timeout) throws IOException {
        mirror.ifPresent(Mirror::close);
        SnapshotReader reader = new SnapshotReader(SnapshotScope.WHOLE, keys().trusted(trustedKeys), now::get);
        MirrorOptions options = new MirrorOptions(
                publisher().url(),
                Duration.ofHours(1),
                Optional.empty(),
                timeout,
                1 << 24,
                MirrorOptions.OnExpired.UNREADY,
                false,
                "");
        mirror = Optional.of(new Mirror(options, ours(), reader, 5, now::get));
    }

    private PublishedStateWriter createWriter(Path root, String key) throws IOException {
        return new PublishedStateWriter(root, keys().signing(key), LIFETIME, now::get);
    }

    private String publish(Path root, String layer, String key, String... domains) throws Exception {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, layer, now.get())) {
            Snapshots.write(writer, Snapshots.SUFFIXES, domains);
            writer.signWith(keys().signing(key).orElseThrow());
            return writer.publish(List.of(Snapshots.feed(domains.length)), domains.length)
                    .generation();
        }
    }

    private byte[] publishedState(Path root, String key) throws IOException {
        boolean _ = createWriter(root, key).publish();
        return PublishedState.FORM.readBytes(root).orElseThrow();
    }

    private static Reply replyWith(byte[] body) {
        return (request, out) -> ScriptedPublisher.write(out, "200 OK", "", body);
    }

    private Reply replyChanged(UnaryOperator<byte[]> by) {
        return (request, out) ->
                ScriptedPublisher.write(out, "200 OK", "", by.apply(publisher().bytes(request.path())));
    }

    private Reply replyReplaced(String from, String to) {
        return replyChanged(bytes -> new String(bytes, UTF_8).replace(from, to).getBytes(UTF_8));
    }

    private void assertInForce(String generation) throws IOException {
        assertEquals(Optional.of(generation), new LayerDirectory(ours(), "nightly").readCurrent());
        assertEquals(Optional.of(hourly), new LayerDirectory(ours(), "hourly").readCurrent());
    }

    private String faults() {
        return mirror().readStatus().faults().toString();
    }

    /// @param prepare makes the publisher attack; the first generation is in force before
    /// @param expectedFault a part of the fault that the mirror reports
    record Attack(String name, Step prepare, String expectedFault) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    interface Step {
        void run(AttacksOnAMirrorIT test) throws Exception;
    }

    static Stream<Attack> attacks() {
        return Stream.of(
                new Attack("replay", AttacksOnAMirrorIT::replayOldStatement, "rolled back"),
                new Attack("freeze", AttacksOnAMirrorIT::replyExpired, "frozen"),
                new Attack(
                        "mix and match",
                        AttacksOnAMirrorIT::mixGenerations,
                        "does not match the digest in the publisher"),
                new Attack(
                        "truncated",
                        test -> test.publishAndReply(
                                "domain.bloom", test.replyChanged(whole -> Arrays.copyOf(whole, 1000))),
                        "ends after 1000"),
                new Attack(
                        "flipped",
                        test -> test.publishAndReply("domain.bloom", test.replyChanged(AttacksOnAMirrorIT::flipBit)),
                        "SHA-256 is not what the manifest says"),
                new Attack(
                        "statement flipped",
                        test -> test.publishAndReply("announced", test.replyReplaced("hourly", "houRly")),
                        "is not what a publisher writes"),
                new Attack("counter reset", AttacksOnAMirrorIT::resetCounter, "rolled back"),
                new Attack("two statements", AttacksOnAMirrorIT::publishSecondStatement, "two statements"),
                new Attack(
                        "foreign key",
                        test -> {
                            test.publisher().publishWith(test.createWriter(test.theirs(), "foreign"));
                            test.publishAndReply("nothing", replyWith(new byte[0]));
                        },
                        "no Ed25519 signature by a key"),
                new Attack(
                        "online key signs a manifest",
                        test -> publishSignedBy(test, "current"),
                        "not the signature of manifest.json by a key for manifests"),
                new Attack(
                        "manifest key says what is current",
                        test -> {
                            test.publisher().publishWith(test.createWriter(test.theirs(), "manifest"));
                            test.publishAndReply("nothing", replyWith(new byte[0]));
                        },
                        "no Ed25519 signature by a key"),
                new Attack(
                        "wrong layer", AttacksOnAMirrorIT::publishUnderWrongLayer, "manifest.json: is that of hourly/"),
                new Attack(
                        "path names",
                        test -> test.publishForgedManifest("\"exact/000001.sst\"", "\"../../evil\""),
                        "leads out of the snapshot"),
                new Attack(
                        "endless",
                        test -> test.publishAndReply("announced", AttacksOnAMirrorIT::sendEndlessly),
                        "more than the "),
                new Attack(
                        "absurd counts",
                        test -> test.publishForgedManifest("\"entries\" : 1,", "\"entries\" : " + Long.MAX_VALUE + ","),
                        "beyond all bounds"),
                new Attack(
                        "to come",
                        test -> test.publishForgedManifest("\"createdAt\" : \"2026", "\"createdAt\" : \"2028"),
                        "which is in the future"),
                new Attack(
                        "out of reach",
                        test -> test.publishForgedManifest("\"createdAt\" : \"2026", "\"createdAt\" : \"+1000000000"),
                        "createdAt"),
                new Attack(
                        "line end in a name",
                        test -> test.publishForgedManifest("\"name\" : \"sample\"", "\"name\" : \"sample\\nadopted\""),
                        "control characters"),
                new Attack(
                        "slow",
                        test -> {
                            test.publishAndReply("domain.bloom", AttacksOnAMirrorIT::sendSlowly);
                            test.restart(Duration.ofSeconds(2));
                        },
                        "stalled"));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void attack_isNotAdoptedAndIsNamed(Attack attack) throws Exception {
        attack.prepare().run(this);
        assertFalse(mirror().runRound());
        assertTrue(faults().contains(attack.expectedFault()), this::faults);
        assertFalse(faults().contains("\n"), this::faults);
        assertInForce(first);
    }

    private void replayOldStatement() throws Exception {
        byte[] old = publishedState(theirs(), "current");
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        assertTrue(mirror().runRound(), this::faults);
        first = second;
        publisher().reply("announced", replyWith(old));
    }

    /// The old statement is signed and unchanged, but expired.
    private void replyExpired() throws Exception {
        publisher().reply("announced", replyWith(publishedState(theirs(), "current")));
        now.set(Snapshots.NOW.plus(LIFETIME).plusSeconds(1));
    }

    /// The manifest and all files of a signed generation under the name of another.
    private void mixGenerations() throws Exception {
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        publisher()
                .reply(
                        "manifest.json",
                        (request, out) -> ScriptedPublisher.write(
                                out,
                                "200 OK",
                                "",
                                publisher().bytes(request.path().replace(second, first))));
    }

    private void resetCounter() throws Exception {
        Files.delete(theirs().resolve(PublishedState.FILE_NAME));
        now.set(Snapshots.NOW.minusSeconds(3600));
        publishAndReply("nothing", replyWith(new byte[0]));
    }

    private void publishSecondStatement() throws Exception {
        byte[] before = publishedState(theirs(), "current");
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        assertTrue(mirror().runRound(), this::faults);
        first = second;
        Files.write(theirs().resolve(PublishedState.FILE_NAME), before);
        String _ = publish(theirs(), "nightly", "manifest", "third.example");
    }

    /// A signed generation of another layer instead of one of this layer.
    private void publishUnderWrongLayer() throws Exception {
        String other = publish(theirs(), "hourly", "manifest", "second.example");
        Path nightly = theirs().resolve("nightly");
        Files.move(theirs().resolve("hourly").resolve(other), nightly.resolve(other));
        Files.writeString(nightly.resolve("current"), other + "\n");
        Files.writeString(theirs().resolve("hourly/current"), hourly + "\n");
    }

    private static void publishSignedBy(AttacksOnAMirrorIT test, String key) throws Exception {
        String _ = test.publish(test.theirs(), "nightly", key, "second.example");
    }

    private void publishAndReply(String path, Reply reply) throws Exception {
        String _ = publish(theirs(), "nightly", "manifest", "second.example");
        publisher().reply(path, reply);
    }

    /// A changed manifest, signed by someone who has all keys.
    private void publishForgedManifest(String from, String to) throws Exception {
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        byte[] signed = publishedState(theirs(), "current");
        Path manifest = theirs().resolve("nightly").resolve(second).resolve("manifest.json");
        String text = Files.readString(manifest);
        assertTrue(text.contains(from), text);
        Files.writeString(manifest, ResealedManifest.of(text.replace(from, to)));
        Path signature = manifest.resolveSibling("manifest.json.sig");
        Files.write(
                signature, ResealedManifest.signature(Files.readAllBytes(manifest), folder.resolve("manifest.key")));
        byte[] forged = ResealedManifest.statement(
                signed, second, Files.readAllBytes(manifest), List.of(folder.resolve("current.key")));
        publisher().reply("announced", replyWith(forged));
    }

    private static byte[] flipBit(byte[] bytes) {
        bytes[bytes.length / 2] ^= 4;
        return bytes;
    }

    private static void sendEndlessly(ScriptedPublisher.Request request, OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
        while (true) {
            out.write(new byte[8192]);
        }
    }

    private static void sendSlowly(ScriptedPublisher.Request request, OutputStream out) throws IOException {
        ScriptedPublisher.write(out, "200 OK", "", 100_000, new byte[10]);
        LockSupport.park();
    }

    @Test
    void rollback_isHigherCounterWithOlderGeneration() throws Exception {
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        assertTrue(mirror().runRound(), this::faults);
        assertInForce(second);
        long before = counter();
        new LayerDirectory(theirs(), "nightly").rollback(Optional.of(first), new SnapshotReader(), Optional.empty());
        assertTrue(mirror().runRound(), this::faults);
        assertInForce(first);
        assertEquals(before + 1, counter());
    }

    @Test
    void expiredStatement_staysInUseAndIsNotReadyUntilRenewed() throws Exception {
        publisher().reply("announced", (request, out) -> {});
        now.set(Snapshots.NOW.plus(LIFETIME).plusSeconds(1));
        assertTrue(mirror().readStatus().following().expired());
        assertFalse(mirror().readStatus().following().ready());
        assertFalse(mirror().runRound());
        assertInForce(first);
        publisher().clearReplies();
        assertTrue(mirror().runRound(), this::faults);
        assertTrue(mirror().readStatus().following().ready());
        assertEquals(List.of(), mirror().readStatus().faults());
    }

    @Test
    void lastSeenCounter_survivesRestartAndDamageIsFault() throws Exception {
        long before = counter();
        restart();
        assertEquals(before, counter());
        Files.writeString(ours().resolve(PublishedState.FILE_NAME), "torn");
        assertFalse(mirror().runRound());
        assertTrue(faults().contains("delete it to accept"), this::faults);
        Files.delete(ours().resolve(PublishedState.FILE_NAME));
        assertTrue(mirror().runRound(), this::faults);
    }

    @Test
    void publisherWithoutStatement_isFault() throws Exception {
        publisher().reply("announced", (request, out) -> ScriptedPublisher.write(out, "404 No", "", new byte[0]));
        assertFalse(mirror().runRound());
        assertTrue(faults().contains("status 404"), this::faults);
    }

    /// As docs/fleet.md has it: the new keys beside the old ones on the mirrors first, then on the publisher.
    @Test
    void keyRotation_oldKeyIsRejectedOnceItIsRemoved() throws Exception {
        String old = trustedKeys;
        String fresh = "use: manifest\n" + keys().pair("manifest2", "Ed25519") + "use: current\n"
                + keys().pair("current2", "Ed25519");
        trustedKeys = old + fresh;
        restart();
        String byOld = publish(theirs(), "nightly", "manifest", "second.example");
        assertTrue(mirror().runRound(), this::faults);
        assertInForce(byOld);
        publisher().publishWith(createWriter(theirs(), "current2"));
        String byNew = publish(theirs(), "nightly", "manifest2", "third.example");
        assertTrue(mirror().runRound(), this::faults);
        assertInForce(byNew);
        trustedKeys = fresh;
        restart();
        String fourth = publish(theirs(), "nightly", "manifest2", "fourth.example");
        hourly = publish(theirs(), "hourly", "manifest2", "evil.example");
        assertTrue(mirror().runRound(), this::faults);
        publisher().publishWith(createWriter(theirs(), "current"));
        String stolen = publish(theirs(), "nightly", "manifest", "fifth.example");
        assertFalse(mirror().runRound(), stolen);
        assertTrue(faults().contains("no Ed25519 signature by a key in snapshotKey"), this::faults);
        assertInForce(fourth);
        publisher().publishWith(createWriter(theirs(), "current2"));
        assertFalse(mirror().runRound(), "announced by the new key, and made by the old one");
        assertTrue(faults().contains("not the signature of manifest.json by a key for manifests"), this::faults);
        assertInForce(fourth);
    }

    private long counter() {
        return mirror().readStatus().following().counter().orElseThrow();
    }
}
