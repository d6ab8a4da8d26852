package org.bloomgate.lookup.dnsbl;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.LiveBlocklists;

/// The zones that confirm feeds or are lists themselves, shared by all layers and snapshots: their answers
/// depend on no snapshot. Thread-safe.
///
/// Starts one daemon thread for self-tests; without zones, nothing is started and nothing queried.
public final class Zones implements AutoCloseable {
    /// From one self-test of a zone that passed to the next. A test shortens it.
    private static final Duration SELF_TEST_INTERVAL =
            Duration.ofSeconds(Integer.getInteger("bloomgate.zoneSelfTestSeconds", 60));

    private final DnsClient client;
    private final InstantSource clock;
    private final ScheduledThreadPoolExecutor timer;
    private final ZoneMetrics metrics = new ZoneMetrics();
    private volatile Map<String, Confirming> byFeed = Map.of();
    private volatile Map<ZoneSettings, Zone> zones = Map.of();
    private volatile Optional<LiveBlocklists> liveBlocklists = Optional.empty();

    public Zones(DnsClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
        this.timer = new ScheduledThreadPoolExecutor(0, BackgroundTask.createThreadFactory("zone-self-test"));
        timer.setRemoveOnCancelPolicy(true);
    }

    /// A feed with its zone.
    record Confirming(ConfirmedFeed feed, Zone zone) {}

    /// Replaces the confirmed and the queried feeds; zones that remain keep their cached answers.
    public synchronized void use(List<ConfirmedFeed> feeds, List<QueriedFeed> lists) {
        Map<ZoneSettings, Zone> before = zones;
        Map<ZoneSettings, Zone> now = new HashMap<>();
        Map<String, Confirming> next = new HashMap<>();
        feeds.forEach(feed -> next.put(feed.feed(), new Confirming(feed, zone(feed.zone(), now, before))));
        List<ZoneLists.QueriedList> all = lists.stream()
                .map(list -> new ZoneLists.QueriedList(list, zone(list.says().zone(), now, before)))
                .toList();
        byFeed = Map.copyOf(next);
        liveBlocklists = new ZoneLists(all, clock, metrics::waited).liveBlocklists();
        zones = Map.copyOf(now);
        before.entrySet().stream()
                .filter(entry -> !now.containsKey(entry.getKey()))
                .forEach(entry -> retire(entry.getValue()));
        if (now.isEmpty()) {
            metrics.forgetWaits();
        }
    }

    private Zone zone(ZoneSettings settings, Map<ZoneSettings, Zone> now, Map<ZoneSettings, Zone> before) {
        return now.computeIfAbsent(
                settings, added -> Optional.ofNullable(before.get(added)).orElseGet(() -> open(added)));
    }

    private Zone open(ZoneSettings settings) {
        Zone zone = new Zone(settings, client, Ticker.systemTicker(), SELF_TEST_INTERVAL, this::after, clock);
        zone.selfTest().start();
        metrics.show(zone);
        return zone;
    }

    /// The lists that exist only as zones; empty if there are none.
    public Optional<LiveBlocklists> liveBlocklists() {
        return liveBlocklists;
    }

    private void retire(Zone zone) {
        zone.selfTest().stop();
        metrics.forget(zone);
    }

    private Runnable after(Duration delay, Runnable task) {
        if (timer.isShutdown()) {
            return () -> {};
        }
        ScheduledFuture<?> pending = timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        return () -> pending.cancel(false);
    }

    Optional<Confirming> find(String feed) {
        return Optional.ofNullable(byFeed.get(feed));
    }

    boolean isEmpty() {
        return byFeed.isEmpty();
    }

    List<Zone> all() {
        return zones.values().stream().sorted(Comparator.comparing(Zone::name)).toList();
    }

    /// Registers the metrics of each zone: queries, answers, latency, and whether it is trusted.
    public synchronized void bindTo(MeterRegistry registry) {
        metrics.add(registry, all());
    }

    /// The status of each zone, by name.
    public List<ZoneStatus> status() {
        return all().stream().map(zone -> zone.selfTest().status()).toList();
    }

    /// Returns an exact tier that counts listings of confirmed feeds only if their zones confirm them. Closing it
    /// closes the tier, not the zones.
    public ExactLookup over(ExactLookup tier) {
        return new DnsConfirmation(tier, this);
    }

    /// Stops the self-tests. Listings of confirmed feeds still need confirmation.
    @Override
    public synchronized void close() {
        all().forEach(this::retire);
        timer.shutdownNow();
    }
}
