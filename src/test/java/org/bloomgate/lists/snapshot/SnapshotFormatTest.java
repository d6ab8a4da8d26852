package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.FilterLayout;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.PartRoot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotFormatTest {
    private final SnapshotReader unsigned = new SnapshotReader();
    private SnapshotReader reader = unsigned;

    @TempDir
    Path root;

    private Path snapshot = Path.of("");
    private SnapshotManifest manifest = golden();

    @BeforeEach
    void publish() throws Exception {
        manifest = Snapshots.publish(root, "nightly", "bad.example");
        snapshot = root.resolve("nightly").resolve(manifest.generation());
    }

    @Test
    void manifest_equalsGolden() throws Exception {
        assertEquals(goldenText(), new String(ManifestJson.write(golden()), UTF_8) + "\n");
        assertEquals(golden(), ManifestJson.read(goldenText().strip().getBytes(UTF_8)));
    }

    /// Readers of before refuse the field, as they would refuse the filter.
    @Test
    void layout_isWrittenIfNotDefault() throws Exception {
        ManifestFilter usual = golden().filters().getFirst();
        ManifestFilter fuse = new ManifestFilter(
                usual.kind(), usual.file(), usual.seed(), FilterLayout.LINE_FUSE, 1, 4, 7, 7, 1e-6, 28);
        SnapshotManifest manifest = new SnapshotManifest(
                2,
                1,
                "nightly",
                golden().generation(),
                Snapshots.NOW,
                "ab".repeat(32),
                7,
                golden().feeds(),
                List.of(usual, fuse),
                golden().files(),
                Map.of());
        byte[] written = ManifestJson.write(manifest);
        String text = new String(written, UTF_8);
        assertEquals(1, text.split("\"layout\"", -1).length - 1, text);
        assertTrue(text.contains("\"layout\" : \"line-fuse\""), text);
        assertEquals(manifest, ManifestJson.read(written));
        String unknown = ManifestJson.seal(text.replace("line-fuse", "three-line"));
        assertThrows(SnapshotRefusedException.class, () -> ManifestJson.read(unknown.getBytes(UTF_8)));
    }

    private static String goldenText() throws Exception {
        try (InputStream in = SnapshotFormatTest.class.getResourceAsStream("/snapshots/manifest.json")) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static SnapshotManifest golden() {
        return new SnapshotManifest(
                2,
                1,
                "nightly",
                "20261121T020305Z-09af",
                Snapshots.NOW,
                "ab".repeat(32),
                7,
                List.of(Snapshots.feed(7)),
                List.of(new ManifestFilter(
                        KeyKind.DOMAIN,
                        "domain.bloom",
                        "0123456789abcdef",
                        FilterLayout.TWO_LINE,
                        1,
                        18,
                        7,
                        10,
                        1e-6,
                        126)),
                List.of(new ManifestFile("exact/000001.sst", 11, "cd".repeat(32))),
                Map.of());
    }

    @Test
    void flippedBitInFile_isRejected() throws Exception {
        for (ManifestFile file : manifest.files()) {
            for (long at = 0; at < file.sizeBytes(); at += 97) {
                Snapshots.flip(snapshot.resolve(file.path()), at);
                refusedFor(file.path() + ": SHA-256");
                Snapshots.flip(snapshot.resolve(file.path()), at);
            }
        }
        reader.open(snapshot).close();
    }

    @Test
    void fileChangedWhileOpening_isRejected() throws Exception {
        Path store = snapshot.resolve("exact/000001.sst");
        byte[] bytes = Files.readAllBytes(store);
        try (Snapshot opened = unsigned.open(snapshot)) {
            opened.requireUnchanged();
            Files.move(Files.write(root.resolve("same"), bytes), store, StandardCopyOption.REPLACE_EXISTING);
            IOException changed = assertThrows(IOException.class, opened::requireUnchanged);
            assertEquals("exact/000001.sst: changed while the snapshot was opened", changed.getMessage());
        }
        try (Snapshot opened = unsigned.open(snapshot)) {
            Files.write(store, new byte[] {1}, StandardOpenOption.APPEND);
            assertThrows(IOException.class, opened::requireUnchanged);
            Files.delete(store);
            assertThrows(IOException.class, opened::requireUnchanged);
        }
    }

    @Test
    void truncatedOrMissingFile_isRejected() throws Exception {
        refusesTruncatedAndMissingFiles();
    }

    private void refusesTruncatedAndMissingFiles() throws Exception {
        for (ManifestFile file : manifest.files()) {
            Path path = snapshot.resolve(file.path());
            byte[] whole = Files.readAllBytes(path);
            Files.write(path, Arrays.copyOf(whole, whole.length - 1));
            refusedFor(file.path() + ": ");
            Files.delete(path);
            refusedFor(file.path() + ": missing");
            Files.write(path, whole);
        }
        reader.open(snapshot).close();
    }

    @Test
    void storeOfRocksDb_isRefusedWithWhatToDo() throws Exception {
        Files.writeString(snapshot.resolve("exact/CURRENT"), "MANIFEST-000004\n");
        List<ManifestFile> files = new ArrayList<>(manifest.files());
        files.add(new ManifestFile("exact/CURRENT", 16, Sha256.hex(snapshot.resolve("exact/CURRENT"))));
        rewrite(files);
        refusedFor("exact/CURRENT: the exact store is one of RocksDB, of an earlier version:"
                + " run 'bloomgate rebuild --all' where the snapshot was made");
        new SnapshotReader(SnapshotScope.WITHOUT_EXACT, SnapshotKeys.none())
                .open(snapshot)
                .close();
    }

    @Test
    void rootsOfParts_areWrittenReadAndBounded() throws Exception {
        PartRoot root = new PartRoot(4096, 100, "ef".repeat(32));
        String path = "exact/000001.sst";
        SnapshotManifest withRoot = RecordCopy.with(manifest, "parts", Map.of(path, root));
        assertEquals(withRoot, ManifestJson.read(ManifestJson.write(withRoot)));
        for (PartRoot wrong : List.of(
                new PartRoot(-1, 100, root.sha256()),
                new PartRoot(4096, PartRoot.MAX_BYTES + 1, root.sha256()),
                new PartRoot(4096, -1, root.sha256()),
                new PartRoot(4096, 100, "EF".repeat(32)))) {
            Files.write(
                    snapshot.resolve("manifest.json"),
                    ManifestJson.write(RecordCopy.with(manifest, "parts", Map.of(path, wrong))));
            refusedFor("manifest.json: " + path);
        }
        Files.write(
                snapshot.resolve("manifest.json"),
                ManifestJson.write(RecordCopy.with(manifest, "parts", Map.of("exact/other.pages", root))));
        refusedFor("exact/other.pages is not among the files");
    }

    @Test
    void linkedFile_isRejected() throws Exception {
        Path store = snapshot.resolve("exact/000001.sst");
        Files.move(store, root.resolve("outside"));
        Files.createSymbolicLink(store, root.resolve("outside"));
        refusedFor("no regular file");
        Files.delete(store);
        Files.move(root.resolve("outside"), store);
        Files.move(snapshot.resolve("exact"), root.resolve("outside"));
        Files.createSymbolicLink(snapshot.resolve("exact"), root.resolve("outside"));
        refusedFor("leads out of the snapshot");
    }

    @Test
    void fileOutsideManifest_isRejected() throws Exception {
        Files.writeString(snapshot.resolve("exact/CURRENT2"), "more");
        refusedFor("exact/CURRENT2: is not in the manifest");
        Files.delete(snapshot.resolve("exact/CURRENT2"));
        Files.createSymbolicLink(snapshot.resolve("more"), Files.createDirectory(root.resolve("folder")));
        refusedFor("more: a link, or no regular file");
        Files.delete(snapshot.resolve("more"));
        Files.createDirectory(snapshot.resolve("empty"));
        reader.open(snapshot).close();
    }

    @Test
    void linkInsteadOfFolder_isRejected() throws Exception {
        Files.move(snapshot, root.resolve("outside"));
        Files.createSymbolicLink(snapshot, root.resolve("outside"));
        refusedFor("a link instead of a directory");
    }

    @Test
    void missingManifest_isRejected() throws Exception {
        Files.delete(snapshot.resolve("manifest.json"));
        refusedFor("missing");
    }

    @Test
    void manifestAboveLimit_isRejected() throws Exception {
        Path file = snapshot.resolve("manifest.json");
        String text = Files.readString(file);
        Files.writeString(file, ManifestJson.seal(text + " ".repeat(ManifestJson.MAX_BYTES - text.length())));
        reader.readManifest(snapshot);
        Files.writeString(file, text + " ".repeat(ManifestJson.MAX_BYTES - text.length() + 1));
        refusedFor("longer than");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"formatVersion\" : 2 | \"formatVersion\" : 3 | format version 3",
                "\"formatVersion\" : 2 | \"formatVersion\" : \"2\" | format version",
                "\"formatVersion\" : 2, | '' | format version",
                "\"canonicalFormVersion\" : 2 | \"canonicalFormVersion\" : 99 | canonical form 99",
                "\"canonicalFormVersion\" : 2 | \"canonicalFormVersion\" : 1.5 | manifest.json",
                "\"layer\" : | \"unknown\" : 1, \"layer\" : | unknown",
                "\"layer\" : | \"layer\" : \"twice\", \"layer\" : | uplicate",
                "\"layer\" : \"nightly\" | \"layer\" : null | layer",
                "\"proofCount\" : 1, | '' | proofCount",
                "\"kind\" : \"domain\" | \"kind\" : \"horse\" | horse",
                "\"kind\" : \"domain\" | \"kind\" : 1 | manifest.json",
                "\"generation\" : \"2 | \"generation\" : \"../2 | generation id",
                "domain.bloom\", | other.bloom\", | manifest.json",
                "\"bitsPerKey\" : 4 | \"bitsPerKey\" : 6 | header and manifest differ",
                "\"files\" : [ { | \"files\" : [ null, { | manifest.json"
            })
    void changedManifest_isRejected(String from, String to, String reason) throws Exception {
        Path file = snapshot.resolve("manifest.json");
        String text = Files.readString(file);
        assertTrue(text.contains(from), text);
        Files.writeString(file, ManifestJson.seal(text.replaceFirst(Pattern.quote(from), to)));
        refusedFor(reason);
    }

    @Test
    void flippedBitInManifest_isRejected() throws Exception {
        Path file = snapshot.resolve("manifest.json");
        byte[] whole = Files.readAllBytes(file);
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(
                    SnapshotRefusedException.class, () -> ManifestJson.read(flipped), () -> new String(flipped, UTF_8));
        }
    }

    @Test
    void manifestWithoutOwnDigest_isRejected() throws Exception {
        Path file = snapshot.resolve("manifest.json");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.lastIndexOf(',')) + "}");
        refusedFor("its own SHA-256");
        Files.writeString(file, text + "{}");
        refusedFor("manifest.json");
        Files.writeString(file, ManifestJson.seal(text).replace("phishing", "malware!"));
        refusedFor("last field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "null", "{", "{}", "\u0000", "\"x\""})
    void malformedManifest_isRejected(String text) throws Exception {
        Files.writeString(snapshot.resolve("manifest.json"), text);
        refusedFor("manifest.json");
    }

    @Test
    void deeplyNestedJson_isRejected() throws Exception {
        Files.writeString(snapshot.resolve("manifest.json"), "[".repeat(100_000));
        refusedFor("manifest.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/etc/x", "a/../b", "a//b", "", ".", "a/..", "C:\\x", "a\\b", "a/", "a\u0000b"})
    void pathLeadingOut_isRejected(String path) throws Exception {
        List<ManifestFile> files = new ArrayList<>(manifest.files());
        files.add(new ManifestFile(path, 0, "00".repeat(32)));
        rewrite(files);
        refusedFor("leads out");
    }

    @Test
    void duplicateFile_isRejected() throws Exception {
        List<ManifestFile> files = new ArrayList<>(manifest.files());
        files.add(files.getFirst());
        rewrite(files);
        refusedFor("twice");
    }

    @Test
    void unlistedFilterOrSuffixList_isRejected() throws Exception {
        for (String left : List.of("domain.bloom", "public_suffix_list.dat")) {
            rewrite(manifest.files().stream()
                    .filter(file -> !file.path().equals(left))
                    .toList());
            refusedFor(left + " is not among the files");
        }
    }

    private void rewrite(List<ManifestFile> files) throws Exception {
        SnapshotManifest changed = new SnapshotManifest(
                manifest.formatVersion(),
                manifest.canonicalFormVersion(),
                manifest.layer(),
                manifest.generation(),
                manifest.createdAt(),
                manifest.publicSuffixListSha256(),
                manifest.proofCount(),
                manifest.feeds(),
                manifest.filters(),
                files,
                manifest.parts());
        Files.write(snapshot.resolve("manifest.json"), ManifestJson.write(changed));
    }

    private void refusedFor(String reason) {
        assertReason(reason, assertThrows(SnapshotRefusedException.class, () -> reader.open(snapshot)));
    }

    private static void assertReason(String reason, SnapshotRefusedException refusal) {
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains(reason), message);
    }
}
