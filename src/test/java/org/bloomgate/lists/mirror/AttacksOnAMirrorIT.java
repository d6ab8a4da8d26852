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
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.lists.snapshot.StatementWriter;
import org.bloomgate.lists.snapshot.TestKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Who sits between a publisher and its mirrors, or on the publisher's web server, or has one of its keys.
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
    void oneRoundIsWell() throws Exception {
        StringBuilder trusted = new StringBuilder();
        for (String name : List.of("manifest", "current")) {
            trusted.append("use: ").append(name).append('\n').append(keys().pair(name, "Ed25519"));
        }
        String _ = keys().pair("foreign", "Ed25519");
        trustedKeys = trusted.toString();
        scripted = Optional.of(new ScriptedPublisher(theirs()));
        publisher().announceBy(announcer(theirs(), "current"));
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

    private StatementWriter announcer(Path root, String key) throws IOException {
        return new StatementWriter(root, keys().signing(key), LIFETIME, now::get);
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
        boolean _ = announcer(root, key).publish();
        return PublishedState.FORM.readBytes(root).orElseThrow();
    }

    private static Reply always(byte[] body) {
        return (request, out) -> ScriptedPublisher.write(out, "200 OK", "", body);
    }

    private Reply changed(UnaryOperator<byte[]> by) {
        return (request, out) ->
                ScriptedPublisher.write(out, "200 OK", "", by.apply(publisher().bytes(request.path())));
    }

    private Reply replaced(String from, String to) {
        return changed(bytes -> new String(bytes, UTF_8).replace(from, to).getBytes(UTF_8));
    }

    private void assertInForce(String generation) throws IOException {
        assertEquals(Optional.of(generation), new LayerDirectory(ours(), "nightly").readCurrent());
        assertEquals(Optional.of(hourly), new LayerDirectory(ours(), "hourly").readCurrent());
    }

    private String faults() {
        return mirror().readStatus().faults().toString();
    }

    /// @param name what is tried, in a word
    /// @param prepare has the publisher do it; what is in force before is the first generation
    /// @param named what the mirror says of it
    record Attack(String name, Step prepare, String named) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    interface Step {
        void by(AttacksOnAMirrorIT test) throws Exception;
    }

    static Stream<Attack> attacks() {
        return Stream.of(
                new Attack("replay", AttacksOnAMirrorIT::replay, "rolled back"),
                new Attack("freeze", AttacksOnAMirrorIT::freeze, "frozen"),
                new Attack(
                        "mix and match", AttacksOnAMirrorIT::mixAndMatch, "does not match the digest in the publisher"),
                new Attack(
                        "truncated",
                        test -> test.next("domain.bloom", test.changed(whole -> Arrays.copyOf(whole, 1000))),
                        "ends after 1000"),
                new Attack(
                        "flipped",
                        test -> test.next("domain.bloom", test.changed(AttacksOnAMirrorIT::flipped)),
                        "SHA-256 is not what the manifest says"),
                new Attack(
                        "statement flipped",
                        test -> test.next("announced", test.replaced("hourly", "houRly")),
                        "is not what a publisher writes"),
                new Attack("counter reset", AttacksOnAMirrorIT::counterReset, "rolled back"),
                new Attack("two statements", AttacksOnAMirrorIT::twoStatements, "two statements"),
                new Attack(
                        "foreign key",
                        test -> {
                            test.publisher().announceBy(test.announcer(test.theirs(), "foreign"));
                            test.next("nothing", always(new byte[0]));
                        },
                        "no Ed25519 signature by a key"),
                new Attack(
                        "online key signs a manifest",
                        test -> publishBy(test, "current"),
                        "not the signature of manifest.json by a key for manifests"),
                new Attack(
                        "manifest key says what is current",
                        test -> {
                            test.publisher().announceBy(test.announcer(test.theirs(), "manifest"));
                            test.next("nothing", always(new byte[0]));
                        },
                        "no Ed25519 signature by a key"),
                new Attack("wrong layer", AttacksOnAMirrorIT::wrongLayer, "manifest.json: is that of hourly/"),
                new Attack(
                        "path names",
                        test -> test.stolen("\"exact/000001.sst\"", "\"../../evil\""),
                        "leads out of the snapshot"),
                new Attack("endless", test -> test.next("announced", AttacksOnAMirrorIT::endless), "more than the "),
                new Attack(
                        "absurd counts",
                        test -> test.stolen("\"entries\" : 1,", "\"entries\" : " + Long.MAX_VALUE + ","),
                        "beyond all bounds"),
                new Attack(
                        "to come",
                        test -> test.stolen("\"createdAt\" : \"2026", "\"createdAt\" : \"2028"),
                        "which is in the future"),
                new Attack(
                        "out of reach",
                        test -> test.stolen("\"createdAt\" : \"2026", "\"createdAt\" : \"+1000000000"),
                        "createdAt"),
                new Attack(
                        "line end in a name",
                        test -> test.stolen("\"name\" : \"sample\"", "\"name\" : \"sample\\nadopted\""),
                        "control characters"),
                new Attack(
                        "slow",
                        test -> {
                            test.next("domain.bloom", AttacksOnAMirrorIT::slow);
                            test.restart(Duration.ofSeconds(2));
                        },
                        "stalled"));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void attack_isNotAdoptedAndIsNamed(Attack attack) throws Exception {
        attack.prepare().by(this);
        assertFalse(mirror().runRound());
        assertTrue(faults().contains(attack.named()), this::faults);
        assertFalse(faults().contains("\n"), this::faults);
        assertInForce(first);
    }

    private void replay() throws Exception {
        byte[] old = publishedState(theirs(), "current");
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        assertTrue(mirror().runRound(), this::faults);
        first = second;
        publisher().reply("announced", always(old));
    }

    /// The old statement is signed and was never different; only its time is over.
    private void freeze() throws Exception {
        publisher().reply("announced", always(publishedState(theirs(), "current")));
        now.set(Snapshots.NOW.plus(LIFETIME).plusSeconds(1));
    }

    /// The manifest and all files of a signed generation under the name of another.
    private void mixAndMatch() throws Exception {
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

    private void counterReset() throws Exception {
        Files.delete(theirs().resolve(PublishedState.FILE_NAME));
        now.set(Snapshots.NOW.minusSeconds(3600));
        next("nothing", always(new byte[0]));
    }

    private void twoStatements() throws Exception {
        byte[] before = publishedState(theirs(), "current");
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        assertTrue(mirror().runRound(), this::faults);
        first = second;
        Files.write(theirs().resolve(PublishedState.FILE_NAME), before);
        String _ = publish(theirs(), "nightly", "manifest", "third.example");
    }

    /// A generation of another layer, signed, in the place of one of this.
    private void wrongLayer() throws Exception {
        String other = publish(theirs(), "hourly", "manifest", "second.example");
        Path nightly = theirs().resolve("nightly");
        Files.move(theirs().resolve("hourly").resolve(other), nightly.resolve(other));
        Files.writeString(nightly.resolve("current"), other + "\n");
        Files.writeString(theirs().resolve("hourly/current"), hourly + "\n");
    }

    private static void publishBy(AttacksOnAMirrorIT test, String key) throws Exception {
        String _ = test.publish(test.theirs(), "nightly", key, "second.example");
    }

    private void next(String path, Reply reply) throws Exception {
        String _ = publish(theirs(), "nightly", "manifest", "second.example");
        publisher().reply(path, reply);
    }

    /// A manifest that says so, by somebody who has all keys.
    private void stolen(String from, String to) throws Exception {
        String second = publish(theirs(), "nightly", "manifest", "second.example");
        byte[] said = publishedState(theirs(), "current");
        Path manifest = theirs().resolve("nightly").resolve(second).resolve("manifest.json");
        String text = Files.readString(manifest);
        assertTrue(text.contains(from), text);
        Files.writeString(manifest, ResealedManifest.of(text.replace(from, to)));
        Path signature = manifest.resolveSibling("manifest.json.sig");
        Files.write(
                signature, ResealedManifest.signature(Files.readAllBytes(manifest), folder.resolve("manifest.key")));
        byte[] statement = ResealedManifest.statement(
                said, second, Files.readAllBytes(manifest), List.of(folder.resolve("current.key")));
        publisher().reply("announced", always(statement));
    }

    private static byte[] flipped(byte[] bytes) {
        bytes[bytes.length / 2] ^= 4;
        return bytes;
    }

    private static void endless(ScriptedPublisher.Request request, OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
        while (true) {
            out.write(new byte[8192]);
        }
    }

    private static void slow(ScriptedPublisher.Request request, OutputStream out) throws IOException {
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
        publisher().behave();
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
        publisher().announceBy(announcer(theirs(), "current2"));
        String byNew = publish(theirs(), "nightly", "manifest2", "third.example");
        assertTrue(mirror().runRound(), this::faults);
        assertInForce(byNew);
        trustedKeys = fresh;
        restart();
        String kept = publish(theirs(), "nightly", "manifest2", "fourth.example");
        hourly = publish(theirs(), "hourly", "manifest2", "evil.example");
        assertTrue(mirror().runRound(), this::faults);
        publisher().announceBy(announcer(theirs(), "current"));
        String stolen = publish(theirs(), "nightly", "manifest", "fifth.example");
        assertFalse(mirror().runRound(), stolen);
        assertTrue(faults().contains("no Ed25519 signature by a key in snapshotKey"), this::faults);
        assertInForce(kept);
        publisher().announceBy(announcer(theirs(), "current2"));
        assertFalse(mirror().runRound(), "announced by the new key, and made by the old one");
        assertTrue(faults().contains("not the signature of manifest.json by a key for manifests"), this::faults);
        assertInForce(kept);
    }

    private long counter() {
        return mirror().readStatus().following().counter().orElseThrow();
    }
}
