package org.bloomgate.probation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bloomgate.background.Background;
import org.bloomgate.disk.IoText;
import org.bloomgate.journal.JournalScan;
import org.bloomgate.key.Key;
import org.bloomgate.policy.PolicyOptions;
import org.bloomgate.policy.PolicyOptions.Probation.HeldDown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The feeds on probation: as they were kept when this was opened, and as the rounds find them once it watches.
///
/// The journal is walked only when a feed that is not on probation has enough errors and other ones than when it was
/// weighed last. What was decided is on the disk before it is in force; a disk that refuses does not keep it out of
/// force, and is tried again. Thread-safe; who asks waits for nobody.
public final class Probations implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(Probations.class);

    private final ProbationFile file;
    private final Path decisions;
    private final InstantSource clock;
    private volatile PolicyOptions.Probation options;
    private volatile Map<String, Probation> kept;
    private volatile Set<String> feeds = Set.of();
    private Optional<Background> rounds = Optional.empty();

    /// What the file holds, and the errors that a feed was weighed with last. Only under this object's monitor, as is
    /// `failing`.
    private Map<String, Probation> saved;

    private final Map<String, Set<Key>> weighed = new HashMap<>();
    private boolean failing;

    /// Reads what is kept.
    ///
    /// @param directory of the local entries
    /// @param decisions directory of the journal
    public Probations(Path directory, Path decisions, PolicyOptions.Probation options, InstantSource clock) {
        this.file = new ProbationFile(directory);
        this.decisions = decisions;
        this.options = options;
        this.clock = clock;
        this.saved = byFeed(file.read());
        this.kept = saved;
        this.feeds = feedsAt(clock.instant());
    }

    private static Map<String, Probation> byFeed(List<Probation> all) {
        return all.stream().collect(Collectors.toMap(Probation::feed, one -> one, (one, other) -> other, TreeMap::new));
    }

    /// The feeds that tag at most now. Makes no object.
    public Set<String> feeds() {
        return feeds;
    }

    /// When those in force end, by the name of the feed.
    public Map<String, Instant> ends() {
        Set<String> held = feedsAt(clock.instant());
        Map<String, Instant> ends = new TreeMap<>();
        kept.forEach((feed, one) -> {
            if (held.contains(feed)) {
                ends.put(feed, one.until());
            }
        });
        return ends;
    }

    private Set<String> feedsAt(Instant now) {
        return options.action() == HeldDown.NONE
                ? Set.of()
                : kept.values().stream()
                        .filter(one -> one.holdsAt(now))
                        .map(Probation::feed)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// Goes by these options from now on.
    public synchronized void use(PolicyOptions.Probation other) {
        options = other;
        weighed.clear();
        feeds = feedsAt(clock.instant());
    }

    /// Weighs the errors again and again from now on, on a daemon thread.
    ///
    /// @param errors confirmed since an instant, by feed
    public synchronized void watch(Function<Instant, Map<String, Set<Key>>> errors) {
        rounds = Optional.of(Background.every(ROUND, "probation", () -> round(errors)));
    }

    /// One round.
    public synchronized void round(Function<Instant, Map<String, Set<Key>>> errors) {
        if (options.action() == HeldDown.NONE) {
            feeds = Set.of();
            return;
        }
        Instant now = clock.instant();
        Map<String, Probation> left = new TreeMap<>(kept);
        left.values().removeIf(one -> ended(one, now));
        weigh(errors.apply(now.minus(Probation.TERM)), now).forEach(one -> left.put(one.feed(), one));
        save(left);
        left.forEach((feed, one) -> {
            if (!one.equals(kept.get(feed))) {
                LOG.warn("{}", one.text());
            }
        });
        kept = left;
        feeds = feedsAt(now);
    }

    private static boolean ended(Probation one, Instant now) {
        boolean ended = !one.holdsAt(now);
        if (ended) {
            LOG.info("feed {} is no longer on probation", one.feed());
        }
        return ended;
    }

    private List<Probation> weigh(Map<String, Set<Key>> errors, Instant now) {
        Map<String, Set<Key>> suspected = new HashMap<>(errors);
        suspected.keySet().removeAll(feedsAt(now));
        suspected.values().removeIf(wrong -> Weighing.domains(wrong) < options.errors());
        weighed.keySet().retainAll(suspected.keySet());
        suspected.entrySet().removeIf(one -> one.getValue().equals(weighed.get(one.getKey())));
        if (suspected.isEmpty()) {
            return List.of();
        }
        Weighing weighing = new Weighing(suspected);
        try {
            JournalScan.since(now.minus(Probation.TERM), decisions, weighing::add);
        } catch (IOException e) {
            LOG.warn("{}: what feeds hit could not be read to weigh their errors: {}", decisions, IoText.told(e));
            return List.of();
        }
        weighed.putAll(suspected);
        List<Probation> earned = new ArrayList<>();
        suspected
                .keySet()
                .forEach(feed -> weighing.of(feed, options.errors(), now).ifPresent(earned::add));
        return earned;
    }

    private void save(Map<String, Probation> now) {
        if (now.equals(saved)) {
            return;
        }
        try {
            file.write(List.copyOf(now.values()));
            saved = now;
            failing = false;
        } catch (IOException refused) {
            if (!failing) {
                LOG.warn("{}: which feeds are on probation is not kept: {}", file.path(), IoText.told(refused));
            }
            failing = true;
        }
    }

    /// Ends the rounds.
    @Override
    public void close() {
        Optional<Background> running;
        synchronized (this) {
            running = rounds;
            rounds = Optional.empty();
        }
        running.ifPresent(Background::close);
    }
}
