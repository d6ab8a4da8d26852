package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedStateTest {
    private static final String GENERATION = "20261121T020305Z-09af";
    private static final String GOLDEN = "bloomgate-current 1\ncounter 7\nexpires 2026-11-22T14:03:05Z\nlayer nightly "
            + GENERATION + " " + "ab".repeat(32) + " 2026-11-21T03:00:00Z\nlayer other " + GENERATION + " "
            + "cd".repeat(32) + " -\n";
    private static final Duration LIFETIME = Duration.ofHours(36);

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Snapshots.NOW);

    private Path root() {
        return folder.resolve("snapshots");
    }

    private TestKeys keys() {
        return new TestKeys(folder);
    }

    @Test
    void text_equalsGolden() throws Exception {
        PublishedState state = new PublishedState(List.of(
                new PublishedState.CurrentGeneration(
                        "nightly", GENERATION, "ab".repeat(32), Optional.of(Instant.parse("2026-11-21T03:00:00.9Z"))),
                new PublishedState.CurrentGeneration("other", GENERATION, "cd".repeat(32), Optional.empty())));
        Instant expires = Instant.parse("2026-11-22T14:03:05Z");
        assertEquals(
                GOLDEN,
                new String(
                        PublishedState.FORM
                                .sign(7, expires, state, "", Optional.empty())
                                .encode(),
                        US_ASCII));
        Statement<PublishedState> statement = PublishedState.FORM.parse(GOLDEN.getBytes(US_ASCII));
        assertEquals(7, statement.counter());
        assertEquals(expires, statement.expires());
        assertEquals(state, statement.content());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bloomgate-current 1 | bloomgate-current 2",
                "counter 7 | counter 0",
                "counter 7 | counter 07",
                "counter 7 | counter -7",
                "counter 7 | counter 9223372036854775807",
                "2026-11-22T14:03:05Z | +1000000000-11-22T14:03:05Z",
                "2026-11-22T14:03:05Z | 2026-13-22T14:03:05Z",
                "2026-11-22T14:03:05Z | 2026-11-22T14:03:05.1Z",
                "nightly | ../nightly",
                "nightly | Nightly",
                "nightly | other",
                "20261121T020305Z-09af | 20261321T020305Z-09af",
                "abab | abAB",
                "' -' | ' '",
                "layer nightly | layers nightly"
            })
    void malformedStatement_isRejected(String from, String to) {
        assertTrue(GOLDEN.contains(from));
        assertRefused(GOLDEN.replace(from, to));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                " ",
                "signature rsa AAAA\n",
                "signature ed25519 AAAA\n",
                "signature ed25519 \n",
                "layer nightly\r 20261121T020305Z-09af\n"
            })
    void trailingTextOrTruncation_isRejected(String more) {
        assertRefused(GOLDEN + more);
        assertRefused(GOLDEN.substring(0, GOLDEN.length() - 1));
    }

    @Test
    void layers_areAtMostSixteen() throws Exception {
        assertEquals(
                16, PublishedState.FORM.parse(layers(16)).content().layers().size());
        assertThrows(SnapshotRefusedException.class, () -> PublishedState.FORM.parse(layers(17)));
    }

    private static byte[] layers(int count) {
        StringBuilder text = new StringBuilder("bloomgate-current 1\ncounter 7\nexpires 2026-11-22T14:03:05Z\n");
        for (int i = 0; i < count; i++) {
            text.append("layer l%d %s %s -\n".formatted(i, GENERATION, "ab".repeat(32)));
        }
        return text.toString().getBytes(US_ASCII);
    }

    private static void assertRefused(String text) {
        SnapshotRefusedException refused = assertThrows(
                SnapshotRefusedException.class, () -> PublishedState.FORM.parse(text.getBytes(US_ASCII)), text);
        assertEquals("announced: is not what a publisher writes", refused.getMessage());
    }

    @Test
    void statement_isRenewedAfterChangeAndQuarterOfLifetime() throws Exception {
        PublishedStateWriter writer = new PublishedStateWriter(root(), Optional.empty(), LIFETIME, now::get);
        assertFalse(writer.publish(), "no layer yet");
        String first = Snapshots.publish(root(), "nightly", "bad.example").generation();
        assertTrue(writer.publish());
        assertEquals(Snapshots.NOW.getEpochSecond(), readPublished().counter());
        assertFalse(writer.publish());
        now.set(Snapshots.NOW.plus(LIFETIME.dividedBy(4)).minusSeconds(1));
        assertFalse(writer.publish());
        now.set(Snapshots.NOW.plus(LIFETIME.dividedBy(4)).plusSeconds(1));
        assertTrue(writer.publish());
        String _ = Snapshots.publish(root(), "nightly", "evil.test").generation();
        assertTrue(writer.publish());
        new LayerDirectory(root(), "nightly").rollback(Optional.of(first), new SnapshotReader(), Optional.empty());
        assertTrue(writer.publish());
        assertEquals(Snapshots.NOW.getEpochSecond() + 3, readPublished().counter());
        assertEquals(first, readPublished().content().layers().getFirst().generation());
        new LayerDirectory(root(), "nightly").confirm(first, new SnapshotReader(), Optional.empty(), now.get());
        assertTrue(writer.publish());
    }

    @Test
    void damagedLayer_keepsPublishedGeneration() throws Exception {
        PublishedStateWriter writer = new PublishedStateWriter(root(), Optional.empty(), LIFETIME, now::get);
        String _ = Snapshots.publish(root(), "nightly", "bad.example").generation();
        assertTrue(writer.publish());
        byte[] before = PublishedState.FORM.readBytes(root()).orElseThrow();
        Files.writeString(root().resolve("nightly/current"), "20991121T020305Z-09af\n");
        assertFalse(writer.publish());
        assertArrayEquals(before, PublishedState.FORM.readBytes(root()).orElseThrow());
    }

    @Test
    void unreadableStatement_isNotReplaced() throws Exception {
        PublishedStateWriter writer = new PublishedStateWriter(root(), Optional.empty(), LIFETIME, now::get);
        String _ = Snapshots.publish(root(), "nightly", "bad.example").generation();
        Files.writeString(root().resolve(PublishedState.FILE_NAME), "torn");
        assertThrows(IOException.class, writer::publish);
    }

    @Test
    void signedStatement_isNotReplacedByUnsigned() throws Exception {
        String _ = keys().pair("current", "Ed25519");
        Optional<SigningKey> signing = keys().signing("current");
        String _ = Snapshots.publish(root(), "nightly", "bad.example").generation();
        assertTrue(new PublishedStateWriter(root(), signing, LIFETIME, now::get).publish());
        byte[] before = PublishedState.FORM.readBytes(root()).orElseThrow();
        PublishedStateWriter without = new PublishedStateWriter(root(), Optional.empty(), LIFETIME, now::get);
        assertFalse(without.publish());
        String _ = Snapshots.publish(root(), "nightly", "evil.test").generation();
        assertThrows(IOException.class, without::publish);
        assertArrayEquals(before, PublishedState.FORM.readBytes(root()).orElseThrow());
    }

    @Test
    void keyOfAnotherUse_isRejected() throws Exception {
        String manifest = "use: manifest\n" + keys().pair("manifest", "Ed25519");
        String next = "# use: current\n" + keys().pair("next", "Ed25519");
        assertTrustedIs(true, manifest + next, "next");
        assertTrustedIs(false, manifest + next, "manifest");
        assertTrustedIs(true, keys().pair("any", "Ed25519"), "any");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"use: everything", "use:", "valid-until: soon", "valid-untill: 2026-11-21T00:00:00Z", "valid: 1"
            })
    void unknownRemarkAboveKey_isAnError(String line) throws Exception {
        String trusted = line + "\n" + keys().pair("any", "Ed25519");
        assertThrows(IOException.class, () -> keys().trusted(trusted));
    }

    @Test
    void keysWithoutAUse_areRejected() throws Exception {
        String trusted = "use: current\n" + keys().pair("any", "Ed25519");
        assertThrows(IOException.class, () -> keys().trusted(trusted));
    }

    private void assertTrustedIs(boolean isTrusted, String trusted, String key) throws Exception {
        SnapshotReader reader = new SnapshotReader(SnapshotScope.WHOLE, keys().trusted(trusted));
        Statement<PublishedState> statement = PublishedState.FORM.sign(
                7,
                Snapshots.NOW.plusSeconds(60).truncatedTo(ChronoUnit.SECONDS),
                new PublishedState(List.of()),
                "",
                keys().signing(key));
        if (isTrusted) {
            reader.requireTrusted(statement, PublishedState.FILE_NAME, now.get());
        } else {
            assertThrows(
                    SnapshotRefusedException.class,
                    () -> reader.requireTrusted(statement, PublishedState.FILE_NAME, now.get()));
        }
    }

    private Statement<PublishedState> readPublished() throws IOException {
        return PublishedState.FORM.read(root()).orElseThrow();
    }
}
