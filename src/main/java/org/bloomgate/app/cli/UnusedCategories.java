package org.bloomgate.app.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.lists.fetch.Feed;

/// Finds categories under `policy` or `exact.onUnknown` that no feed has, so that their settings have no
/// effect. The shipped ones are not reported. Nothing is reported on a mirror, because its feeds are unknown
/// here.
final class UnusedCategories {
    private static final Pattern CATEGORY = Pattern.compile(
            "(?:exact|policy|smtp\\.listeners)\\.(?:.+\\.)?(?:categories|onUnknown)\\.(?<category>[^.]+)");

    private UnusedCategories() {}

    /// One line for each setting, with its place.
    static List<String> lines(Configuration configuration, List<Feed> feeds, List<ExplicitSetting> settings) {
        if (configuration.mirror().isEnabled()) {
            return List.of();
        }
        Set<String> used = new TreeSet<>();
        feeds.forEach(feed -> Stream.concat(Stream.of(feed.category()), feed.confirming().answers().values().stream())
                .forEach(used::add));
        Configuration shipped = Configuration.defaults();
        Set<String> knownCategories = new TreeSet<>(used);
        Stream.<Map<String, ?>>of(shipped.policy().categories(), shipped.exact().onUnknown())
                .forEach(map -> knownCategories.addAll(map.keySet()));
        return settings.stream()
                .filter(setting -> category(setting.key())
                        .filter(category -> !knownCategories.contains(category))
                        .isPresent())
                .map(setting -> "%s (%s) has no effect: no feed has this category; there are %s"
                        .formatted(setting.key(), setting.where(), used.isEmpty() ? "none" : String.join(", ", used)))
                .toList();
    }

    /// The category in the key of a setting.
    private static Optional<String> category(String key) {
        Matcher matcher = CATEGORY.matcher(key);
        return matcher.matches() ? Optional.of(matcher.group("category")) : Optional.empty();
    }
}
