package org.bloomgate.app.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lookup.tier.Action;
import org.jspecify.annotations.Nullable;

/// Finds settings of actions that have no effect because a category or a feed caps the action to a milder one.
final class CapWarnings {
    /// `policy.listed.link`, or `policy.recipients.u@dest.example.listed` for all places.
    private static final Pattern PLACE = Pattern.compile("(?:smtp\\.listeners\\.(?<listener>[a-z0-9-]+)\\.policy|policy"
            + "(?:\\.recipients\\.(?<recipient>.+)|\\.senders\\.(?<sender>.+))?)\\.listed(?:\\.\\w+)?");

    /// The shipped action of each place, as `policy.listed.link: reject`.
    private static final Set<String> DEFAULTS = PolicyOptions.defaults().listed().entrySet().stream()
            .map(shipped -> "policy.listed." + shipped.getKey().label() + ": "
                    + shipped.getValue().label())
            .collect(Collectors.toUnmodifiableSet());

    /// The number of places that a line names; further ones are counted.
    private static final int MAX_PLACES = 3;

    private final PolicyOptions policy;
    private final Map<String, PolicyOverrides> listeners;
    private final List<Feed> feeds;

    /// @param listeners rules of further listeners, by name
    CapWarnings(PolicyOptions policy, Map<String, PolicyOverrides> listeners, List<Feed> feeds) {
        this.policy = policy;
        this.listeners = listeners;
        this.feeds = feeds.stream()
                .filter(feed -> !feed.kind().isSecret())
                .sorted(Comparator.comparing(Feed::name))
                .toList();
    }

    /// The strictest action that the feeds of one category, or one feed, may cause.
    ///
    /// @param subject the category or the feed, as the start of a sentence
    private record Bound(String subject, Action strictest) {}

    /// One line for each bound, with the first places that it caps.
    List<String> lines(List<ExplicitSetting> settings) {
        Map<String, List<String>> places = new TreeMap<>();
        for (ExplicitSetting setting : settings) {
            Matcher place = PLACE.matcher(setting.key());
            if (place.matches() && !DEFAULTS.contains(setting.key() + ": " + setting.value())) {
                bounds(place).stream()
                        .filter(bound -> isHarder(setting.value(), bound.strictest()))
                        .forEach(bound -> places.computeIfAbsent(
                                        bound.subject() + " at most "
                                                + bound.strictest().label(),
                                        _ -> new ArrayList<>())
                                .add(setting.key() + " (" + setting.where() + ")"));
            }
        }
        return places.entrySet().stream()
                .map(capped -> capped.getKey() + ", whatever is set at " + describe(capped.getValue()))
                .toList();
    }

    private static String describe(List<String> places) {
        int rest = places.size() - MAX_PLACES;
        return places.stream().limit(MAX_PLACES).collect(Collectors.joining(", "))
                + (rest > 0 ? " and " + rest + " more" : "");
    }

    private static boolean isHarder(String label, Action bound) {
        return Labelled.find(Action.class, label)
                .filter(action -> action.isHarderThan(bound))
                .isPresent();
    }

    private List<Bound> bounds(Matcher place) {
        Map<String, Action> categories = new TreeMap<>(policy.categories());
        overrides(place).ifPresent(overrides -> categories.putAll(overrides.categories()));
        List<Bound> bounds = new ArrayList<>();
        feeds.stream()
                .collect(Collectors.groupingBy(Feed::category, TreeMap::new, Collectors.toList()))
                .forEach((category, categoryFeeds) -> bounds.add(new Bound(
                        "category " + category + " (" + names(categoryFeeds) + ") does",
                        Objects.requireNonNullElse(
                                categories.get(category), categories.getOrDefault("default", Action.REJECT)))));
        feeds.forEach(feed -> feed.effect()
                .action()
                .ifPresent(strictest -> bounds.add(new Bound("feed " + feed.name() + " does", strictest))));
        return bounds;
    }

    private static String names(List<Feed> feeds) {
        return (feeds.size() == 1 ? "feed " : "feeds ")
                + feeds.stream().map(Feed::name).collect(Collectors.joining(", "));
    }

    private Optional<PolicyOverrides> overrides(Matcher place) {
        return find(place, "listener", listeners::get)
                .or(() ->
                        find(place, "recipient", mailbox -> policy.recipients().get(MailboxPattern.of(mailbox))))
                .or(() -> find(place, "sender", mailbox -> policy.senders().get(MailboxPattern.of(mailbox))));
    }

    private static Optional<PolicyOverrides> find(
            Matcher place, String group, Function<String, @Nullable PolicyOverrides> rules) {
        return Optional.ofNullable(place.group(group)).map(rules);
    }
}
