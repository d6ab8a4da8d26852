package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads that ask while layers are swapped under them.
class LeaseUnderSwapTest {

    @Test
    void lookupsDuringSwap_useOpenLayersClosedOnce(@TempDir Path root) throws Exception {
        FakeExact.Opener opener = new FakeExact.Opener();
        Snapshots.publish(root, "nightly", "bad.example");
        Snapshots.publish(root, "nightly", "bad.example", "evil.test");
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        LiveSnapshots live =
                new LiveSnapshots(root, new SnapshotReader(), opener, Snapshots.SUFFIXES, () -> Snapshots.NOW);
        AtomicBoolean stop = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Long>> askers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                askers.add(threads.submit(() -> ask(live, stop)));
            }
            for (int swap = 0; swap < 30; swap++) {
                layer.pointTo(layer.listGenerations().get(swap % 2));
                live.checkNow();
            }
            stop.set(true);
            for (Future<Long> asker : askers) {
                assertTrue(asker.get() > 0);
            }
        }
        live.close();
        assertEquals(0, live.readStatus().refusedTotal());
        assertTrue(opener.opened.size() >= 30, "swaps " + opener.opened.size());
        assertTrue(opener.opened.stream().allMatch(exact -> exact.closed.get() == 1));
    }

    private static long ask(LiveSnapshots live, AtomicBoolean stop) {
        long queried = 0;
        while (!stop.get() || queried == 0) {
            try (LayerLease lease = live.lease()) {
                for (Layer layer : lease.layers()) {
                    BloomFilter filter = Optional.ofNullable(layer.filters().get(KeyKind.DOMAIN))
                            .orElseThrow();
                    byte[] bytes = {'b', 'a', 'd', '.', 'e', 'x', 'a', 'm', 'p', 'l', 'e'};
                    assertTrue(filter.mightContain(filter.hash().hash(bytes, 0, bytes.length)));
                    assertEquals(
                            0, layer.exact().lookup(List.of(), Duration.ZERO).size());
                    queried++;
                }
            }
        }
        return queried;
    }
}
