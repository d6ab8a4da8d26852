package org.bloomgate.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bloomgate.wire.MirrorReport;

/// The last report of each mirror that is named in the configuration, which also bounds how many there are. Kept in
/// memory: after a restart every mirror that is well has reported again within seconds. Thread-safe.
public final class Fleet {
    /// Between two reports of one mirror.
    static final Duration MIN_PAUSE = Duration.ofSeconds(1);

    private final SortedMap<String, String> tokens;
    private final InstantSource clock;
    private final Map<String, Mirror> last = new HashMap<>();
    private long refused;

    /// @param tokens by the name of the mirror that sends it
    public Fleet(Map<String, String> tokens, InstantSource clock) {
        this.tokens = new TreeMap<>(tokens);
        this.clock = clock;
    }

    /// One mirror.
    ///
    /// @param seen when it reported last; empty when it did not since start
    public record Mirror(String name, Optional<Instant> seen, Optional<MirrorReport> report) {
        /// Whether a layer in force here is of another generation there, or listings are older, or nobody knows.
        ///
        /// @param generations in force here by layer
        /// @param listings counter of what operators list here; empty when nothing was said
        public boolean isBehind(Map<String, String> generations, Optional<Long> listings) {
            if (report.isEmpty()) {
                return true;
            }
            Map<String, String> there = new HashMap<>();
            report.get().layers().forEach(layer -> there.put(layer.layer(), layer.generation()));
            return !there.entrySet().containsAll(generations.entrySet())
                    || report.get().listings().orElse(0L) < listings.orElse(0L);
        }
    }

    public boolean isEmpty() {
        return tokens.isEmpty();
    }

    /// The mirror whose token it is, found in the same time whichever it is.
    public Optional<String> mirrorOf(String token) {
        Optional<String> found = Optional.empty();
        for (Map.Entry<String, String> one : tokens.entrySet()) {
            if (MessageDigest.isEqual(one.getValue().getBytes(UTF_8), token.getBytes(UTF_8))) {
                found = Optional.of(one.getKey());
            }
        }
        return found;
    }

    /// @return false when it comes too soon after the one before, and is not kept
    public synchronized boolean take(String mirror, MirrorReport report) {
        Instant now = clock.instant();
        Optional<Instant> before = of(mirror).seen();
        if (before.filter(at -> now.isBefore(at.plus(MIN_PAUSE)) && !now.isBefore(at))
                .isPresent()) {
            refused++;
            return false;
        }
        last.put(mirror, new Mirror(mirror, Optional.of(now), Optional.of(report)));
        return true;
    }

    private Mirror of(String name) {
        return last.getOrDefault(name, new Mirror(name, Optional.empty(), Optional.empty()));
    }

    /// One of them, known or not.
    public synchronized Mirror mirror(String name) {
        return of(name);
    }

    /// All of them, by name.
    public synchronized List<Mirror> mirrors() {
        return tokens.keySet().stream().map(this::of).toList();
    }

    /// Which mirrors' own operators list a value.
    public synchronized Map<MirrorReport.Entry, Set<String>> entries() {
        Map<MirrorReport.Entry, Set<String>> listed = new HashMap<>();
        for (Mirror mirror : mirrors()) {
            mirror.report().stream()
                    .flatMap(report -> report.entries().stream())
                    .forEach(entry ->
                            listed.computeIfAbsent(entry, _ -> new TreeSet<>()).add(mirror.name()));
        }
        return listed;
    }

    /// Reports that came too soon, since start.
    public synchronized long refused() {
        return refused;
    }
}
