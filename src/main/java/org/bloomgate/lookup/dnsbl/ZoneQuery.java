package org.bloomgate.lookup.dnsbl;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.tier.Listing;

/// The query about one listing.
///
/// @param by the feed with the zone that is queried
/// @param name the query name; empty if the key has none
record ZoneQuery(Listing listing, Zones.Confirming by, Optional<String> name, CompletableFuture<DnsReply> reply) {
    private static final DnsReply.Failed NO_NAME = new DnsReply.Failed(
            DnsReply.Cause.ERROR, "zone not queried: only names and addresses have a form of query");

    static ZoneQuery send(Listing listing, Zones.Confirming by) {
        Optional<String> name = by.zone().toQueryName(listing.key());
        return new ZoneQuery(
                listing,
                by,
                name,
                name.map(by.zone()::query).orElseGet(() -> CompletableFuture.completedFuture(NO_NAME)));
    }

    /// Waits until the deadline at most; the query continues for later callers.
    ///
    /// @param deadline as of [System#nanoTime()]
    Answer answer(long deadline) {
        return by.feed().read(reply(deadline));
    }

    ZoneExchange exchange(long deadline) {
        DnsReply reply = reply(deadline);
        String meaning = switch (by.feed().read(reply)) {
            case Answer.Listed listed -> "listed as " + String.join(", ", listed.categories());
            case Answer.NotListed _ -> "not listed";
            case Answer.Unknown _ -> "cannot say";
        };
        ZoneName zone = by.feed().zone().name();
        return new ZoneExchange(
                by.feed().feed(), zone.template(), name.map(zone::masked).orElse(""), reply.text(), meaning);
    }

    private DnsReply reply(long deadline) {
        try {
            return reply.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            by.zone().counts().recordLate();
            return new DnsReply.Failed(DnsReply.Cause.TIMEOUT, "zone silent: deadline passed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new DnsReply.Failed(DnsReply.Cause.TIMEOUT, "zone silent: interrupted");
        } catch (ExecutionException e) {
            return new DnsReply.Failed(DnsReply.Cause.ERROR, "zone not queried: " + e.getCause());
        }
    }

    /// The answer of a zone about one listing.
    sealed interface Answer {

        /// It is listed, as these categories: one or more.
        record Listed(Set<String> categories) implements Answer {}

        record NotListed() implements Answer {}

        /// The answer cannot be relied on.
        record Unknown(String reason) implements Answer {}
    }
}
