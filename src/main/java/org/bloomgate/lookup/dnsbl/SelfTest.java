package org.bloomgate.lookup.dnsbl;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tests whether a zone works: it lists TEST, or 127.0.0.2, and does not list INVALID (RFC 5782, 5). This finds
/// a zone that is gone, lists nothing, lists everything or refuses its clients, which no single answer shows.
///
/// Repeated at an interval; after a failure sooner, first after a second, then after twice as long each time, up to a
/// minute. Each change is logged once. Thread-safe.
final class SelfTest {
    private static final Logger LOG = LoggerFactory.getLogger(SelfTest.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 6;
    private static final String LISTED_ADDRESS = "2.0.0.127";
    private static final String UNLISTED_ADDRESS = "1.0.0.127";

    /// A zone that refuses queries is left alone for this time.
    private static final Duration REFUSED = Duration.ofMinutes(10);

    private final ZoneSettings zone;
    private final DnsClient client;
    private final Duration interval;
    private final Schedule schedule;
    private final InstantSource clock;
    private final Runnable onFailure;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private volatile ZoneStatus status;

    private boolean running;
    private boolean stopped;

    /// Whether an answer of the test under way, or of the last one, refused the query.
    private volatile boolean refusing;

    private int failures;
    private Schedule.Waiting next = () -> {};

    /// @param onFailure run at each failed test, before the failure is visible
    SelfTest(
            ZoneSettings zone,
            DnsClient client,
            Duration interval,
            Schedule schedule,
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

    /// Done when there is a first result.
    CompletableFuture<Void> first() {
        return first;
    }

    /// Tests at once, unless that is under way.
    void now() {
        if (begin()) {
            CompletableFuture<Void> _ = faultOfListed()
                    .thenCombine(ask("invalid"), (fault, reply) -> fault(fault, "INVALID", reply))
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
        next.cancel();
        return true;
    }

    private CompletableFuture<DnsReply> ask(String labels) {
        return zone.name().fault().isEmpty()
                ? client.ask(labels + "." + zone.name().toQueryName()).thenApply(reply -> reply.masked(zone.name()))
                : completedFuture(new DnsReply.Failed(zone.name().fault()));
    }

    /// A wildcard is a zone that lists everything.
    private CompletableFuture<Supplier<Optional<String>>> faultOfUnlistedAddress() {
        return zone.keys() == ZoneKeys.NETWORKS
                ? ask(UNLISTED_ADDRESS).thenApply(reply -> () -> fault(Optional.empty(), "127.0.0.1", reply))
                : completedFuture(Optional::empty);
    }

    private CompletableFuture<Optional<String>> faultOfListed() {
        return zone.testPoint().map(name -> faultOfListed(name, name)).orElseGet(() -> faultOfListed("test", "TEST"));
    }

    /// A zone of addresses, and some of names, have 127.0.0.2 instead of TEST.
    private CompletableFuture<Optional<String>> faultOfListed(String labels, String text) {
        return ask(labels).thenCompose(reply -> switch (reply) {
            case DnsReply.Absent _ ->
                labels.equals(LISTED_ADDRESS) || zone.testPoint().isPresent()
                        ? completedFuture(Optional.of(zone.testPoint()
                                .map(name -> name + " is not listed")
                                .orElse("TEST is not listed, nor is 127.0.0.2")))
                        : faultOfListed(LISTED_ADDRESS, "127.0.0.2");
            case DnsReply.Failed failed -> completedFuture(Optional.of(text + ": " + failed.reason()));
            case DnsReply.Addresses of ->
                completedFuture(
                        of.addresses().stream().allMatch(zone::isOfListing)
                                ? Optional.empty()
                                : Optional.of(text + " is answered " + describe(of)));
        });
    }

    private String describe(DnsReply.Addresses of) {
        if (of.addresses().stream().anyMatch(address -> zone.refusal(address).isPresent())) {
            refusing = true;
        }
        return of.addresses().stream()
                .map(address -> zone.refusal(address).orElse(address))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private Optional<String> fault(Optional<String> before, String text, DnsReply unlisted) {
        return before.or(() -> switch (unlisted) {
            case DnsReply.Absent _ -> Optional.empty();
            case DnsReply.Failed failed -> Optional.of(text + ": " + failed.reason());
            case DnsReply.Addresses of -> Optional.of(text + " is answered " + describe(of));
        });
    }

    /// The zone has refused a query: it is off, and left alone for a while.
    synchronized void refused(String why) {
        if (!stopped && status.state() != ZoneStatus.State.FAILED) {
            next.cancel();
            onFailure.run();
            change(Optional.of("refuses queries: " + why));
            next = schedule.after(REFUSED, this::now);
        }
    }

    private synchronized void end(Optional<String> fault) {
        running = false;
        failures = fault.isPresent() ? failures + 1 : 0;
        fault.ifPresent(why -> onFailure.run());
        change(fault);
        first.complete(null);
        if (!stopped) {
            next = schedule.after(fault.isEmpty() ? interval : refusing ? REFUSED : retry(), this::now);
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

    /// No more of them.
    synchronized void stop() {
        stopped = true;
        next.cancel();
    }
}
