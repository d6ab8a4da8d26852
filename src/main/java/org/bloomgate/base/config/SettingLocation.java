package org.bloomgate.base.config;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Sequence;

/// Finds the line of the key that a problem begins with, such as `tls.certificate: ..` or `feeds[3].source:
/// ..`. If the file does not contain the key, it is the line of the nearest section that it does contain.
final class SettingLocation {
    private static final Pattern ITEM = Pattern.compile("\\[([0-9]{1,6})]");

    private ConfigNode node;
    private Origin at;
    private String rest;
    private boolean inItem;

    private SettingLocation(ConfigNode node, String problem) {
        this.node = node;
        this.at = node.origin();
        this.rest = problem;
    }

    static Origin of(String problem, ConfigNode section) {
        return locate(problem, section).at;
    }

    /// Returns where the key is set; empty if no source sets it, so that its default applies. An item of a list
    /// has no defaults of its own: in it, the result is then the nearest section.
    static Optional<Origin> explicitOrigin(String problem, ConfigNode section) {
        SettingLocation place = locate(problem, section);
        return place.inItem || !isKey(place.rest) ? Optional.of(place.at) : Optional.empty();
    }

    /// True if the rest begins with a key, which the file does not contain.
    private static boolean isKey(String rest) {
        return !rest.isEmpty() && ": ,".indexOf(rest.charAt(0)) < 0;
    }

    private static SettingLocation locate(String problem, ConfigNode section) {
        SettingLocation place = new SettingLocation(section, problem);
        while (place.descendToKey() || place.descendToItem()) {
            if (place.rest.startsWith(".")) {
                place.rest = place.rest.substring(1);
            } else if (!place.rest.startsWith("[")) {
                break;
            }
        }
        return place;
    }

    private boolean descendToKey() {
        Optional<String> key = findKeyAhead();
        if (key.isEmpty() || !(node instanceof Mapping mapping)) {
            return false;
        }
        at = mapping.keys().getOrDefault(key.get(), at);
        node = mapping.entries().getOrDefault(key.get(), node);
        rest = rest.substring(key.get().length());
        return true;
    }

    private boolean descendToItem() {
        Matcher item = ITEM.matcher(rest);
        if (!item.lookingAt() || !(node instanceof Sequence sequence)) {
            return false;
        }
        int index = Integer.parseInt(item.group(1));
        if (index >= sequence.items().size()) {
            return false;
        }
        node = sequence.items().get(index);
        at = node.origin();
        inItem = true;
        rest = rest.substring(item.end());
        return true;
    }

    /// Returns the key that the rest begins with; of several the longest, because a key of a map may be
    /// `lists.example`.
    private Optional<String> findKeyAhead() {
        return node instanceof Mapping mapping
                ? mapping.entries().keySet().stream()
                        .filter(key -> rest.startsWith(key)
                                && !rest.substring(key.length()).matches("(?s)[A-Za-z0-9_-].*"))
                        .max(Comparator.comparingInt(String::length))
                : Optional.empty();
    }
}
