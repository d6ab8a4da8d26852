package org.bloomgate.spark;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.rebuild.Runs;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.RunReader;
import scala.Tuple2;

/// One partition, sorted into a run. Each attempt sorts in a folder of its own and moves the run to its name when it is
/// whole: one that is killed leaves nothing there, and a second one the same bytes.
///
/// @param counts of the splits, in the first partition
record SortedPart(String file, long bytes, String sha256, ArrayList<SplitCounts> counts) implements Serializable {
    /// Heap of one task for the sort.
    private static final long MEMORY_BYTES = 64L << 20;

    private static final int BUFFER_BYTES = 1 << 16;

    Runs.Run run() {
        return new Runs.Run(file, bytes, sha256);
    }

    static Iterator<SortedPart> of(String folder, String layer, int part, Iterator<Tuple2<Integer, Block>> blocks)
            throws IOException {
        Path work = Files.createDirectories(Path.of(folder, ".work", "sort-" + UUID.randomUUID()));
        try {
            ExternalSort sort = new ExternalSort(work, MEMORY_BYTES);
            ArrayList<SplitCounts> counts = new ArrayList<>();
            while (blocks.hasNext()) {
                Block block = blocks.next()._2();
                if (block.counts()) {
                    counts.add(SplitCounts.read(block.bytes()));
                } else {
                    add(block, sort);
                }
            }
            Path run = Path.of(folder, "%s-%05d.run".formatted(layer, part));
            Path sorted = sort.finish(new BitSet(), _ -> {}).file();
            Files.move(sorted, run, StandardCopyOption.ATOMIC_MOVE);
            return List.of(new SortedPart(run.getFileName().toString(), Files.size(run), Sha256.hex(run), counts))
                    .iterator();
        } finally {
            DurableFiles.deleteTree(work);
        }
    }

    private static void add(Block block, ExternalSort sort) throws IOException {
        try (RunReader records = new RunReader(new ByteArrayInputStream(block.bytes()), BUFFER_BYTES)) {
            while (records.next()) {
                sort.add(
                        records.key()[0] & 0xff,
                        records.key(),
                        1,
                        records.keyLength(),
                        records.source(),
                        records.count());
            }
        }
    }
}
