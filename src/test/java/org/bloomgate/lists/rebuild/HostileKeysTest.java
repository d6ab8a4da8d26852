package org.bloomgate.lists.rebuild;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.bloomgate.core.bloom.FilterLayout;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A list made by who knows the seed of the filter: more keys than two shards take, all of them for the first.
class HostileKeysTest {
    private static final int KEYS = (1 << 20) + 1;
    private static final long KNOWN = 42;

    @TempDir
    Path folder;

    private final AtomicInteger drawn = new AtomicInteger();

    /// Draws the known seed twice, then another one: the third attempt would do with the known one too.
    private final RandomGenerator unlucky = () -> drawn.getAndIncrement() < 2 ? KNOWN : ~KNOWN;

    @Test
    void keysThatFitNoSeed_makeTwoLineFilter() throws IOException {
        KeyHash hash = new KeyHash(KNOWN);
        RebuildRig rig = new RebuildRig(folder);
        rig.feed(
                "hostile",
                KeyKind.DOMAIN,
                IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> "h" + i + ".example")
                        .filter(name -> hash.hash(name.getBytes(US_ASCII), 0, name.length()) >= 0)
                        .limit(KEYS)
                        .toArray(String[]::new));
        rig.seeds = new SeedSource.Drawn(unlucky);

        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(3, drawn.get());
        assertTrue(report.warnings().get(0).contains("another seed"), report.warnings()::toString);
        assertTrue(report.warnings().get(1).contains("the two-line layout"), report.warnings()::toString);
        assertEquals(
                FilterLayout.TWO_LINE,
                new SnapshotReader().verify(rig.snapshot()).filters().getFirst().layout());
    }
}
