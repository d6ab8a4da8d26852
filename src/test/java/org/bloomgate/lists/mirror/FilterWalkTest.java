package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterFullException;
import org.bloomgate.core.bloom.FilterLayout;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.core.delta.Hashes;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Filters built of hashes and their changes, beside those built of the keys.
class FilterWalkTest {
    private static final int GENERATIONS = 1000;
    private static final Instant BEGIN = Instant.parse("2026-03-02T02:00:00Z");

    private final SplittableRandom random = new SplittableRandom(16);
    private final Set<String> keys = new TreeSet<>();

    /// @param file of the filter
    private record Generation(FilterParameters parameters, MemorySegment file, HashList hashes) {}

    @Test
    void filterOfDeltas_equalsThePublishersOver1000Generations() throws Exception {
        List<Generation> published = new ArrayList<>();
        int here = -1;
        int skipped = 0;
        for (int i = 0; i < GENERATIONS; i++) {
            turn();
            published.add(generation(i));
            if (random.nextInt(3) == 0 && i < GENERATIONS - 1) {
                skipped++;
                continue;
            }
            HashList before = here < 0 ? HashList.EMPTY : published.get(here).hashes();
            HashList now =
                    Hashes.apply(Hashes.change(before, published.get(i).hashes()), Hashes.read(Hashes.whole(before)));
            byte[] ours = build(published.get(i).parameters(), now);
            assertEquals(
                    -1,
                    published.get(i).file().mismatch(MemorySegment.ofArray(ours)),
                    "generation " + i + " from " + here);
            here = i;
        }
        assertTrue(skipped > GENERATIONS / 4);
    }

    /// Beyond what a cache holds keys are inserted many at once.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void largeFilter_equalsInsertionKeyByKey(boolean twoLines) throws Exception {
        int count = 100_000;
        FilterSizing sizing = twoLines ? FilterSizing.twoLine(3L * count, 1e-6) : FilterSizing.of(3L * count, 1e-6);
        FilterParameters parameters =
                new FilterParameters(KeyKind.DOMAIN.wireCode(), CanonicalForm.VERSION, 42, sizing, BEGIN);
        HashList hashes = Hashes.of(List.of(), random.longs(count).toArray());
        byte[] oneByOne = new byte[Math.toIntExact(parameters.fileBytes())];
        BloomFilterBuilder builder = new BloomFilterBuilder(MemorySegment.ofArray(oneByOne), parameters);
        for (long hash : Hashes.walk(hashes)) {
            builder.add(hash);
        }
        builder.finish();
        assertArrayEquals(oneByOne, build(parameters, hashes));
    }

    private static byte[] build(FilterParameters parameters, HashList hashes) throws Exception {
        byte[] file = new byte[Math.toIntExact(parameters.fileBytes())];
        assertEquals(file.length, HashedFilter.build(MemorySegment.ofArray(file), parameters, hashes));
        return file;
    }

    /// A publisher that errs: then the file itself is fetched.
    @ParameterizedTest
    @ValueSource(ints = {101, 5000})
    void hashesThatDoNotFit_makeNoFilter(int count) throws Exception {
        FilterSizing sizing = new FilterSizing(FilterLayout.LINE_FUSE, 2, 4, 100, 1e-6);
        FilterParameters parameters =
                new FilterParameters(KeyKind.DOMAIN.wireCode(), CanonicalForm.VERSION, 42, sizing, BEGIN);
        HashList hashes = Hashes.of(List.of(), random.longs(count).toArray());
        assertThrows(FilterFullException.class, () -> build(parameters, hashes));
        HashList right = Hashes.of(List.of(), random.longs(100).toArray());
        assertEquals(parameters.fileBytes(), build(parameters, right).length);
    }

    private void turn() {
        keys.removeIf(_ -> random.nextInt(20) == 0);
        int come = random.nextInt(20);
        for (int i = 0; i <= come; i++) {
            keys.add(Long.toHexString(random.nextLong()) + ".example");
        }
    }

    private Generation generation(int number) throws Exception {
        FilterParameters parameters = new FilterParameters(
                KeyKind.DOMAIN.wireCode(),
                CanonicalForm.VERSION,
                42,
                FilterSizing.of(keys.size(), 1e-6),
                BEGIN.plusSeconds(number));
        MemorySegment file = MemorySegment.ofArray(new byte[Math.toIntExact(parameters.fileBytes())]);
        BloomFilterBuilder builder = new BloomFilterBuilder(file, parameters);
        long[] hashes = new long[keys.size()];
        int count = 0;
        for (String key : keys) {
            byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
            hashes[count++] = builder.add(bytes, 0, bytes.length);
        }
        BloomFilter filter = builder.finish();
        return new Generation(parameters, file, Hashes.of(filter.header().canaries(), hashes));
    }
}
