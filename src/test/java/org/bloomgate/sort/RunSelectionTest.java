package org.bloomgate.sort;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSelectionTest {
    private static final long MEMORY = 1 << 20;
    private static final int KIND = 2;

    @TempDir
    private Path folder;

    private ExternalSort sort;

    @BeforeEach
    void begin() throws IOException {
        sort = new ExternalSort(Files.createDirectory(folder.resolve("now")), MEMORY);
    }

    /// Of keys, each with the number of its source.
    private Path run(Iterable<String> records) throws IOException {
        ExternalSort before = new ExternalSort(Files.createDirectories(folder.resolve("before")), MEMORY);
        for (String record : records) {
            add(before, record);
        }
        return before.finish(new BitSet(), done -> {}).file();
    }

    private static void add(ExternalSort to, String record) throws IOException {
        int slash = record.indexOf('/');
        to.add(KIND, record.substring(0, slash).getBytes(US_ASCII), Integer.parseInt(record.substring(slash + 1)), 9);
    }

    private static byte[] key(String text) {
        return ((char) KIND + text).getBytes(US_ASCII);
    }

    private Set<String> sorted() throws IOException {
        Set<String> all = new TreeSet<>();
        try (KeyCursor key = sort.finish(new BitSet(), done -> {}).open()) {
            while (key.next()) {
                for (int i = 0; i < key.sources(); i++) {
                    assertTrue(all.add(new String(key.octets(), 1, key.end() - 1, US_ASCII) + "/" + key.source(i)));
                }
            }
        }
        return all;
    }

    @Test
    void sourcesAreTakenUnderOtherNumbersLessWhatIsGone() throws IOException {
        Path kept = run(List.of("a/0", "a/1", "a/3", "b/1", "b/3", "c/2", "d/3"));
        RunSelection selection = new RunSelection();
        selection.take(1, 4, false, List.of(key("a")));
        selection.take(3, 6, false, List.of(key("d"), key("b")));
        sort.add(kept, selection, 7);
        add(sort, "a/5");
        add(sort, "d/6");
        assertEquals(new TreeSet<>(List.of("a/5", "a/6", "b/4", "d/6")), sorted());
        assertFalse(Files.exists(kept));
    }

    @Test
    void alone() throws IOException {
        Path kept = run(List.of("a/0", "b/1"));
        RunSelection selection = new RunSelection();
        selection.take(1, 0, false, List.of());
        sort.add(kept, selection, 2);
        assertEquals(new TreeSet<>(List.of("b/0")), sorted());
    }

    @Test
    void whatIsGoneHasToHaveBeenThere() throws IOException {
        for (String gone : List.of("0", "bb", "z")) {
            begin(gone);
            Path kept = run(List.of("a/0", "b/0", "b/1", "c/0"));
            RunSelection selection = new RunSelection();
            selection.take(0, 0, false, List.of(key("a"), key(gone)));
            sort.add(kept, selection, 4);
            assertThrows(IOException.class, () -> sort.finish(new BitSet(), done -> {}), gone);
        }
    }

    private void begin(String name) throws IOException {
        sort = new ExternalSort(Files.createDirectory(folder.resolve(name)), MEMORY);
    }

    @Test
    void sourcesKeepTheirOrder() {
        RunSelection selection = new RunSelection();
        selection.take(2, 5, false, List.of());
        assertFalse(selection.isInOrder(2));
        assertTrue(selection.isInOrder(3));
        assertThrows(IllegalArgumentException.class, () -> selection.take(1, 6, false, List.of()));
        assertThrows(IllegalArgumentException.class, () -> selection.take(3, 5, false, List.of()));
    }

    @Test
    void whoGaveAKeyTwiceIsKnown() throws IOException {
        add(sort, "a/0");
        add(sort, "a/1");
        add(sort, "b/1");
        add(sort, "b/1");
        RunSelection selection = new RunSelection();
        selection.take(0, 2, true, List.of());
        selection.take(1, 3, false, List.of());
        sort.add(run(List.of("a/0", "a/1")), selection, 2);
        add(sort, "a/3");
        BitSet repeated = sort.finish(new BitSet(), done -> {}).repeated();
        assertEquals("{1, 2, 3}", repeated.toString());
    }

    @Test
    void manyAtRandom() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        TreeSet<String> before = new TreeSet<>();
        while (before.size() < 20_000) {
            before.add("k%06d/%d".formatted(random.nextInt(9_000), random.nextInt(4)));
        }
        RunSelection selection = new RunSelection();
        TreeSet<String> expected = new TreeSet<>();
        for (int source = 0; source < 4; source += 2) {
            String end = "/" + source;
            List<String> gone = before.stream()
                    .filter(record -> record.endsWith(end) && random.nextInt(50) == 0)
                    .map(record -> record.substring(0, record.length() - 2))
                    .toList();
            selection.take(
                    source,
                    source + 10,
                    false,
                    gone.stream().map(RunSelectionTest::key).toList());
            before.stream()
                    .filter(record -> record.endsWith(end))
                    .map(record -> record.substring(0, record.length() - 2))
                    .filter(key -> !gone.contains(key))
                    .forEach(key -> expected.add(key + "/1" + end.charAt(1)));
        }
        sort.add(run(before), selection, before.size());
        for (int i = 0; i < 500; i++) {
            String record = "k%06d/%d".formatted(random.nextInt(9_000), 10 + random.nextInt(3));
            add(sort, record);
            expected.add(record);
        }
        assertEquals(expected, sorted());
    }
}
