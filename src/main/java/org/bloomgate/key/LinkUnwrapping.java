package org.bloomgate.key;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The targets wrapped inside a link: rewriting services (`urldefense`, Safe Links), redirectors, and any URL within
/// query or path. Works on the text alone; nothing is fetched.
public final class LinkUnwrapping {
    /// Most targets taken from one URL.
    public static final int MAX_TARGETS = 32;

    /// Deepest nesting followed.
    public static final int MAX_DEPTH = 4;

    /// What is looked at of a URL.
    public static final int MAX_CHARS = Octets.MAX;

    private LinkUnwrapping() {}

    /// The targets as found, not canonical, outermost first; empty for most links. The link itself is not among them.
    public static List<String> targets(String url) {
        String link = url.length() > MAX_CHARS ? url.substring(0, MAX_CHARS) : url;
        return mayWrap(link) ? unwrap(link) : List.of();
    }

    /// False for a link that surely wraps nothing: most links are told apart by one pass.
    private static boolean mayWrap(String link) {
        for (int i = 1; i < link.length(); i++) {
            char c = link.charAt(i);
            if (c == '?' || c == '%' || EmbeddedUrl.startsAt(link, i)) {
                return true;
            }
        }
        return link.contains("/amp/") || link.contains("/v3/__");
    }

    private static List<String> unwrap(String link) {
        Set<String> found = new LinkedHashSet<>();
        Deque<Wrapped> open = new ArrayDeque<>(List.of(new Wrapped(link, 0)));
        while (!open.isEmpty() && found.size() < MAX_TARGETS) {
            Wrapped next = open.poll();
            for (String target : wrappedIn(next.link)) {
                boolean isNew = !target.equals(link) && found.size() < MAX_TARGETS && found.add(target);
                if (isNew && next.depth + 1 < MAX_DEPTH) {
                    open.add(new Wrapped(target, next.depth + 1));
                }
            }
        }
        return List.copyOf(found);
    }

    private static List<String> wrappedIn(String link) {
        List<String> targets = new ArrayList<>();
        EscapedAuthority.collect(link, targets);
        LinkRewriters.unwrap(link, targets);
        EmbeddedUrl.collect(link, targets);
        return targets;
    }

    private record Wrapped(String link, int depth) {}
}
