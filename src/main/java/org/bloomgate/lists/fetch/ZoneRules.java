package org.bloomgate.lists.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KindRules;
import org.bloomgate.lookup.dnsbl.ZoneName;

/// The rules for the settings of a zone: `confirm`, `zone`, `answers`, and a source that is a zone.
///
/// A zone is queried for `<domain>.<zone>` (RFC 5782, 3). There is no convention for queries of addresses,
/// URLs, passwords and digests.
final class ZoneRules {
    /// Leaves space for the queried name: a name has at most 253 characters.
    private static final int MAX_ZONE_CHARS = 200;

    private static final Pattern ZONE =
            Pattern.compile("(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)*[a-z][a-z0-9-]{0,62}");

    private static final Pattern ADDRESS =
            Pattern.compile("127(?:\\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}");

    /// 127.0.0.1 must never be listed (RFC 5782, 5) and is what some operators answer when they refuse a client;
    /// 127.255.255.x are error codes.
    private static final Pattern LISTED = Pattern.compile("(?!127\\.0\\.0\\.[01]$|127\\.255\\.255\\.)127"
            + "(?:\\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}");

    /// The last byte of an address may be a range.
    private static final Pattern RANGE = Pattern.compile("(127\\.[0-9.]+\\.)([0-9]{1,3})-([0-9]{1,3})");

    private static final Pattern BIT = Pattern.compile("1|2|4|8|16|32|64|128");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Duration MAX_BUDGET = Duration.ofSeconds(1);

    private ZoneRules() {}

