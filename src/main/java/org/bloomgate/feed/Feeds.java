package org.bloomgate.feed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.key.KeyKind;

/// What `feeds.yaml` holds.
///
/// @param feeds in the order of the file
/// @param allow paths of own allow lists, one name a line, added to the list that ships with the product
public record Feeds(List<Feed> feeds, List<String> allow) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    private static final Pattern SCHEME = Pattern.compile("(?i)([a-z][a-z0-9+.-]*)://.*");

    private static final Set<KeyKind> READ = Set.of(KeyKind.DOMAIN, KeyKind.ADDRESS, KeyKind.URL, KeyKind.PASSWORD);

    public Feeds {
        feeds = List.copyOf(feeds);
        allow = List.copyOf(allow);
    }

    public static Feeds defaults() {
        return new Feeds(List.of(), List.of());
    }

    /// Every contradiction, one line each; empty when the feeds can be used.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int stdin = 0;
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            String where = feed.name().isEmpty() ? "feeds[" + i + "]: " : "feed " + feed.name() + ": ";
            problemsOf(feed).forEach(problem -> problems.add(where + problem));
            if (!names.add(feed.name())) {
                problems.add(where + "name: given twice, each feed needs its own");
            }
            stdin += feed.source().equals("-") ? 1 : 0;
        }
        if (stdin > 1) {
            problems.add("source: '-' (stdin) serves one feed, not " + stdin);
        }
        return problems;
    }

    private static List<String> problemsOf(Feed feed) {
        List<String> problems = new ArrayList<>();
        if (!NAME.matcher(feed.name()).matches()) {
            problems.add("name: 1 to 64 of a-z 0-9 . _ - are needed, a letter or digit first");
        }
        if (feed.category().isBlank()) {
            problems.add("category: a word is needed");
        }
        if (feed.use().isEmpty()) {
            problems.add("use: at least one of sender, header, link is needed");
        }
        if (feed.source().isBlank()) {
            problems.add("source: a path, an http(s) URL or - is needed");
        }
        var scheme = SCHEME.matcher(feed.source());
        if (scheme.matches() && !scheme.group(1).matches("(?i)https?")) {
            problems.add("source: " + scheme.group(1) + ": cannot be fetched, use http, https or a path");
        }
        if (feed.maxBytes() < 1 || feed.maxUnpackedBytes() < 1) {
            problems.add("maxBytes, maxUnpackedBytes: above 0 is needed");
        }
        if (!feed.timeout().isPositive()) {
            problems.add("timeout: above 0 is needed");
        }
        problems.addAll(formatProblems(feed));
        return problems;
    }

    private static List<String> formatProblems(Feed feed) {
        List<String> problems = new ArrayList<>();
        String label = feed.format().label();
        if (!READ.contains(feed.kind())) {
            problems.add("kind: no format holds " + feed.kind().label() + ", use domain, address, url or password");
        } else if (!kinds(feed.format()).contains(feed.kind())) {
            problems.add(
                    "format: " + label + " does not hold kind " + feed.kind().label());
        }
        if (feed.format() == FeedFormat.CSV && feed.column().isEmpty()) {
            problems.add("column: format csv needs the name of the column");
        }
        if (feed.format() != FeedFormat.CSV && feed.column().isPresent()) {
            problems.add("column: only format csv has columns");
        }
        if (feed.format() != FeedFormat.JSON && feed.path().isPresent()) {
            problems.add("path: only format json has a path");
        }
        return problems;
    }

    private static Set<KeyKind> kinds(FeedFormat format) {
        return switch (format) {
            case LINES, CSV, JSON -> READ;
            case HOSTS, ADBLOCK, WILDCARD, DNSMASQ, UNBOUND, RPZ, RBLDNSD -> Set.of(KeyKind.DOMAIN);
            case SHA1, SHA1_COUNT -> Set.of(KeyKind.PASSWORD);
        };
    }
}
