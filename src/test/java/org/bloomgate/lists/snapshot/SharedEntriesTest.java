package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bloomgate.base.io.Sha256;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedEntriesTest {
    private static final Duration LIFETIME = Duration.ofHours(36);
    private static final String GOLDEN = "bloomgate-listings 1\ncounter 7\nexpires 2026-11-22T14:03:05Z\nentries 5 "
            + Sha256.hex("a\n".getBytes(US_ASCII)) + " -\n\na\n";

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Snapshots.NOW);
    private String trusted = "";

    @BeforeEach
    void makeKeys() throws IOException {
        trusted = "use: manifest\n" + keys().pair("manifest", "Ed25519") + "use: current\n"
                + keys().pair("current", "Ed25519");
        String _ = keys().pair("foreign", "Ed25519");
    }

    private TestKeys keys() {
        return new TestKeys(folder);
    }

    private Path root() {
        return folder.resolve("snapshots");
    }

    private boolean publish(Optional<String> owner, String entries) throws IOException {
        Optional<SigningKey> key = owner.isPresent() ? keys().signing(owner.get()) : Optional.empty();
        return new SharedEntriesWriter(root(), keys().signing("current"), key, LIFETIME, now::get)
                .publish(() -> SharedEntriesWriter.Entries.of(entries));
    }

    private Statement<SharedEntries> readPublished() throws IOException {
        Statement<SharedEntries> statement = SharedEntries.FORM.read(root()).orElseThrow();
        reader().requireTrusted(statement, SharedEntries.FILE_NAME, now.get());
        return statement;
    }

    private SnapshotReader reader() throws IOException {
        return new SnapshotReader(SnapshotScope.WHOLE, keys().trusted(trusted));
    }

    private boolean isVouched() throws IOException {
        return reader().isVouched(readPublished().content());
    }

    @Test
    void text_equalsGolden() throws Exception {
        Statement<SharedEntries> statement = SharedEntries.FORM.parse(GOLDEN.getBytes(US_ASCII));
        assertEquals(7, statement.counter());
        assertEquals(5, statement.content().revision());
        assertEquals(Instant.parse("2026-11-22T14:03:05Z"), statement.expires());
        assertFalse(new SnapshotReader().isVouched(statement.content()));
        assertEquals("a\n", statement.body());
        assertArrayEquals(
                GOLDEN.getBytes(US_ASCII),
                SharedEntries.FORM
                        .sign(7, statement.expires(), statement.content(), statement.body(), Optional.empty())
                        .encode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bloomgate-listings 1 | bloomgate-listings 2",
                "counter 7 | counter 0",
                "counter 7 | counter 4",
                "counter 7 | counter 9223372036854775807",
                "2026-11-22T14:03:05Z | +1000000000-11-22T14:03:05Z",
                "2026-11-22T14:03:05Z | 2026-13-22T14:03:05Z",
                "entries 5 | entries 05",
                "' -' | ' AAAA'",
                "' -' | ''",
                "entries | entry"
            })
    void malformedStatement_isRejected(String from, String to) {
        assertTrue(GOLDEN.contains(from));
        assertRefused(GOLDEN.replace(from, to));
    }

    private static void assertRefused(String text) {
        SnapshotRefusedException refused = assertThrows(
                SnapshotRefusedException.class, () -> SharedEntries.FORM.parse(text.getBytes(US_ASCII)), text);
        assertEquals("listings: is not what a publisher writes", refused.getMessage());
    }

    @Test
    void truncatedChangedOrTooLong_isRejected() {
        for (int length = 0; length < GOLDEN.length(); length++) {
            assertRefused(GOLDEN.substring(0, length));
        }
        assertRefused(GOLDEN + "b");
        assertRefused(GOLDEN.replace("\na\n", "\nb\n"));
        assertRefused(GOLDEN.replace("\n\na", "\nsignature ed25519 AAAA\n\na"));
        String body = "x".repeat(SharedEntries.MAX_BYTES);
        assertRefused(GOLDEN.replace(Sha256.hex("a\n".getBytes(US_ASCII)), Sha256.hex(body.getBytes(US_ASCII)))
                .replace("\na\n", "\n" + body));
    }

    @Test
    void lifetimeTooLong_isRejected() throws Exception {
        Statement<SharedEntries> statement = SharedEntries.FORM.parse(
                GOLDEN.replace("2026-11-22", "2027-12-22").getBytes(US_ASCII));
        assertThrows(
                SnapshotRefusedException.class,
                () -> new SnapshotReader().requireTrusted(statement, SharedEntries.FILE_NAME, now.get()));
    }

    @Test
    void noEntries_areNotPublishedBeforeFirst() throws Exception {
        assertFalse(publish(Optional.empty(), ""));
        assertTrue(publish(Optional.empty(), "a\n"));
        assertFalse(publish(Optional.empty(), "a\n"));
        long counter = readPublished().counter();
        assertTrue(publish(Optional.empty(), ""));
        assertEquals(counter + 1, readPublished().counter());
        assertEquals("", readPublished().body());
    }

    @Test
    void renewal_keepsRevisionAndVoucher() throws Exception {
        assertTrue(publish(Optional.of("manifest"), "a\n"));
        Statement<SharedEntries> first = readPublished();
        assertTrue(isVouched());
        now.set(Snapshots.NOW.plus(LIFETIME.dividedBy(4)).plusSeconds(1));
        assertTrue(publish(Optional.empty(), "a\n"));
        assertEquals(first.counter() + 1, readPublished().counter());
        assertEquals(first.content().revision(), readPublished().content().revision());
        assertTrue(isVouched());
        assertTrue(publish(Optional.empty(), "b\n"));
        assertFalse(isVouched(), "the online key alone vouches for nothing");
        assertNotEquals(first.content().revision(), readPublished().content().revision());
        long revision = readPublished().content().revision();
        assertTrue(publish(Optional.of("manifest"), "b\n"));
        assertTrue(isVouched());
        assertEquals(revision, readPublished().content().revision());
    }

    @Test
    void voucher_isValidOnlyByKeyForManifests() throws Exception {
        assertTrue(publish(Optional.of("foreign"), "a\n"));
        assertFalse(isVouched());
        assertTrue(publish(Optional.of("current"), "a\n"));
        assertFalse(isVouched());
        assertTrue(publish(Optional.of("manifest"), "a\n"));
        assertTrue(isVouched());
    }

    @Test
    void unreadableStatement_isNotReplaced() throws Exception {
        Files.createDirectories(root());
        Files.writeString(root().resolve(SharedEntries.FILE_NAME), "torn");
        assertThrows(IOException.class, () -> publish(Optional.empty(), "a\n"));
        assertThrows(IOException.class, () -> SharedEntries.FORM.readHead(root()));
    }

    @Test
    void tag_differsForEachStatement() throws Exception {
        assertEquals(Optional.empty(), SharedEntries.FORM.readHead(root()));
        assertTrue(publish(Optional.empty(), "a\n"));
        String first = readTag();
        assertEquals(first, readPublished().tag());
        assertTrue(publish(Optional.of("manifest"), "a\n"));
        assertNotEquals(first, readTag());
    }

    private String readTag() throws IOException {
        return SharedEntries.FORM.readHead(root()).orElseThrow().tag();
    }
}
