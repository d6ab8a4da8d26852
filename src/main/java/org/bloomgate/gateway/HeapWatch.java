package org.bloomgate.gateway;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.bloomgate.background.Background;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the heap near what lives on it. Mail under load leaves garbage among the old objects, which the collector lets
/// grow until a share of the machine's memory is taken, and what a peak took it does not give back. Here a full
/// collection is asked for when the old objects are so much more than the last one left; the launcher's options let
/// the heap shrink behind it.
///
/// For one thread.
final class HeapWatch {
    /// Garbage that is let be: three minutes of it at 4,000 messages a second.
    static final long SLACK_BYTES = 64L << 20;

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);

    private final LongSupplier used;
    private final LongSupplier leftByCollection;
    private final Runnable collection;

    /// @param used octets of old objects
    /// @param leftByCollection octets of them that the last full collection left; 0 before the first
    HeapWatch(LongSupplier used, LongSupplier leftByCollection, Runnable collection) {
        this.used = used;
        this.leftByCollection = leftByCollection;
        this.collection = collection;
    }

    /// Empty with a collector that keeps no old objects apart.
    static Optional<Background> start() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(HeapWatch::holdsOldObjects)
                .findFirst()
                .map(pool -> new HeapWatch(() -> pool.getUsage().getUsed(), () -> left(pool), System::gc))
                .map(watch -> Background.every(LOOK, "heap", watch::look));
    }

    private static boolean holdsOldObjects(MemoryPoolMXBean pool) {
        return pool.getType() == MemoryType.HEAP
                && (pool.getName().contains("Tenured") || pool.getName().contains("Old"));
    }

    private static long left(MemoryPoolMXBean pool) {
        return Optional.ofNullable(pool.getCollectionUsage())
                .map(MemoryUsage::getUsed)
                .orElse(0L);
    }

    /// Collects at most once.
    void look() {
        long before = used.getAsLong();
        if (before - leftByCollection.getAsLong() > SLACK_BYTES) {
            collection.run();
            LOG.debug("old objects: {} of {} octets live", used.getAsLong(), before);
        }
    }
}
