package org.bloomgate.core.url;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.text.TextScan;

/// Finds the targets wrapped in a link: of rewriting services (`urldefense`, Safe Links), of redirectors, and
/// any URL in its query or path. It reads only the text; nothing is fetched.
public final class LinkUnwrapping {
    /// The most targets of one URL: the limit `unwrapped`.
    public static final int MAX_TARGETS = 32;

    /// The depth to which targets in targets are unwrapped: the limit `unwrapped`.
    public static final int MAX_DEPTH = 4;

    /// The part of a URL that is examined: the limit `urlBytes`.
    public static final int MAX_CHARS = Utf8.MAX;

    /// The characters that are read of a link and of the texts in it: the limit `unwrapped`.
    static final int MAX_LOOKED = 16 * MAX_CHARS;

    private static final AsciiSet PLAIN = AsciiSet.lettersDigitsAnd("-._");

    private LinkUnwrapping() {}

    /// The targets wrapped in a link, not in canonical form.
    ///
    /// @param targets outermost first, without the link itself
    /// @param hosts values of parameters, or the path itself, that may be hosts without a scheme
    /// @param markup decoded values that are HTML, which a site may write into its page
    /// @param cut whether there were more targets than the limits permit
    /// @param looked number of characters that were read, of the link and of the targets
    public record Unwrapped(List<String> targets, List<String> hosts, List<String> markup, boolean cut, long looked) {
        /// The result for a link without a target.
        public static final Unwrapped NOTHING = new Unwrapped(List.of(), List.of(), List.of(), false, 0);
    }

    /// Only the targets of a link.
    public static List<String> targets(String url) {
        return of(url).targets();
    }

    /// The targets of a link; most links have none.
    public static Unwrapped of(String url) {
        return of(url, Optional.empty());
    }

    /// The same for a link whose canonical form is known, so that most hosts need not be parsed again.
    public static Unwrapped of(String url, Optional<CanonicalUrl> canonical) {
        String link = url.length() > MAX_CHARS ? url.substring(0, MAX_CHARS) : url;
        if (!mayWrap(link)) {
            return Unwrapped.NOTHING;
        }
        // For other schemes, programs differ in where the host begins.
        boolean plain = link.startsWith("http://") || link.startsWith("https://");
        return unwrap(link, plain ? canonical.flatMap(LinkUnwrapping::plainHost) : Optional.empty());
    }

    /// The host of a URL; empty if it has other characters than letters, digits, `-`, `.` and `_`: then
    /// [LinkRewriters] reads it less strictly.
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
                || CodedText.mayBeIn(link, path)
                || ForeignHosts.isMarked(link, path)
                || ForeignHosts.isContent(link, path)
                || !BareHosts.inPath(link).isEmpty();
    }

    private static Unwrapped unwrap(String link, Optional<String> host) {
        Set<String> found = new LinkedHashSet<>();
        Set<String> hosts = new LinkedHashSet<>();
        Set<String> markup = new LinkedHashSet<>();
        boolean cut = false;
        long looked = 0;
        Deque<Wrapped> open = new ArrayDeque<>(List.of(new Wrapped(withoutBreaks(link), host, 0)));
        while (!open.isEmpty() && looked < MAX_LOOKED) {
            Wrapped next = open.poll();
            looked += next.link.length();
            BareHosts.collect(next.link, hosts);
            if (next.depth > 0 && next.link.indexOf('%') >= 0) {
                BareHosts.collect(EmbeddedUrl.decodeToTheEnd(next.link), hosts);
            }
            CodedText.Decoded decoded = CodedText.read(next.link, EmbeddedUrl.pathStart(next.link, next.link.length()));
            cut = cut || decoded.cut();
            looked += decoded.looked();
            Set<String> targets = wrappedIn(next.link, next.host);
            for (String text : decoded.texts()) {
                DecodedValue.collect(text, targets, hosts, markup);
            }
            for (String target : targets) {
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
        cut = cut || !open.isEmpty();
        boolean many = hosts.size() > MAX_TARGETS || markup.size() > MAX_TARGETS;
        return new Unwrapped(List.copyOf(found), first(hosts), first(markup), cut || many, looked);
    }

    private static List<String> first(Collection<String> values) {
        return values.stream().limit(MAX_TARGETS).toList();
    }

    /// The link without tabs and line ends, which browsers ignore anywhere in a URL.
    private static String withoutBreaks(String link) {
        return link.replace("\t", "").replace("\r", "").replace("\n", "");
    }

    /// Whether the URLs in all pieces of a target's query are among the targets already, so that only a longer
    /// form is lost.
    private static boolean isCovered(String target, Set<String> found) {
        List<String> within = new ArrayList<>();
        for (String piece : TextScan.split(target, c -> c == '&' || c == ';')) {
            EmbeddedUrl.find(piece, within);
        }
        return found.containsAll(within);
    }

    /// The targets in a link, each once, so that a repeated target does not use up the limit.
    private static Set<String> wrappedIn(String link, Optional<String> host) {
        Set<String> targets = new LinkedHashSet<>();
        EscapedAuthority.collect(link, targets);
        LinkRewriters.unwrap(link, host, targets);
        EmbeddedUrl.collect(link, targets);
        return targets;
    }

    private record Wrapped(String link, Optional<String> host, int depth) {}
}
