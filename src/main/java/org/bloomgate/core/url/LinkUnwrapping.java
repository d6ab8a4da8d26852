package org.bloomgate.core.url;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.text.TextScan;

/// The targets wrapped inside a link: rewriting services (`urldefense`, Safe Links), redirectors, and any URL within
/// query or path. Works on the text alone; nothing is fetched.
public final class LinkUnwrapping {
    /// Most targets taken from one URL: the limit `unwrapped`.
    public static final int MAX_TARGETS = 32;

    /// Deepest nesting followed: the limit `unwrapped`.
    public static final int MAX_DEPTH = 4;

    /// The part of a URL that is examined: the limit `urlBytes`.
    public static final int MAX_CHARS = Utf8.MAX;

    private static final AsciiSet PLAIN = AsciiSet.lettersDigitsAnd("-._");

    private LinkUnwrapping() {}

    /// The targets wrapped in a link, as found, not canonical.
    ///
    /// @param targets outermost first; the link itself is not among them
    /// @param hosts what may be hosts without scheme: values of parameters, the path itself
    /// @param cut true when there was more than is taken
    /// @param looked characters looked through, of the link and of the targets
    public record Unwrapped(List<String> targets, List<String> hosts, boolean cut, long looked) {
        /// No link within.
        public static final Unwrapped NOTHING = new Unwrapped(List.of(), List.of(), false, 0);
    }

    /// The targets alone.
    public static List<String> targets(String url) {
        return of(url).targets();
    }

    /// Empty for most links.
    public static Unwrapped of(String url) {
        return of(url, Optional.empty());
    }

    /// The same for a link whose canonical form is known: most hosts need not be read again.
    public static Unwrapped of(String url, Optional<CanonicalUrl> canonical) {
        String link = url.length() > MAX_CHARS ? url.substring(0, MAX_CHARS) : url;
        if (!mayWrap(link)) {
            return Unwrapped.NOTHING;
        }
        // Elsewhere readers differ in where the host begins.
        boolean plain = link.startsWith("http://") || link.startsWith("https://");
        return unwrap(link, plain ? canonical.flatMap(LinkUnwrapping::plainHost) : Optional.empty());
    }

    /// Empty for a host with more in it than letters, digits and what joins them: [LinkRewriters] reads it less
    /// strictly.
    private static Optional<String> plainHost(CanonicalUrl url) {
        String host = url.host().text();
        for (int i = 0; i < host.length(); i++) {
            if (!PLAIN.has(host.charAt(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(host);
    }

    /// False for a link that certainly wraps nothing: one pass decides it for most links.
    private static boolean mayWrap(String link) {
        for (int i = 1; i < link.length(); i++) {
            char c = link.charAt(i);
            if (c == '?' || c == '%' || c >= 0x80 || EmbeddedUrl.startsAt(link, i)) {
                return true;
            }
        }
        int path = EmbeddedUrl.pathStart(link, link.length());
        return link.contains("/amp/")
                || link.contains("/v3/__")
                || CodedUrl.mayStandIn(link)
                || ForeignHosts.isMarked(link, path)
                || ForeignHosts.isContent(link, path)
                || !BareHosts.inPath(link).isEmpty();
    }

    private static Unwrapped unwrap(String link, Optional<String> host) {
        Set<String> found = new LinkedHashSet<>();
        List<String> hosts = new ArrayList<>();
        boolean cut = false;
        long looked = 0;
        Deque<Wrapped> open = new ArrayDeque<>(List.of(new Wrapped(withoutBreaks(link), host, 0)));
        while (!open.isEmpty()) {
            Wrapped next = open.poll();
            looked += next.link.length();
            BareHosts.collect(next.link, hosts);
            for (String target : wrappedIn(next.link, next.host)) {
                if (target.equals(link) || found.contains(target)) {
                    continue;
                }
                if (next.depth == MAX_DEPTH || found.size() == MAX_TARGETS) {
                    cut = cut || !isCovered(target, found);
                    continue;
                }
                found.add(target);
                open.add(new Wrapped(withoutBreaks(target), Optional.empty(), next.depth + 1));
            }
        }
        boolean many = hosts.size() > MAX_TARGETS;
        return new Unwrapped(List.copyOf(found), many ? hosts.subList(0, MAX_TARGETS) : hosts, cut || many, looked);
    }

    /// Browsers leave them out, wherever in a URL they stand.
    private static String withoutBreaks(String link) {
        return link.replace("\t", "").replace("\r", "").replace("\n", "");
    }

    /// True for a target taken before with more of the query behind it, where that was taken too.
    private static boolean isCovered(String target, Set<String> found) {
        List<String> within = new ArrayList<>();
        for (String piece : TextScan.split(target, c -> c == '&' || c == ';')) {
            EmbeddedUrl.find(piece, within);
        }
        return found.containsAll(within);
    }

    /// Each once: a target that is written again and again takes no other's place.
    private static Set<String> wrappedIn(String link, Optional<String> host) {
        Set<String> targets = new LinkedHashSet<>();
        EscapedAuthority.collect(link, targets);
        LinkRewriters.unwrap(link, host, targets);
        EmbeddedUrl.collect(link, targets);
        CodedUrl.collect(link, targets);
        return targets;
    }

    private record Wrapped(String link, Optional<String> host, int depth) {}
}
