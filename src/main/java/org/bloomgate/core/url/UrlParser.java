package org.bloomgate.core.url;

import java.util.Arrays;
import java.util.Optional;

/// Brings one URL into canonical form: the steps in order, on one working copy of its octets, each part folded in
/// place. Linear in the length whatever the input. Used once per URL.
public final class UrlParser {
    /// Octets of path and query that are read. Hides nothing: a canonical form has an eighth of them at
    /// most, and before that the host is found wherever it stands.
    static final int MAX_PATH_OCTETS = 8 * Octets.MAX;

    private final Trace trace;
    private byte[] octets;
    private int from;
    private int to;

    private String scheme = "";
    private int slashes;
    private int authorityEnd;
    private int pathEnd;
    private int queryStart;

    /// @param octets a working copy
    public UrlParser(byte[] octets, Trace trace) {
        this.octets = octets;
        this.to = octets.length;
        this.trace = trace;
    }

    public Optional<CanonicalUrl> parse() {
        trim();
        deleteBreaksAndFragment();
        if (!splitScheme()) {
            return Optional.empty();
        }
        splitParts();
        int hostStart = hostStart();
        HostForm host = new HostForm(octets, hostStart, hostEnd(octets, hostStart, authorityEnd), trace);
        if (!host.canonicalise() || isRootless(host)) {
            return Optional.empty();
        }
        foldPathAndQuery();
        return assemble(host);
    }

    private void trim() {
        int pair;
        do {
            from = Trim.start(octets, from, to);
            to = Trim.end(octets, from, to);
            pair = Trim.pair(octets, from, to);
            from += pair;
            to -= pair;
        } while (pair > 0);
        trace.after("trimmed", octets, from, to);
    }

    private void deleteBreaksAndFragment() {
        int out = from;
        while (out < to && !isBreakOrFragment(octets[out])) {
            out++;
        }
        int in = out;
        for (; in < to && octets[in] != '#'; in++) {
            byte octet = octets[in];
            if (!isBreakOrFragment(octet)) {
                octets[out++] = octet;
            }
        }
        to = out;
        trace.after("without line breaks, tabs and fragment", octets, from, to);
    }

    private static boolean isBreakOrFragment(byte octet) {
        return octet <= '#' && (octet == '#' || octet == '\t' || octet == '\r' || octet == '\n');
    }

    /// False when the text is opaque or relative.
    private boolean splitScheme() {
        UrlScheme found = UrlScheme.read(octets, from, to);
        if (found.name().isEmpty() && unescapeScheme()) {
            found = UrlScheme.read(octets, from, to);
        }
        from = found.end();
        while (from < to && (octets[from] == '/' || octets[from] == '\\')) {
            from++;
            slashes++;
        }
        boolean hasScheme = !found.name().isEmpty();
        scheme = hasScheme ? found.name() : "http";
        trace.after("without scheme " + scheme, octets, from, to);
        return found.namesHost() && from < to && (hasScheme || (slashes != 1 && octets[from] != ':'));
    }

    /// `http%3A%2F%2F`, `%68ttp://` and deeper nestings: a link that was escaped as a whole.
    private boolean unescapeScheme() {
        int stop = UrlScheme.nameEnd(octets, from, to);
        if (stop == to || octets[stop] != '%') {
            return false;
        }
        byte[] copy = Arrays.copyOfRange(octets, from, to);
        int end = Escapes.unescape(copy, 0, copy.length);
        boolean isUrl = UrlScheme.startsWith(copy, 0, end, "http:/") || UrlScheme.startsWith(copy, 0, end, "https:/");
        if (isUrl) {
            octets = copy;
            from = 0;
            to = end;
            deleteBreaksAndFragment();
        }
        return isUrl;
    }

    private void splitParts() {
        authorityEnd = from;
        while (authorityEnd < to && !endsAuthority(octets[authorityEnd])) {
            authorityEnd++;
        }
        to = Math.min(to, authorityEnd + MAX_PATH_OCTETS);
        int question = Escapes.indexOf(octets, authorityEnd, to, '?');
        pathEnd = question < 0 ? to : question;
        queryStart = question < 0 ? to : question + 1;
    }

    private static boolean endsAuthority(byte octet) {
        return octet == '/' || octet == '\\' || octet == '?';
    }

    /// Behind the last `@`: browsers take all before it as userinfo.
    private int hostStart() {
        int start = authorityEnd;
        while (start > from && octets[start - 1] != '@') {
            start--;
        }
        return start;
    }

    /// Before a final `:port`; the colons within brackets are the address's own.
    ///
    /// @param start of the host
    /// @param end of the authority
    static int hostEnd(byte[] octets, int start, int end) {
        int colon = end - 1;
        while (colon >= start && octets[colon] >= '0' && octets[colon] <= '9') {
            colon--;
        }
        boolean port = colon >= start && octets[colon] == ':';
        boolean inBrackets = port && octets[start] == '[' && octets[colon - 1] != ']';
        return port && !inBrackets ? colon : end;
    }

    /// `http:///blah`: a path whose host got lost, not a host. A dotted name or an address there is what browsers
    /// open.
    private boolean isRootless(HostForm host) {
        return slashes > 2 && host.isSingleLabel();
    }

    private void foldPathAndQuery() {
        boolean hasQuery = queryStart > pathEnd;
        pathEnd = Escapes.unescape(octets, authorityEnd, pathEnd);
        pathEnd = UrlPath.fold(octets, authorityEnd, pathEnd);
        trace.after("path", octets, authorityEnd, pathEnd);
        if (hasQuery) {
            to = Escapes.unescape(octets, queryStart, to);
            trace.after("query", octets, queryStart, to);
        } else {
            queryStart = -1;
        }
    }

    private Optional<CanonicalUrl> assemble(HostForm host) {
        int hostStart = scheme.length() + 3;
        int hostEnd = hostStart + host.length();
        int path = hostEnd + Math.max(1, Escapes.escapedLength(octets, authorityEnd, pathEnd, Escapes.PATH));
        int query = queryStart < 0 ? 0 : 1 + Escapes.escapedLength(octets, queryStart, to, Escapes.QUERY);
        byte[] form = new byte[path + query];
        for (int i = 0; i < scheme.length(); i++) {
            form[i] = (byte) scheme.charAt(i);
        }
        form[hostStart - 3] = ':';
        form[hostStart - 2] = '/';
        form[hostStart - 1] = '/';
        host.copyTo(form, hostStart);
        form[hostEnd] = '/';
        Escapes.escape(octets, authorityEnd, pathEnd, Escapes.PATH, form, hostEnd);
        if (query > 0) {
            form[path] = '?';
            Escapes.escape(octets, queryStart, to, Escapes.QUERY, form, path + 1);
        }
        CanonicalUrl url = CanonicalUrl.of(form, hostStart, hostEnd, path, host.kind());
        trace.after("canonical", form, 0, form.length);
        return Optional.of(url);
    }
}
