package org.bloomgate.lists.fetch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The content of `feeds.yaml`.
///
/// @param feeds in the order of the file
/// @param allow paths of own allow lists, one name per line, added to the list that ships with the product
public record Feeds(List<Feed> feeds, List<String> allow) {
    public Feeds {
        feeds = List.copyOf(feeds);
        allow = List.copyOf(allow);
    }

    public static Feeds defaults() {
        return new Feeds(List.of(), List.of());
    }

    /// The feeds that a rebuild fetches; the others are zones, which gateways query.
    public Feeds fetched() {
        return new Feeds(
                feeds.stream().filter(feed -> feed.queriedZone().isEmpty()).toList(), allow);
    }

    /// Problems between feeds, one line each that begins with its key; problems of a single feed are in
    /// [Feed#problems()].
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int stdin = 0;
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            if (!names.add(feed.name())) {
                problems.add("feeds[" + i + "].name: " + feed.name() + " is given twice, each feed needs its own");
            }
            if (feed.source().equals("-") && ++stdin == 2) {
                problems.add("feeds[" + i + "].source: '-' (stdin) serves one feed");
            }
        }
        return problems;
    }
}
