package org.bloomgate.lookup.dnsbl;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// A feed whose listings a zone confirms, and what the zone's addresses mean for it.
///
/// @param feed its name
/// @param category of the feed
/// @param zone in lower case, without a final dot
/// @param answers categories by dotted address; if empty, each of 127.0.0.2 to 127.0.0.255 means the category
///     of the feed
public record ConfirmedFeed(String feed, String category, String zone, Map<String, String> answers) {
    private static final Pattern PLAIN = Pattern.compile("127\\.0\\.0\\.[0-9]+");

    public ConfirmedFeed {
        answers = Map.copyOf(answers);
    }

    /// Every category a listing can come to have.
    Set<String> categories() {
        return answers.isEmpty() ? Set.of(category) : Set.copyOf(answers.values());
    }

    /// One address that is not a listing makes the whole answer invalid, whatever other addresses it has. An
    /// address of a listing without a meaning is ignored if another one has a meaning.
    ZoneQuery.Answer read(DnsReply reply) {
        return switch (reply) {
            case DnsReply.Absent _ -> new ZoneQuery.Answer.NotListed();
            case DnsReply.Failed failed -> new ZoneQuery.Answer.Unknown(failed.reason());
            case DnsReply.Addresses of -> read(of.addresses());
        };
    }

    private ZoneQuery.Answer read(Set<String> addresses) {
        Set<String> categories = new TreeSet<>();
        for (String address : addresses) {
            if (!isOfListing(address)) {
                return new ZoneQuery.Answer.Unknown("zone answer is not a listing: " + address);
            }
            if (answers.isEmpty() && PLAIN.matcher(address).matches()) {
                categories.add(category);
            } else if (answers.containsKey(address)) {
                categories.add(answers.get(address));
            }
        }
        return categories.isEmpty()
                ? new ZoneQuery.Answer.Unknown("zone answer without a meaning: " + addresses)
                : new ZoneQuery.Answer.Listed(categories);
    }

    /// In 127.0.0.0/8 (RFC 5782, 2.1), but neither an error code of 127.255.255.0/24 nor 127.0.0.1, which is never
    /// listed (RFC 5782, 5) and what some zones answer to clients they refuse.
    static boolean isOfListing(String address) {
        return address.startsWith("127.")
                && !address.startsWith("127.255.255.")
                && !address.equals("127.0.0.0")
                && !address.equals("127.0.0.1");
    }
}
