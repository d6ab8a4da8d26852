package org.bloomgate.lookup.dnsbl;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion;
import org.bloomgate.lookup.dns.DnsReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tests whether a zone works: it lists TEST, or 127.0.0.2, and does not list INVALID (RFC 5782, 5). This finds
/// a zone that is gone, lists nothing, lists everything or refuses its clients, which no single answer shows.
///
/// It is repeated at an interval, and sooner after a failure: first after a second, then after twice the time up to
/// a minute. Each change is logged once. Thread-safe.
final class SelfTest {
    private static final Logger LOG = LoggerFactory.getLogger(SelfTest.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 6;
    private static final String LISTED_ADDRESS = "2.0.0.127";
    private static final String UNLISTED_ADDRESS = "1.0.0.127";

    /// A zone that refuses queries is not queried for this time.
    private static final Duration REFUSED = Duration.ofMinutes(10);

    private final ZoneSettings zone;
    private final DnsClient client;
    private final Duration interval;
    private final BiFunction<Duration, Runnable, Runnable> schedule;
    private final InstantSource clock;
    private final Runnable onFailure;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private volatile ZoneStatus status;

    private boolean running;
    private boolean stopped;

    /// Whether an answer of the current or last test refused the query.
    private volatile boolean refusing;

    private int failures;
    private Runnable cancelNextTest = () -> {};

    /// @param schedule runs a task after a delay, and returns how to cancel it
    /// @param onFailure run at each failed test, before the failure is visible
    SelfTest(
            ZoneSettings zone,
            DnsClient client,
            Duration interval,
            BiFunction<Duration, Runnable, Runnable> schedule,
            InstantSource clock,
            Runnable onFailure) {
        this.zone = zone;
        this.client = client;
        this.interval = interval;
        this.schedule = schedule;
        this.clock = clock;
        this.onFailure = onFailure;
        this.status = new ZoneStatus(zone.name().template(), ZoneStatus.State.UNTESTED, "", clock.instant());
    }

    ZoneStatus status() {
        return status;
    }

    /// Completes with the first result.
    CompletableFuture<Void> first() {
        return first;
    }

    /// Starts a test, unless one is in progress.
    void start() {
        if (begin()) {
            CompletableFuture<Void> _ = faultOfListed()
                    .thenCombine(query("invalid"), (fault, reply) -> fault(fault, "INVALID", reply))
                    .thenCombine(faultOfUnlistedAddress(), Optional::or)
                    .thenAccept(this::end);
        }
    }

    private synchronized boolean begin() {
        if (running || stopped) {
            return false;
        }
        running = true;
        refusing = false;
        cancelNextTest.run();
        return true;
    }

    private CompletableFuture<DnsReply> query(String labels) {
        return zone.name().fault().isEmpty()
                ? client.test(DnsQuestion.ofList(
                                labels + "." + zone.name().toQueryName(),
                                zone.name().template()))
                        .thenApply(zone.name()::ofZone)
                : completedFuture(
                        new DnsReply.Failed(DnsReply.Cause.ERROR, zone.name().fault()));
    }

    /// A wildcard is a zone that lists everything.
    private CompletableFuture<Supplier<Optional<String>>> faultOfUnlistedAddress() {
        return zone.keys() == ZoneKeys.NETWORKS
                ? query(UNLISTED_ADDRESS).thenApply(reply -> () -> fault(Optional.empty(), "127.0.0.1", reply))
                : completedFuture(Optional::empty);
    }

    private CompletableFuture<Optional<String>> faultOfListed() {
        return zone.testPoint().map(name -> faultOfListed(name, name)).orElseGet(() -> faultOfListed("test", "TEST"));
    }

    /// A zone of addresses, and some of names, have 127.0.0.2 instead of TEST.
    private CompletableFuture<Optional<String>> faultOfListed(String labels, String text) {
        return query(labels).thenCompose(reply -> switch (reply) {
            case DnsReply.Absent _ ->
                labels.equals(LISTED_ADDRESS) || zone.testPoint().isPresent()
                        ? completedFuture(Optional.of(zone.testPoint()
                                .map(name -> name + " is not listed")
                                .orElse("TEST is not listed, nor is 127.0.0.2")))
                        : faultOfListed(LISTED_ADDRESS, "127.0.0.2");
            case DnsReply.Failed failed -> completedFuture(Optional.of(text + ": " + failed.reason()));
            case DnsReply.Found addresses ->
                completedFuture(
                        addresses.values().stream().allMatch(zone::isOfListing)
                                ? Optional.empty()
                                : Optional.of(text + " is answered " + describe(addresses)));
        });
    }

    private String describe(DnsReply.Found reply) {
        if (reply.values().stream().anyMatch(address -> zone.refusal(address).isPresent())) {
            refusing = true;
        }
        return reply.values().stream()
                .map(address -> zone.refusal(address).orElse(address))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private Optional<String> fault(Optional<String> before, String text, DnsReply unlisted) {
        return before.or(() -> switch (unlisted) {
            case DnsReply.Absent _ -> Optional.empty();
            case DnsReply.Failed failed -> Optional.of(text + ": " + failed.reason());
            case DnsReply.Found addresses -> Optional.of(text + " is answered " + describe(addresses));
        });
    }

    /// Records that the zone refused a query: its answers are not used, and the next test is later than usual.
    synchronized void recordRefusal(String refusal) {
        if (!stopped && status.state() != ZoneStatus.State.FAILED) {
            cancelNextTest.run();
            onFailure.run();
            change(Optional.of("refuses queries: " + refusal));
            cancelNextTest = schedule.apply(REFUSED, this::start);
        }
    }

    private synchronized void end(Optional<String> fault) {
        running = false;
        failures = fault.isPresent() ? failures + 1 : 0;
        fault.ifPresent(why -> onFailure.run());
        change(fault);
        first.complete(null);
        if (!stopped) {
            cancelNextTest = schedule.apply(fault.isEmpty() ? interval : refusing ? REFUSED : retry(), this::start);
        }
    }

    private Duration retry() {
        Duration delay = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        Duration bounded = delay.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : delay;
        return bounded.compareTo(interval) > 0 ? interval : bounded;
    }

    private void change(Optional<String> fault) {
        ZoneStatus.State state = fault.isPresent() ? ZoneStatus.State.FAILED : ZoneStatus.State.PASSED;
        if (state != status.state()) {
            status = new ZoneStatus(zone.name().template(), state, fault.orElse(""), clock.instant());
            fault.ifPresentOrElse(
                    why -> LOG.warn("zone {} failed its self-test, its answers are not used: {}", zone.name(), why),
                    () -> LOG.info("zone {} passed its self-test", zone.name()));
        }
    }

    /// Stops further tests.
    synchronized void stop() {
        stopped = true;
        cancelNextTest.run();
    }
}
