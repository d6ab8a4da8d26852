package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Prints the heap that a memory uses with 10,000 new link domains and 20,000 new senders a day, after 28 days. MemoryCost FOLDER
public final class MemoryCost {
    private static final int NEW_DOMAINS = 10_000;
    private static final int DAYS = 28;

    private static volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public static void main(String[] args) throws IOException {
        printHeap(Path.of(args[0]));
    }

    private static long usedBytes() {
        for (int i = 0; i < 4; i++) { // the serial collector compacts at every fourth
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void printHeap(Path folder) throws IOException {
        long before = usedBytes();
        try (SiteMemory memory = new SiteMemory(folder, new SiteMemory.Options(true, true), () -> now)) {
            for (int day = 0; day <= DAYS; day++) {
                for (int i = 0; i < NEW_DOMAINS; i++) {
                    String domain = "d" + i + "-of-day-" + day + ".example";
                    memory.links()
                            .orElseThrow()
                            .rememberDelivered(
                                    domain, List.of("user" + i + "@corp.example"), Optional.empty(), i % 2 == 0);
                    memory.senders().orElseThrow().rememberName(domain, Optional.empty());
                    memory.senders().orElseThrow().rememberName("a@" + domain, Optional.empty());
                }
                memory.maintain();
                System.out.printf("day %d: %.1f MB%n", day, (usedBytes() - before) / 1e6);
                now = now.plus(Duration.ofDays(1));
                memory.maintain();
            }
            for (MemorySet set : MemorySet.values()) {
                System.out.printf("%s: %d keys, rate %.4f%n", set.label(), memory.countKeys(set), memory.predictedRate(set));
            }
            System.out.printf("heap %.1f%n", (usedBytes() - before) / 1e6);
        }
    }
}
