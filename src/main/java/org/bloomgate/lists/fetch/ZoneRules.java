package org.bloomgate.lists.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KindRules;

/// Which values of `confirm`, `zone`, `answers` and of a source that is a zone go together.
///
/// A zone is queried for `<domain>.<zone>` (RFC 5782, 3). There is no convention for queries about addresses,
/// URLs, passwords and digests.
final class ZoneRules {
    /// Leaves space for the queried name: a name has at most 253 characters.
    private static final int MAX_ZONE_CHARS = 200;

    private static final Pattern ZONE =
            Pattern.compile("(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)*[a-z][a-z0-9-]{0,62}");

    /// 127.0.0.1 must never be listed (RFC 5782, 5) and is what some operators answer when they refuse a client;
    /// 127.255.255.x are error codes.
    private static final Pattern LISTED = Pattern.compile("(?!127\\.0\\.0\\.[01]$|127\\.255\\.255\\.)127"
            + "(?:\\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}");

    /// Every message may wait so long.
    private static final Duration MOST_BUDGET = Duration.ofSeconds(1);

    private ZoneRules() {}

    static List<String> problems(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!feed.confirming().budget().isPositive()
                || feed.confirming().budget().compareTo(MOST_BUDGET) > 0) {
            problems.add("budget: more than 0 and at most " + MOST_BUDGET.toMillis() + "ms is needed");
        }
        if (feed.askedZone().isPresent()) {
            problems.addAll(list(feed, feed.askedZone().get()));
        } else if (feed.confirming().confirm() == Confirmation.DNS) {
            problems.addAll(queried(feed));
        } else {
            problems.addAll(unasked(feed));
        }
        return problems;
    }

    private static List<String> unasked(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!feed.confirming().zone().isEmpty()) {
            problems.add("zone: is asked only with confirm dns");
        }
        if (!feed.confirming().answers().isEmpty()) {
            problems.add("answers: only a zone has answers; set confirm: dns");
        }
        return problems;
    }

    /// A list that is a zone and nothing else.
    private static List<String> list(Feed feed, String zone) {
        List<String> problems = new ArrayList<>();
        if (feed.kind() != FeedKind.DOMAIN && feed.kind() != FeedKind.NETWORK) {
            problems.add("kind: a source dns: is asked about domains, or about networks, which are addresses of clients"
                    + " (RFC 5782); for kind " + feed.kind().label() + " there is no convention for the query");
        }
        if (!isZone(zone)) {
            problems.add("source: dns: needs the name of the zone, in lower case, as dns:dbl.example");
        }
        if (feed.confirming().confirm() != Confirmation.NONE
                || !feed.confirming().zone().isEmpty()) {
            problems.add("confirm: a source dns: has nothing that could be confirmed, leave out confirm and zone");
        }
        if (feed.atConnect()) {
            problems.add("atConnect: is for networks of a snapshot, not for a source dns:");
        }
        problems.addAll(answers(feed));
        return problems;
    }

    private static List<String> queried(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!feed.kind().rules().allMatch(KindRules::hasZones)) {
            problems.add("confirm: dns asks about domains (RFC 5782); for kind "
                    + feed.kind().label() + " there is no convention for the query");
        }
        if (!isZone(feed.confirming().zone())) {
            problems.add("zone: confirm dns needs the name of the zone, in lower case, such as dbl.example");
        }
        problems.addAll(answers(feed));
        return problems;
    }

    private static boolean isZone(String name) {
        return name.length() <= MAX_ZONE_CHARS && ZONE.matcher(name).matches();
    }

    private static List<String> answers(Feed feed) {
        List<String> problems = new ArrayList<>();
        feed.confirming().answers().forEach((address, category) -> {
            if (!LISTED.matcher(address).matches()) {
                problems.add(
                        "answers: " + address + " is not an address of a listing, which is in 127.0.0.0/8 but neither"
                                + " 127.0.0.0, 127.0.0.1 nor in 127.255.255.0/24");
            }
            if (!FeedRules.isCategory(category)) {
                problems.add("answers: " + address + " needs a category, " + FeedRules.CATEGORY_FORM);
            }
        });
        return problems;
    }
}
