package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.bloomgate.lists.format.SharedHosts.Sharing;

/// Shared hosts as a tree of their labels, the last label first. In labels before the last two, `*` matches one
/// or more letters, digits and hyphens, and `%` one or more digits.
///
/// Written by one thread, then read by any.
final class HostPatterns {
    /// The number of labels at the end of a pattern without wildcards: `*.*` would be above everything.
    private static final int LITERAL_LABELS = 2;

    private final Node root = new Node("");

    private static final class Node {
        private final Map<String, Node> literal = new HashMap<>();
        private final List<Wild> wild = new ArrayList<>();

        /// The pattern that ends at this node, or else one that ends below it.
        private String example;

        private Optional<Sharing> ends = Optional.empty();

        Node(String example) {
            this.example = example;
        }
    }

    private record Wild(String text, Pattern label, Node node) {}

    /// The labels of a pattern, the last first; empty if it is not a pattern.
    static Optional<List<String>> parseLabels(String pattern) {
        // with a digit for each wildcard, the pattern is a host that it matches
        String example = TextForms.lowerCase(pattern).replace('*', '1').replace('%', '1');
        return Host.parse(example)
                .filter(host -> host.kind() == HostKind.NAME && !host.isEscaped())
                .filter(host -> !isWild(pattern) || host.text().equals(example))
                .map(host -> isWild(pattern) ? TextForms.lowerCase(pattern) : host.text())
                .map(HostPatterns::splitReversed)
                .filter(labels -> labels.size() >= LITERAL_LABELS
                        && labels.stream().limit(LITERAL_LABELS).noneMatch(HostPatterns::isWild));
    }

    private static List<String> splitReversed(String name) {
        List<String> labels = TextScan.split(name, c -> c == '.');
        Collections.reverse(labels);
        return List.copyOf(labels);
    }

    private static boolean isWild(String label) {
        return label.indexOf('*') >= 0 || label.indexOf('%') >= 0;
    }

    void add(String pattern, Sharing sharing) {
        Node node = root;
        for (String label : parseLabels(pattern).orElseThrow(() -> new IllegalArgumentException(pattern))) {
            node = isWild(label)
                    ? addWild(node, label, pattern)
                    : node.literal.computeIfAbsent(label, _ -> new Node(pattern));
        }
        node.ends = Optional.of(sharing);
        node.example = pattern;
    }

    private static Node addWild(Node node, String label, String pattern) {
        Optional<Wild> known =
                node.wild.stream().filter(child -> child.text().equals(label)).findFirst();
        if (known.isEmpty()) {
            String expression = label.replace("*", "[a-z0-9-]+").replace("%", "[0-9]+");
            known = Optional.of(new Wild(label, Pattern.compile(expression), new Node(pattern)));
            node.wild.add(known.get());
        }
        return known.get().node();
    }

    /// The pattern that holds a host back: it matches the host or a name below it, or it is of [Sharing#PATHS]
    /// and the longest pattern that matches a name above the host. Empty if there is none.
    Optional<String> findSharedHost(String host) {
        Walk walk = new Walk(host);
        walk.descend(root, host.length(), 0);
        return walk.foundPattern;
    }

    /// Adds names that patterns match, or that are above such names, to `whole`, and names below which a
    /// pattern may match to `tails`. No pattern holds back any other name.
    void addNames(Set<String> whole, Set<String> tails) {
        addNames(root, "", whole, tails);
    }

    private static void addNames(Node node, String name, Set<String> whole, Set<String> tails) {
        if (node.ends.isPresent() || !node.wild.isEmpty()) {
            tails.add(name);
            return;
        }
        whole.add(name);
        node.literal.forEach(
                (label, next) -> addNames(next, name.isEmpty() ? label : label + "." + name, whole, tails));
    }

    private static final class Walk {
        private final String host;
        private int deepest;
        private Optional<String> foundPattern = Optional.empty();

        Walk(String host) {
            this.host = host;
        }

        /// @param end of the remaining labels of the host; the labels after it have led to the node
        void descend(Node node, int end, int depth) {
            if (end < 0) {
                foundPattern = Optional.of(node.example);
                deepest = Integer.MAX_VALUE;
                return;
            }
            if (node.ends.isPresent() && depth >= deepest) {
                deepest = depth;
                foundPattern = node.ends.get() == Sharing.PATHS ? Optional.of(node.example) : Optional.empty();
            }
            int dot = host.lastIndexOf('.', end - 1);
            String label = host.substring(dot + 1, end);
            Optional.ofNullable(node.literal.get(label)).ifPresent(next -> descend(next, dot, depth + 1));
            for (Wild wild : node.wild) {
                if (deepest < Integer.MAX_VALUE && wild.label().matcher(label).matches()) {
                    descend(wild.node(), dot, depth + 1);
                }
            }
        }
    }
}
