package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lookup.tier.LayerLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfirmationTest {
    private static final Instant MADE = Snapshots.NOW;
    private static final Instant LATER = MADE.plus(Duration.ofDays(5)).truncatedTo(ChronoUnit.SECONDS);
    private static final SnapshotReader ANY = new SnapshotReader();

    @TempDir
    private Path root;

    private LayerDirectory layer() {
        return new LayerDirectory(root, "nightly");
    }

    private static void pem(Path file, String label, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(label, Base64.getMimeEncoder().encodeToString(bytes), label));
    }

    @Test
    void confirmation_renewsTheAge_swapsNothing() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "a.example").generation();
        try (LiveSnapshots live = new LiveSnapshots(
                        root,
                        ANY,
                        snapshot -> new FakeExact(snapshot.exactDirectory()),
                        PublicSuffixes.bundled(),
                        () -> LATER);
                LayerLease before = live.lease()) {
            assertEquals(MADE, live.readStatus().layers().getFirst().renewedAt());
            layer().confirm(generation, ANY, Optional.empty(), LATER);
            live.checkNow();
            LiveStatus.LayerStatus status = live.readStatus().layers().getFirst();
            assertEquals(LATER, status.renewedAt());
            assertEquals(Optional.of(LATER), status.confirmedAt());
            assertEquals(generation, status.generation());
            try (LayerLease after = live.lease()) {
                assertEquals(LATER, after.layers().getFirst().createdAt());
                assertTrue(before.layers().getFirst().createdAt().isBefore(LATER));
                assertEquals(
                        before.layers().getFirst().confirmedAt(LATER),
                        after.layers().getFirst());
                assertEquals(
                        before.layers().getFirst().filters(),
                        after.layers().getFirst().filters());
            }
        }
    }

    @Test
    void replayedConfirmation_changesNothing() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "a.example").generation();
        layer().confirm(generation, ANY, Optional.empty(), LATER);
        byte[] old = Files.readAllBytes(layer().path().resolve(Confirmation.FILE_NAME));
        Instant newest = LATER.plusSeconds(3600);
        layer().confirm(generation, ANY, Optional.empty(), newest);
        layer().confirm(generation, ANY, old, newest);
        assertEquals(Optional.of(newest), ANY.readConfirmedAt(layer(), generation, newest));
        layer().confirm(generation, ANY, Optional.empty(), LATER);
        assertEquals(Optional.of(newest), ANY.readConfirmedAt(layer(), generation, newest));
    }

    @Test
    void confirmationOfOtherGeneration_hasNoEffect() throws Exception {
        String first = Snapshots.publish(root, "nightly", "a.example").generation();
        layer().confirm(first, ANY, Optional.empty(), LATER);
        byte[] ofFirst = Files.readAllBytes(layer().path().resolve(Confirmation.FILE_NAME));
        String second = Snapshots.publish(root, "nightly", "b.example").generation();
        assertEquals(Optional.empty(), ANY.readConfirmedAt(layer(), second, LATER));
        assertThrows(SnapshotRefusedException.class, () -> layer().confirm(second, ANY, ofFirst, LATER));
        assertThrows(
                SnapshotRefusedException.class,
                () -> layer().confirm(first, ANY, Optional.empty(), LATER.plusSeconds(1)));
        byte[] renamed = new String(ofFirst, US_ASCII).replace(first, second).getBytes(US_ASCII);
        assertThrows(SnapshotRefusedException.class, () -> ANY.verifyConfirmation(layer(), second, renamed, LATER));
    }

    @Test
    void confirmationFromFuture_isRejected() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "a.example").generation();
        layer().confirm(generation, ANY, Optional.empty(), LATER);
        Instant almost = LATER.minus(Duration.ofMinutes(10));
        assertEquals(Optional.of(LATER), ANY.readConfirmedAt(layer(), generation, almost));
        assertThrows(
                SnapshotRefusedException.class, () -> ANY.readConfirmedAt(layer(), generation, almost.minusSeconds(1)));
    }

    @Test
    void confirmationOfSignedSnapshot_isSigned() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        KeyPair other = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        pem(root.resolve("key.pem"), "PRIVATE KEY", pair.getPrivate().getEncoded());
        pem(root.resolve("other.pem"), "PRIVATE KEY", other.getPrivate().getEncoded());
        pem(root.resolve("pub.pem"), "PUBLIC KEY", pair.getPublic().getEncoded());
        SigningKey key = SigningKey.read("test", root.resolve("key.pem"));
        SigningKey foreign = SigningKey.read("test", root.resolve("other.pem"));
        SnapshotReader strict =
                new SnapshotReader(SnapshotScope.WHOLE, SnapshotKeys.read("test", root.resolve("pub.pem")));

        String generation = Snapshots.publish(root, "nightly", "a.example").generation();
        Path file = layer().path().resolve(Confirmation.FILE_NAME);
        layer().confirm(generation, ANY, Optional.of(key), LATER);
        byte[] signed = Files.readAllBytes(file);
        assertEquals(Optional.of(LATER), strict.readConfirmedAt(layer(), generation, LATER));

        String later = new String(signed, US_ASCII)
                .replace(LATER.toString(), LATER.plusSeconds(1).toString());
        Files.writeString(file, later);
        assertThrows(SnapshotRefusedException.class, () -> strict.readConfirmedAt(layer(), generation, LATER));
        layer().confirm(generation, ANY, Optional.of(foreign), LATER.plusSeconds(2));
        assertThrows(SnapshotRefusedException.class, () -> strict.readConfirmedAt(layer(), generation, LATER));
        Files.writeString(file, new String(signed, US_ASCII).replaceAll("signature .*\n", ""));
        assertThrows(SnapshotRefusedException.class, () -> strict.readConfirmedAt(layer(), generation, LATER));
        assertEquals(Optional.of(LATER), ANY.readConfirmedAt(layer(), generation, LATER));
    }

    @Test
    void malformedConfirmation_isRejected() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "a.example").generation();
        layer().confirm(generation, ANY, Optional.empty(), LATER);
        byte[] bytes = Files.readAllBytes(layer().path().resolve(Confirmation.FILE_NAME));
        Confirmation.Statement read = Confirmation.parse(bytes);
        assertArrayEquals(bytes, read.confirmation().encode(Optional.empty()));
        for (int cut = 0; cut < bytes.length; cut++) {
            byte[] part = Arrays.copyOf(bytes, cut);
            assertThrows(
                    SnapshotRefusedException.class, () -> Confirmation.parse(part), () -> new String(part, US_ASCII));
        }
        byte[] long1 = Arrays.copyOf(bytes, Confirmation.MAX_BYTES + 1);
        assertThrows(SnapshotRefusedException.class, () -> Confirmation.parse(long1));
        String noDay = new String(bytes, US_ASCII).replaceFirst("at \\d{4}-\\d\\d", "at 2026-13");
        assertThrows(SnapshotRefusedException.class, () -> Confirmation.parse(noDay.getBytes(US_ASCII)));
    }

    @Test
    void prune_keepsOneGenerationOfEachRecentDay() throws Exception {
        Instant today = Instant.parse("2026-03-10T12:00:00Z");
        for (int hours = 24 * 8; hours > 0; hours--) {
            String id = Generation.createId(today.minus(Duration.ofHours(hours)), Optional.empty(), () -> 7);
            Files.createDirectories(root.resolve("hourly").resolve(id));
        }
        LayerDirectory hourly = new LayerDirectory(root, "hourly");
        hourly.prune(3, today);
        assertEquals(
                List.of(
                        "20260308T230000Z",
                        "20260309T230000Z",
                        "20260310T090000Z",
                        "20260310T100000Z",
                        "20260310T110000Z"),
                hourly.listGenerations().stream().map(id -> id.substring(0, 16)).toList());
    }
}
