package org.bloomgate.core.url;

import java.util.Arrays;
import java.util.Optional;

/// Converts one URL to canonical form, step by step, on one working copy of its bytes, in which each part is
/// folded in place. Linear in the length, whatever the input. Used once for each URL.
public final class UrlParser {
    /// The bytes of path and query that are read. Hides nothing: a canonical form has at most an eighth of
    /// them, and the host is found wherever it is.
    static final int MAX_PATH_BYTES = 8 * Utf8.MAX;

    private final Trace trace;
    private byte[] bytes;
    private int from;
    private int to;

    private String scheme = "";
    private int slashes;
    private int authorityEnd;
    private int pathEnd;
    private int queryStart;

    /// @param bytes a working copy
    public UrlParser(byte[] bytes, Trace trace) {
        this.bytes = bytes;
        this.to = bytes.length;
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
        HostForm host = new HostForm(bytes, hostStart, hostEnd(bytes, hostStart, authorityEnd), trace);
        if (!host.canonicalise() || isRootless(host)) {
            return Optional.empty();
        }
        foldPathAndQuery();
        return assemble(host);
    }

    private void trim() {
        int pair;
        do {
            from = Trim.start(bytes, from, to);
            to = Trim.end(bytes, from, to);
            pair = Trim.pair(bytes, from, to);
            from += pair;
            to -= pair;
        } while (pair > 0);
        trace.after("trimmed", bytes, from, to);
    }

    private void deleteBreaksAndFragment() {
        int out = from;
        while (out < to && !isBreakOrFragment(bytes[out])) {
            out++;
        }
        int in = out;
        for (; in < to && bytes[in] != '#'; in++) {
            byte b = bytes[in];
            if (!isBreakOrFragment(b)) {
                bytes[out++] = b;
            }
        }
        to = out;
        trace.after("without line breaks, tabs and fragment", bytes, from, to);
    }

    private static boolean isBreakOrFragment(byte b) {
        return b <= '#' && (b == '#' || b == '\t' || b == '\r' || b == '\n');
    }

    /// Splits off the scheme; false if the text is opaque or relative.
    private boolean splitScheme() {
        UrlScheme parsedScheme = UrlScheme.read(bytes, from, to);
        if (parsedScheme.name().isEmpty() && unescapeScheme()) {
            parsedScheme = UrlScheme.read(bytes, from, to);
        }
        from = parsedScheme.end();
        while (from < to && (bytes[from] == '/' || bytes[from] == '\\')) {
            from++;
            slashes++;
        }
        boolean hasScheme = !parsedScheme.name().isEmpty();
        scheme = hasScheme ? parsedScheme.name() : "http";
        trace.after("without scheme " + scheme, bytes, from, to);
        return parsedScheme.namesHost() && from < to && (hasScheme || (slashes != 1 && bytes[from] != ':'));
    }

    /// Undoes the escapes of a link that was escaped as a whole: `http%3A%2F%2F`, `%68ttp://` and deeper
    /// nestings.
    private boolean unescapeScheme() {
        int stop = UrlScheme.nameEnd(bytes, from, to);
        if (stop == to || bytes[stop] != '%') {
            return false;
        }
        byte[] copy = Arrays.copyOfRange(bytes, from, to);
        int end = Escapes.unescape(copy, 0, copy.length);
        boolean isUrl = UrlScheme.startsWith(copy, 0, end, "http:/") || UrlScheme.startsWith(copy, 0, end, "https:/");
        if (isUrl) {
            bytes = copy;
            from = 0;
            to = end;
            deleteBreaksAndFragment();
        }
        return isUrl;
    }

    private void splitParts() {
        authorityEnd = from;
        while (authorityEnd < to && !endsAuthority(bytes[authorityEnd])) {
            authorityEnd++;
        }
        to = Math.min(to, authorityEnd + MAX_PATH_BYTES);
        int question = Escapes.indexOf(bytes, authorityEnd, to, '?');
        pathEnd = question < 0 ? to : question;
        queryStart = question < 0 ? to : question + 1;
    }

    private static boolean endsAuthority(byte b) {
        return b == '/' || b == '\\' || b == '?';
    }

    /// The start of the host, after the last `@`: browsers read all text before it as userinfo.
    private int hostStart() {
        int start = authorityEnd;
        while (start > from && bytes[start - 1] != '@') {
            start--;
        }
        return start;
    }

    /// The end of the host, before a final `:port`; colons within brackets belong to the address.
    ///
    /// @param start of the host
    /// @param end of the authority
    static int hostEnd(byte[] bytes, int start, int end) {
        int colon = end - 1;
        while (colon >= start && bytes[colon] >= '0' && bytes[colon] <= '9') {
            colon--;
        }
        boolean port = colon >= start && bytes[colon] == ':';
        boolean inBrackets = port && bytes[start] == '[' && bytes[colon - 1] != ']';
        return port && !inBrackets ? colon : end;
    }

    /// Whether this is a path without a host, like `http:///blah`. A name with a dot or an address is the host,
    /// which browsers open.
    private boolean isRootless(HostForm host) {
        return slashes > 2 && host.isSingleLabel();
    }

    private void foldPathAndQuery() {
        boolean hasQuery = queryStart > pathEnd;
        pathEnd = Escapes.unescape(bytes, authorityEnd, pathEnd);
        pathEnd = UrlPath.fold(bytes, authorityEnd, pathEnd);
        trace.after("path", bytes, authorityEnd, pathEnd);
        if (hasQuery) {
            to = Escapes.unescape(bytes, queryStart, to);
            trace.after("query", bytes, queryStart, to);
        } else {
            queryStart = -1;
        }
    }

    private Optional<CanonicalUrl> assemble(HostForm host) {
        int hostStart = scheme.length() + 3;
        int hostEnd = hostStart + host.length();
        int path = hostEnd + Math.max(1, Escapes.escapedLength(bytes, authorityEnd, pathEnd, Escapes.PATH));
        int query = queryStart < 0 ? 0 : 1 + Escapes.escapedLength(bytes, queryStart, to, Escapes.QUERY);
        byte[] form = new byte[path + query];
        for (int i = 0; i < scheme.length(); i++) {
            form[i] = (byte) scheme.charAt(i);
        }
        form[hostStart - 3] = ':';
        form[hostStart - 2] = '/';
        form[hostStart - 1] = '/';
        host.copyTo(form, hostStart);
        form[hostEnd] = '/';
        Escapes.escape(bytes, authorityEnd, pathEnd, Escapes.PATH, form, hostEnd);
        if (query > 0) {
            form[path] = '?';
            Escapes.escape(bytes, queryStart, to, Escapes.QUERY, form, path + 1);
        }
        CanonicalUrl url = CanonicalUrl.of(form, hostStart, hostEnd, path, host.kind());
        trace.after("canonical", form, 0, form.length);
        return Optional.of(url);
    }
}
