package org.bloomgate.lists.export;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.url.DomainName;

/// The configuration of one export.
///
/// @param lists whose listings are exported; empty for all
/// @param file that is replaced when the content changes; empty for none
/// @param actions of a response policy zone by category; `default` is for categories without an action whose policy
///     rejects the message
public record ExportOptions(List<ExportList> lists, ExportFormat format, String file, Map<String, RpzAction> actions) {
    /// The key for categories without an action of their own.
    static final String DEFAULT_ACTION = "default";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,199}");

    public ExportOptions {
        lists = List.copyOf(lists);
        actions = Map.copyOf(actions);
        if (format != ExportFormat.RPZ && !actions.isEmpty()) {
            throw new IllegalArgumentException("actions: only a response policy zone (format: rpz) has actions");
        }
    }

    public static ExportOptions defaults() {
        return new ExportOptions(List.of(), ExportFormat.RPZ, "", Map.of());
    }

    /// Returns what is wrong with the name of an export; empty if it is valid.
    public Optional<String> findProblem(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.of(
                    "an export name starts with a lower-case letter or digit and has at most 200 of a-z, 0-9, '.', '_' and '-'");
        }
        return format == ExportFormat.RPZ && DomainName.parse(name).isEmpty()
                ? Optional.of("the name of a response policy zone is a domain name")
                : Optional.empty();
    }

    /// Whether the entries of operators are exported.
    public boolean hasLocal() {
        return lists.isEmpty() || lists.stream().anyMatch(list -> list.type() == ExportList.Type.LOCAL);
    }

    /// Whether listings of feeds are exported.
    public boolean hasFeeds() {
        return lists.isEmpty() || lists.stream().anyMatch(list -> list.type() != ExportList.Type.LOCAL);
    }

    boolean includes(String feed, String category, boolean local) {
        return lists.isEmpty() || lists.stream().anyMatch(list -> list.includes(feed, category, local));
    }

    /// The action for listings of a category; empty if the policy for mail decides.
    Optional<RpzAction> findAction(String category) {
        return Optional.ofNullable(actions.get(category));
    }

    RpzAction defaultAction() {
        return actions.getOrDefault(DEFAULT_ACTION, RpzAction.NXDOMAIN);
    }
}
