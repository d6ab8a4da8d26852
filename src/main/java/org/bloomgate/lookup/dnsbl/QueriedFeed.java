package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ListingSource;

/// A list that exists only as a zone: it is queried for all identifiers.
///
/// @param says the zone, and the meaning of its addresses
/// @param kind domain, or network for the addresses of clients
/// @param source of its listings
/// @param budget the time that one batch of queries may take; a key without an answer by then is not listed
public record QueriedFeed(
        ConfirmedFeed says, KeyKind kind, Match match, Set<Use> uses, ListingSource source, Duration budget) {
    public QueriedFeed {
        uses = Set.copyOf(uses);
    }
}
