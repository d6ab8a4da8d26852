package org.bloomgate.decision.memory;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.RateLimiter;

/// What the parts of the memory share: their rings, how far they have learned, and the limit of each client network.
final class MemoryPart {
    /// New keys of one client network (/24 or /64) in an hour, so that a client that invents names does not fill the
    /// memory. Keys that are known already do not count.
    static final int MAX_NEW_KEYS_PER_HOUR = 4_000;

    private static final double SECONDS_PER_HOUR = 3600;

    private final String name;
    private final Path directory;
    private final MemoryKey key;
    private final InstantSource clock;
    private final Learning learning;
    private final RateLimiter newKeyLimit;
    private final List<SetRing> rings = new ArrayList<>();

    /// @param isKeyNew whether the key was just created: what was remembered under another one is lost
    MemoryPart(String name, Path directory, MemoryKey key, boolean isKeyNew, InstantSource clock) {
        this.name = name;
        this.directory = directory;
        this.key = key;
        this.clock = clock;
        learning = new Learning(directory.resolve(name + ".json"), clock);
        if (isKeyNew) {
            learning.restart("");
        }
        newKeyLimit = new RateLimiter(
                MAX_NEW_KEYS_PER_HOUR / SECONDS_PER_HOUR, MAX_NEW_KEYS_PER_HOUR, 24, 64, System::nanoTime);
    }

    /// Opens a ring.
    ///
    /// @param recent receives the entries of the current slot and the one before
    SetRing open(MemorySet set, long maxKeys, Consumer<KeyLog.Entry> recent) throws IOException {
        SetRing ring = new SetRing(set, directory, key.seed(set), maxKeys, today(), recent, learning::restart);
        rings.add(ring);
        return ring;
    }

    /// Its switch in the `memory` section.
    String name() {
        return name;
    }

    MemoryKey key() {
        return key;
    }

    Learning learning() {
        return learning;
    }

    List<SetRing> rings() {
        return rings;
    }

    InstantSource clock() {
        return clock;
    }

    /// Days since 1970, UTC.
    long today() {
        return Math.floorDiv(clock.instant().getEpochSecond(), 86_400L);
    }

    int minute() {
        return (int) Math.floorDiv(clock.instant().getEpochSecond(), 60L);
    }

    /// Counts a new key of a client; false if the client is over its limit.
    ///
    /// @param client empty for a user of the site, who has no limit
    boolean admitNewKey(Optional<InetAddress> client) {
        return client.map(newKeyLimit::tryAcquire).orElse(true);
    }

    /// Adds a key to the current slot, if it is not there.
    ///
    /// @return whether no slot contained it and it was added
    boolean add(SetRing ring, long ringKey, Optional<InetAddress> client) {
        if (ring.isInCurrent(ringKey)) {
            return false;
        }
        boolean isNew = !ring.contains(ringKey);
        if (isNew && !admitNewKey(client)) {
            ring.countForgottenKey();
            return false;
        }
        put(ring, new KeyLog.Entry(ringKey, KeyLog.Kind.KEY, minute(), 0));
        return isNew;
    }

    /// Adds an entry. If the ring is full, learning begins again.
    void put(SetRing ring, KeyLog.Entry entry) {
        if (!ring.add(entry)) {
            learning.restart(ring.set().label() + ": full, names are not remembered");
        }
    }

    /// Writes what waits.
    ///
    /// @param faults receives the errors of the disk
    void maintain(List<String> faults) {
        for (SetRing ring : rings) {
            try {
                ring.maintain(clock.instant());
            } catch (IOException | RuntimeException e) {
                faults.add(IoText.describe(e));
                close(ring, faults);
            }
        }
        try {
            learning.write();
        } catch (IOException e) {
            faults.add(IoText.describe(e));
        }
    }

    private static void close(SetRing ring, List<String> faults) {
        try {
            ring.closeFile();
        } catch (IOException e) {
            faults.add(IoText.describe(e));
        }
    }

    void close() throws IOException {
        for (SetRing ring : rings) {
            ring.closeFile();
        }
    }
}
