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
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lookup.tier.Action;
import org.jspecify.annotations.Nullable;

/// The places with an action that the configuration sets, but that a category or a feed caps to a milder one.
final class CapWarnings {
    /// `policy.listed.link`, or `policy.recipients.u@dest.example.listed` for all places.
    private static final Pattern PLACE = Pattern.compile("(?:smtp\\.listeners\\.(?<listener>[a-z0-9-]+)\\.policy|policy"
            + "(?:\\.recipients\\.(?<recipient>.+)|\\.senders\\.(?<sender>.+))?)\\.listed(?:\\.\\w+)?");

    private static final List<String> HARDNESS = List.of("pass", "tag", "quarantine", "defer", "discard", "reject");

    /// The shipped action of each place, as `policy.listed.link: reject`.
    private static final Set<String> DEFAULTS = PolicyOptions.defaults().listed().entrySet().stream()
            .map(shipped -> "policy.listed." + shipped.getKey().label() + ": "
                    + shipped.getValue().label())
            .collect(Collectors.toUnmodifiableSet());

    /// Places that a line names; it counts the rest.
    private static final int SHOWN = 3;

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

    /// The strongest action that the feeds of one category, or one feed, may cause.
    private record Bound(String what, Action most) {}

    /// One line a bound, with the first places that it holds down.
    List<String> lines(List<ExplicitSetting> written) {
        Map<String, List<String>> places = new TreeMap<>();
        for (ExplicitSetting one : written) {
            Matcher place = PLACE.matcher(one.key());
            if (place.matches() && !DEFAULTS.contains(one.key() + ": " + one.value())) {
                bounds(place).stream()
                        .filter(bound -> harder(one.value(), bound.most().label()))
                        .forEach(bound -> places.computeIfAbsent(
                                        bound.what() + " at most "
                                                + bound.most().label(),
                                        _ -> new ArrayList<>())
                                .add(one.key() + " (" + one.where() + ")"));
            }
        }
        return places.entrySet().stream()
                .map(held -> held.getKey() + ", whatever is written at " + shown(held.getValue()))
                .toList();
    }

    private static String shown(List<String> places) {
        int rest = places.size() - SHOWN;
        return places.stream().limit(SHOWN).collect(Collectors.joining(", "))
                + (rest > 0 ? " and " + rest + " more" : "");
    }

    private static boolean harder(String action, String bound) {
        return HARDNESS.indexOf(action) > HARDNESS.indexOf(bound);
    }

    private List<Bound> bounds(Matcher place) {
        Map<String, Action> categories = new TreeMap<>(policy.categories());
        rule(place).ifPresent(own -> categories.putAll(own.categories()));
        List<Bound> bounds = new ArrayList<>();
        feeds.stream()
                .collect(Collectors.groupingBy(Feed::category, TreeMap::new, Collectors.toList()))
                .forEach((category, of) -> bounds.add(new Bound(
                        "category " + category + " (" + named(of) + ") does",
                        Objects.requireNonNullElse(
                                categories.get(category), categories.getOrDefault("default", Action.REJECT)))));
        feeds.forEach(feed ->
                feed.effect().action().ifPresent(most -> bounds.add(new Bound("feed " + feed.name() + " does", most))));
        return bounds;
    }

    private static String named(List<Feed> feeds) {
        return (feeds.size() == 1 ? "feed " : "feeds ")
                + feeds.stream().map(Feed::name).collect(Collectors.joining(", "));
    }

    private Optional<PolicyOverrides> rule(Matcher place) {
        return of(place, "listener", listeners::get)
                .or(() -> of(place, "recipient", whose -> policy.recipients().get(MailboxPattern.of(whose))))
                .or(() -> of(place, "sender", whose -> policy.senders().get(MailboxPattern.of(whose))));
    }

    private static Optional<PolicyOverrides> of(
            Matcher place, String group, Function<String, @Nullable PolicyOverrides> rules) {
        return Optional.ofNullable(place.group(group)).map(rules);
    }
}
