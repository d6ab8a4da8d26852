package org.bloomgate.app.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.Configuration;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.lists.fetch.Feed;

/// Categories under `policy` or `exact.onUnknown` that no feed has, so that their settings have no effect. The
/// shipped ones are not reported. With snapshots of another machine, the categories are unknown here.
final class UnusedCategories {
    private static final Pattern WORD =
            Pattern.compile("(?:exact|policy|smtp\\.listeners)\\.(?:.+\\.)?(?:categories|onUnknown)\\.(?<word>[^.]+)");

    private UnusedCategories() {}

    /// One line each, with its place.
    static List<String> lines(Configuration configuration, List<Feed> feeds, List<ExplicitSetting> written) {
        if (configuration.mirror().enabled()) {
            return List.of();
        }
        Set<String> used = new TreeSet<>();
        feeds.forEach(feed -> Stream.concat(Stream.of(feed.category()), feed.confirming().answers().values().stream())
                .forEach(used::add));
        Configuration shipped = Configuration.defaults();
        Set<String> known = new TreeSet<>(used);
        Stream.<Map<String, ?>>of(shipped.policy().categories(), shipped.exact().onUnknown())
                .forEach(map -> known.addAll(map.keySet()));
        return written.stream()
                .filter(one ->
                        names(one.key()).filter(word -> !known.contains(word)).isPresent())
                .map(one -> "%s (%s) changes nothing: no feed is of this category; there are %s"
                        .formatted(one.key(), one.where(), used.isEmpty() ? "none" : String.join(", ", used)))
                .toList();
    }

    /// The category of a rule.
    private static Optional<String> names(String key) {
        Matcher word = WORD.matcher(key);
        return word.matches() ? Optional.of(word.group("word")) : Optional.empty();
    }
}