    static List<String> problems(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!feed.confirming().budget().isPositive()
                || feed.confirming().budget().compareTo(MAX_BUDGET) > 0) {
            problems.add("budget: more than 0 and at most " + MAX_BUDGET.toMillis() + "ms is needed");
        }
        if (feed.queriedZone().isPresent()) {
            problems.addAll(list(feed, feed.queriedZone().get()));
        } else if (feed.confirming().confirm() == ConfirmationMethod.DNS) {
            problems.addAll(confirmedByZone(feed));
        } else {
            problems.addAll(withoutZone(feed));
        }
        return problems;
    }

    /// A list that is fetched and not confirmed.
    private static List<String> withoutZone(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!feed.confirming().zone().isEmpty()) {
            problems.add("zone: is queried only with confirm: dns");
        }
        Feed.Confirming none = Feed.Confirming.defaults();
        Feed.Confirming set = feed.confirming();
        if (!set.answers().isEmpty()) {
            problems.add("answers: only a zone has answers; set confirm: dns");
        }
        if (!set.bits().equals(none.bits())
                || !set.errors().equals(none.errors())
                || !(set.testPoint() + set.keyEnv() + set.keyFile()).isEmpty()) {
            problems.add("confirm: bits, errors, testPoint, keyEnv and keyFile are of a zone; set confirm: dns");
        }
        return problems;
    }

    /// A list that is only a zone.
    private static List<String> list(Feed feed, String zone) {
        List<String> problems = new ArrayList<>();
        boolean digested = feed.position().digest() != Digest.NONE;
        boolean plain = feed.kind() == FeedKind.DOMAIN || feed.kind() == FeedKind.NETWORK;
        boolean address = feed.kind() == FeedKind.ADDRESS;
        boolean file = feed.kind() == FeedKind.HASH && feed.position().digest() == Digest.SHA256;
        if (digested ? !address && !file : !plain) {
            problems.add("kind: a source dns: is asked about domains, or about networks, which are addresses of clients"
                    + " (RFC 5782), with digest sha1 or sha256 about addresses, with sha256 about files (kind hash); for"
                    + " kind " + feed.kind().label() + " no form of query is defined");
        }
        if (!isZone(zone)) {
            problems.add("source: dns: needs the name of the zone, in lower case, as dns:dbl.example");
        }
        if (feed.confirming().confirm() != ConfirmationMethod.NONE
                || !feed.confirming().zone().isEmpty()) {
            problems.add("confirm: a source dns: has nothing that could be confirmed, leave out confirm and zone");
        }
        if (feed.atConnect()) {
            problems.add("atConnect: is for networks of a snapshot, not for a source dns:");
        }
        problems.addAll(answers(feed));
        problems.addAll(key(feed, zone));
        return problems;
    }

    /// A list that is fetched and confirmed by a zone.
    private static List<String> confirmedByZone(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!feed.kind().rules().allMatch(KindRules::hasZones)) {
            problems.add("confirm: dns asks about domains (RFC 5782); for kind "
                    + feed.kind().label() + " there is no convention for the query");
        }
        if (!isZone(feed.confirming().zone())) {
            problems.add("zone: confirm dns needs the name of the zone, in lower case, such as dbl.example");
        }
        problems.addAll(answers(feed));
        problems.addAll(key(feed, feed.confirming().zone()));
        return problems;
    }

    private static boolean isZone(String name) {
        return name.length() <= MAX_ZONE_CHARS
                && ZONE.matcher(name.replaceFirst(Pattern.quote(ZoneName.KEY), "key"))
                        .matches();
    }

    private static List<String> key(Feed feed, String zone) {
        List<String> problems = new ArrayList<>();
        boolean named = !feed.confirming().keyEnv().isEmpty();
        boolean filed = !feed.confirming().keyFile().isEmpty();
        if (ZoneName.needsKey(zone)) {
            problems.add(
                    "source: write {key} where the name has your key, and set keyEnv or keyFile: the name of a zone "
                            + "is shown in status, metrics and log");
        }
        if (zone.contains(ZoneName.KEY) ? named == filed : named || filed) {
            problems.add("keyEnv: {key} in the name of the zone needs keyEnv or keyFile, and these need {key}");
        }
        if (named && !VARIABLE.matcher(feed.confirming().keyEnv()).matches()) {
            problems.add("keyEnv: names the environment variable with the key");
        }
        return problems;
    }

    /// The categories by address, ranges written out.
    static Map<String, String> expanded(Map<String, String> answers) {
        Map<String, String> expanded = new TreeMap<>();
        answers.forEach((text, category) -> addresses(text).forEach(address -> expanded.put(address, category)));
        return expanded;
    }

    /// The addresses of a range such as `127.0.2.2-24`; of any other text, the text itself.
    static List<String> addresses(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return List.of(text);
        }
        int first = Integer.parseInt(range.group(2));
        int last = Integer.parseInt(range.group(3));
        return first > last || last > 255
                ? List.of(text)
                : IntStream.rangeClosed(first, last)
                        .mapToObj(number -> range.group(1) + number)
                        .toList();
    }

    private static List<String> answers(Feed feed) {
        List<String> problems = new ArrayList<>();
        Feed.Confirming zone = feed.confirming();
        if (!zone.bits().isEmpty() && !zone.answers().isEmpty()) {
            problems.add("bits: a zone has either answers or bits");
        }
        zone.bits().forEach((bit, category) -> {
            if (!BIT.matcher(bit).matches() || !FeedRules.isCategory(category)) {
                problems.add("bits: " + bit + ": write 1, 2, 4 .. 128 and a category, " + FeedRules.CATEGORY_FORM);
            }
        });
        for (String error : zone.errors()) {
            if (!addresses(error).stream()
                    .allMatch(address -> ADDRESS.matcher(address).matches())) {
                problems.add("errors: " + error + " is not an address in 127.0.0.0/8");
            }
        }
        if (!zone.testPoint().isEmpty() && !ZONE.matcher(zone.testPoint()).matches()) {
            problems.add("testPoint: the name that must be listed, in lower case, is needed");
        }
        zone.answers().forEach((address, category) -> {
            if (!addresses(address).stream()
                    .allMatch(expanded -> LISTED.matcher(expanded).matches())) {
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
