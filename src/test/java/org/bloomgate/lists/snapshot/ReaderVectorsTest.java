package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterLayout;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.LookupValue;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The vectors in `src/readers/vectors` are what the program makes and accepts. When the format or the canonical form
/// changes, run [ReaderVectors#main] and change docs/formats.md.
class ReaderVectorsTest {
    private static final Path GENERATION = ReaderVectors.FOLDER.resolve("snapshots", ReaderVectors.GENERATION);

    private static final Path DOCUMENT = Path.of("docs", "formats.md");

    /// Kind, value, keys.
    private static final Pattern VALUE_ROW = Pattern.compile("\\| ([a-z]+) \\| `([^`]+)` \\| (`.+`) \\|");

    @Test
    void vectors_equalWhatTheProgramMakes() throws Exception {
        SortedMap<String, byte[]> made = ReaderVectors.make();
        try (Stream<Path> files = Files.walk(ReaderVectors.FOLDER)) {
            List<String> names = files.filter(Files::isRegularFile)
                    .map(file -> ReaderVectors.FOLDER.relativize(file).toString())
                    .filter(name -> !name.equals("publisher.pem"))
                    .toList();
            assertEquals(made.keySet(), new TreeSet<>(names));
        }
        for (var file : made.entrySet()) {
            assertArrayEquals(file.getValue(), read(file.getKey()), file.getKey());
        }
    }

    @Test
    void bothLayouts_haveVectors() throws Exception {
        assertEquals(FilterLayout.TWO_LINE, layout("domain"));
        assertEquals(FilterLayout.LINE_FUSE, layout("url"));
    }

    private static FilterLayout layout(String kind) throws Exception {
        byte[] file = Files.readAllBytes(GENERATION.resolve(kind + ".bloom"));
        return ReaderVectors.header(file).parameters().sizing().layout();
    }

    @Test
    void filters_containPresentKeysOnly() throws Exception {
        for (KeyKind kind : List.of(KeyKind.DOMAIN, KeyKind.URL)) {
            BloomFilter filter = open(Files.readAllBytes(GENERATION.resolve(kind.label() + ".bloom")), kind);
            List<String> present = lines(kind.label() + "-present.txt");
            List<String> absent = lines(kind.label() + "-absent.txt");
            assertEquals(List.of(1000, 1000), List.of(present.size(), absent.size()));
            assertTrue(present.stream().allMatch(key -> contains(filter, key)));
            assertTrue(absent.stream().noneMatch(key -> contains(filter, key)));
        }
    }

    @Test
    void damagedFilters_areRejected() throws Exception {
        try (Stream<Path> files = Files.list(ReaderVectors.FOLDER.resolve("damaged"))) {
            List<Path> damaged = files.toList();
            assertTrue(damaged.size() > 30, damaged.toString());
            for (Path file : damaged) {
                byte[] bytes = Files.readAllBytes(file);
                assertThrows(
                        FilterRefusedException.class,
                        () -> open(bytes, KeyKind.DOMAIN),
                        file.getFileName().toString());
            }
        }
    }

    /// A reader asks for the identifier itself first, and for no fewer keys than Bloomgate.
    @Test
    void values_haveTheKeysOfTheProgram() {
        for (ReaderVectors.Value value : ReaderVectors.values()) {
            List<String> keys = value.keys();
            List<String> own = ownKeys(value, false);
            assertTrue(keys.containsAll(own) && keys.getFirst().equals(own.getFirst()), value + ": " + own);
        }
    }

    private static List<String> ownKeys(ReaderVectors.Value value, boolean withNtlm) {
        KeyBatch batch = new KeyBatch();
        LookupValue lookup = value.kind().rules().toLookupValues(value.text()).getFirst();
        batch.begin(new Identifier(value.kind(), lookup.text(), Place.LINK, "vector"));
        lookup.keys().append(PublicSuffixes.bundled(), batch);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            boolean ntlm =
                    value.kind() == KeyKind.PASSWORD && batch.key(i).text().length() == 32;
            if (batch.key(i).kind() == value.kind() && (withNtlm || !ntlm)) {
                keys.add(batch.key(i).text());
            }
        }
        return keys;
    }

    @Test
    void document_hasCodesOfKindsAndStatement() throws Exception {
        String document = Files.readString(DOCUMENT);
        for (KeyKind kind : KeyKind.values()) {
            String row = "| `" + kind.label() + "` | " + kind.wireCode() + " |";
            assertTrue(kind.rules().hasRanges() || document.contains(row), row);
        }
        String statement = new String(read("snapshots/announced"), UTF_8);
        assertTrue(document.contains("```text\n" + statement + "```\n"), statement);
        assertTrue(
                document.contains("| `formatVersion` | version of the snapshot: " + SnapshotManifest.FORMAT_VERSION));
        assertTrue(document.contains("| `canonicalFormVersion` | as in the filters: " + CanonicalForm.VERSION));
    }

    @Test
    void document_hasKeysOfValues() throws Exception {
        int rows = 0;
        for (String line : Files.readAllLines(DOCUMENT)) {
            Matcher row = VALUE_ROW.matcher(line);
            if (row.matches()) {
                KeyKind kind = KeyKind.ofLabel(row.group(1)).orElseThrow();
                List<String> keys = List.of(
                        row.group(3).substring(1, row.group(3).length() - 1).split("` `"));
                assertEquals(keys, ownKeys(new ReaderVectors.Value(kind, row.group(2)), true), line);
                rows++;
            }
        }
        assertEquals(12, rows);
    }

    @Test
    void snapshot_isVerified(@TempDir Path folder) throws Exception {
        Path copy = folder.resolve("nightly", ReaderVectors.GENERATION);
        Files.createDirectories(copy);
        try (Stream<Path> files = Files.list(GENERATION)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        SnapshotKeys keys = SnapshotKeys.read("snapshotKey", ReaderVectors.FOLDER.resolve("publisher.pem"));
        SnapshotReader reader = new SnapshotReader(SnapshotScope.WHOLE, keys, () -> Snapshots.NOW);
        SnapshotManifest manifest = reader.verify(copy);
        Statement<PublishedState> statement = PublishedState.FORM
                .read(ReaderVectors.FOLDER.resolve("snapshots"))
                .orElseThrow();
        reader.requireTrusted(statement, PublishedState.FILE_NAME, Snapshots.NOW);
        assertEquals(
                manifest.generation(), statement.content().layers().getFirst().generation());
        assertTrue(statement.content().layers().getFirst().matches(Files.readAllBytes(copy.resolve("manifest.json"))));
    }

    private static BloomFilter open(byte[] file, KeyKind kind) throws FilterRefusedException {
        return FilterFormat.open(MemorySegment.ofArray(file), kind.wireCode(), CanonicalForm.VERSION);
    }

    private static boolean contains(BloomFilter filter, String key) {
        byte[] utf8 = key.getBytes(UTF_8);
        return filter.mightContain(filter.hash().hash(utf8, 0, utf8.length));
    }

    private static byte[] read(String name) throws IOException {
        return Files.readAllBytes(ReaderVectors.FOLDER.resolve(name));
    }

    private static List<String> lines(String name) throws IOException {
        return Files.readAllLines(ReaderVectors.FOLDER.resolve(name));
    }
}
