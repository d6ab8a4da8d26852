package org.bloomgate.lookup.dnsbl;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.lookup.dns.DnsReply;

/// A feed whose listings a zone confirms, and what the zone's addresses mean for it.
///
/// @param feed its name
public record ConfirmedFeed(String feed, ZoneSettings zone, ZoneAnswers answers) {

    /// All possible categories of a listing.
    Set<String> categories() {
        return answers.categories();
    }

    /// One address that is not a listing makes the whole answer invalid, whatever other addresses it has. An
    /// address of a listing without a meaning is ignored if another one has a meaning.
    ZoneQuery.Answer read(DnsReply reply) {
        return switch (reply) {
            case DnsReply.Absent _ -> new ZoneQuery.Answer.NotListed();
            case DnsReply.Failed failed -> new ZoneQuery.Answer.Unknown(failed.reason());
            case DnsReply.Found found -> read(found.values());
        };
    }

    private ZoneQuery.Answer read(List<String> addresses) {
        Set<String> categories = new TreeSet<>();
        for (String address : addresses) {
            Optional<String> refusal = zone.refusal(address);
            if (refusal.isPresent() || !zone.isOfListing(address)) {
                return new ZoneQuery.Answer.Unknown("zone answer is not a listing: " + refusal.orElse(address));
            }
            categories.addAll(answers.categoriesOf(address));
        }
        return categories.isEmpty()
                ? new ZoneQuery.Answer.Unknown("zone answer without a meaning: " + addresses)
                : new ZoneQuery.Answer.Listed(categories);
    }
}
