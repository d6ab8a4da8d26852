package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.bloomgate.KilledProcess;
import org.bloomgate.Rounds;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The file after kill -9 of the process that writes it.
@Timeout(120)
class LocalFileKillIT {
    private static final int ROUNDS = Rounds.ALL ? 3 : 2;

    @TempDir
    private Path folder;

    @Test
    void killedWriter_keepsAcknowledgedEntries() throws Exception {
        int next = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int acknowledged = untilKilled(next, next + 11 + 17 * round);
            List<String> kept = new LocalFile(new LocalOptions(folder), InstantSource.system())
                    .read().of(Entry.Type.LISTING).stream()
                            .map(listing -> listing.key().text())
                            .toList();
            assertTrue(kept.size() == acknowledged + 1 || kept.size() == acknowledged + 2, () -> kept.size() + " kept");
            assertEquals(
                    IntStream.range(0, kept.size())
                            .mapToObj(EntryKeeper::domain)
                            .toList(),
                    kept);
            next = kept.size();
        }
    }

    /// The last number the process said.
    private int untilKilled(int first, int last) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EntryKeeper.class.getName(),
                        folder.toString(),
                        Integer.toString(first))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int said = KilledProcess.said(process, last);
        assertTrue(said >= last, "ended by itself");
        return said;
    }
}
