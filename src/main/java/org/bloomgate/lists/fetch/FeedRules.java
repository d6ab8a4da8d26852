package org.bloomgate.lists.fetch;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.KindRules;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.text.TextForms;

/// The rules for the settings of one feed, and for their combinations.
final class FeedRules {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    private static final Pattern SCHEME = Pattern.compile("(?i)([a-z][a-z0-9+.-]*)://.*");

    /// Fits into the dictionary of the exact store and into a header field, in any script.
    private static final int MAX_CATEGORY_CHARS = 64;

    static final String CATEGORY_FORM = "a word of 1 to " + MAX_CATEGORY_CHARS + " characters";

    private final Feed feed;
    private final List<String> problems = new ArrayList<>();

    private FeedRules(Feed feed) {
        this.feed = feed;
    }

    static List<String> problems(Feed feed) {
        FeedRules rules = new FeedRules(feed);
        rules.identity();
        rules.source();
        rules.uses();
        if (feed.queriedZone().isEmpty()) {
            rules.format();
        }
        rules.bounds();
        rules.problems.addAll(ZoneRules.problems(feed));
        return rules.problems;
    }

    private void require(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }

    private void identity() {
        require(
                NAME.matcher(feed.name()).matches(),
                "name: 1 to 64 of a-z 0-9 . _ - are needed, a letter or digit first");
        require(isCategory(feed.category()), "category: " + CATEGORY_FORM + " is needed");
    }

    static boolean isCategory(String word) {
        return !word.isBlank() && word.length() <= MAX_CATEGORY_CHARS;
    }

    private void source() {
        require(!feed.source().isBlank(), "source: a path, an http(s) URL or - is needed");
        if (feed.queriedZone().isEmpty() && SourceFiles.isPattern(feed.source())) {
            several();
        }
        Matcher scheme = SCHEME.matcher(feed.source());
        if (scheme.matches()) {
            String name = TextForms.lowerCase(scheme.group(1));
            require(
                    name.equals("http") || name.equals("https"),
                    "source: " + name + ": cannot be fetched, use http, https or a path");
        }
    }

    private void several() {
        int slash = feed.source().lastIndexOf('/');
        require(
                slash < 0 || !SourceFiles.isPattern(feed.source().substring(0, slash)),
                "source: only the name of a file may hold * and ?, not that of a folder");
        require(
                feed.name().length() <= SourceFiles.MAX_NAME_CHARS,
                "name: at most " + SourceFiles.MAX_NAME_CHARS + " characters, since the name of each file is added");
        require(
                feed.confirming().confirm() == ConfirmationMethod.NONE,
                "confirm: dns is of one list, not of a source of several files");
    }

    private void uses() {
        require(!feed.use().isEmpty(), "use: at least one of sender, header, link, helo is needed");
        require(
                !feed.atConnect()
                        || (feed.kind() == FeedKind.NETWORK && feed.use().contains(Use.SENDER)),
                "atConnect: is about the address of a client, for kind network with use sender");
        require(
                feed.kind() != FeedKind.AUTO
                        || feed.use().isEmpty()
                        || feed.use().contains(Use.LINK),
                "use: kind auto holds URLs, which stand in links: name link too, or take kind domain");
        if (feed.kind().rules().noneMatch(KindRules::hasUses) && !feed.use().isEmpty()) {
            require(
                    feed.use().containsAll(Set.of(Use.SENDER, Use.HEADER, Use.LINK)),
                    "use: is about identifiers in mail, leave it out for kind "
                            + feed.kind().label());
        }
    }

    private void format() {
        String label = feed.format().label();
        String kind = feed.kind().label();
        require(kinds(feed.format()).contains(feed.kind()), "format: " + label + " does not hold kind " + kind);
        boolean digested = feed.kind() == FeedKind.DOMAIN_SHA1 || feed.kind() == FeedKind.ADDRESS_SHA1;
        boolean sha1 = feed.position().digest() == Digest.SHA1;
        require(
                feed.position().digest() != Digest.SHA256,
                "digest: sha256 is of a source dns: that is queried for addresses or files");
        require(digested || !sha1, "digest: sha1 is of domains and addresses, not of kind " + kind);
        require(sha1 || !digested, "kind: " + kind + " is kind domain or address with digest sha1");
        boolean csv = feed.format() == FeedFormat.CSV;
        require(!csv || feed.position().column().isPresent(), "column: format csv needs the name of the column");
        require(csv || feed.position().column().isEmpty(), "column: only format csv has columns");
        require(
                feed.format() == FeedFormat.JSON || feed.position().path().isEmpty(),
                "path: only format json has a path");
    }

    private static Set<FeedKind> kinds(FeedFormat format) {
        return switch (format) {
            case LINES, CSV, JSON -> EnumSet.allOf(FeedKind.class);
            case CIDR -> Set.of(FeedKind.NETWORK);
            case RBLDNSD -> Set.of(FeedKind.DOMAIN, FeedKind.NETWORK);
            case STIX, MISP ->
                Set.of(FeedKind.DOMAIN, FeedKind.URL, FeedKind.ADDRESS, FeedKind.HASH, FeedKind.NETWORK, FeedKind.AUTO);
            case ADBLOCK -> Set.of(FeedKind.DOMAIN, FeedKind.URL, FeedKind.AUTO);
            case HOSTS, WILDCARD, DNSMASQ, UNBOUND, RPZ, BIND -> Set.of(FeedKind.DOMAIN);
            case SHA1, SHA1_COUNT, NTLM_COUNT -> Set.of(FeedKind.PASSWORD);
        };
    }

    private void bounds() {
        require(feed.transfer().maxBytes() > 0, "maxBytes: above 0 is needed");
        require(feed.transfer().maxUnpackedBytes() > 0, "maxUnpackedBytes: above 0 is needed");
        require(feed.transfer().timeout().isPositive(), "timeout: above 0 is needed");
        require(!feed.retention().isNegative(), "retention: 0s or more is needed");
        require(feed.promoteHosts() >= 0 && feed.promoteHosts() != 1, "promoteHosts: 0, or 2 or more is needed");
        require(
                feed.promoteHosts() == 0 || (feed.kind().kinds().contains(KeyKind.URL) && feed.match() == Match.SUFFIX),
                "promoteHosts: is about hosts of URLs, with kind url and match suffix");
        problems.addAll(feed.transfer().auth().problems());
        require(
                feed.transfer().auth().scheme() == FeedAuth.Scheme.NONE || FeedFetcher.isWeb(feed.source()),
                "auth: only an http(s) source takes credentials");
        require(feed.match() != Match.BELOW, "match: exact or suffix is needed");
        share("maxRejectShare", feed.bounds().maxRejectShare());
        share("maxHoldShare", feed.bounds().maxHoldShare());
        share("maxShrinkShare", feed.bounds().maxShrinkShare());
        require(
                feed.bounds().maxGrowthShare().stream().allMatch(share -> share >= 0),
                "maxGrowthShare: 0 or more is needed");
        share("maxBlastShare", feed.bounds().maxBlastShare());
    }

    private void share(String key, Optional<Double> bound) {
        require(bound.stream().allMatch(share -> share >= 0 && share <= 1), key + ": 0 to 1 is needed");
    }
}
