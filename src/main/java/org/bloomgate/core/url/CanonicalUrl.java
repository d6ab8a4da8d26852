package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// A URL in the canonical form that feeds and messages share: `scheme://host/path[?query]`, by Google Safe
/// Browsing and the WHATWG URL standard. Without port, userinfo and fragment; ASCII only; canonicalizing it
/// again does not change it.
///
/// Immutable. Keys are written from its bytes, so that a URL without a suspect needs one array.
public final class CanonicalUrl {
    private final byte[] bytes;
    private final int hostStart;
    private final int hostEnd;
    private final int pathEnd;
    private final HostKind hostKind;

    private CanonicalUrl(byte[] bytes, int hostStart, int hostEnd, int pathEnd, HostKind hostKind) {
        this.bytes = bytes;
        this.hostStart = hostStart;
        this.hostEnd = hostEnd;
        this.pathEnd = pathEnd;
        this.hostKind = hostKind;
    }

    /// Escapes may triple the length of a URL; it is cut at the maximum length, so that canonicalizing it again
    /// does not change it.
    static CanonicalUrl of(byte[] form, int hostStart, int hostEnd, int pathEnd, HostKind hostKind) {
        if (form.length <= Utf8.MAX) {
            return new CanonicalUrl(form, hostStart, hostEnd, pathEnd, hostKind);
        }
        int end = Utf8.MAX;
        if (form[end - 1] == '%' || form[end - 2] == '%') {
            end = form[end - 1] == '%' ? end - 1 : end - 2;
        }
        while (end <= pathEnd && end > hostEnd + 1 && form[end - 1] == '.') {
            end--;
        }
        return new CanonicalUrl(Arrays.copyOf(form, end), hostStart, hostEnd, Math.min(pathEnd, end), hostKind);
    }

    /// Parses a URL; empty if the text has no host, for example with an opaque scheme, or a relative reference.
    public static Optional<CanonicalUrl> parse(String text) {
        return new UrlParser(Utf8.of(text), Trace.NONE).parse();
    }

    /// The same for bytes, which need not be valid UTF-8.
    public static Optional<CanonicalUrl> parse(byte[] bytes, int from, int to) {
        byte[] copy = Arrays.copyOfRange(bytes, from, to);
        return new UrlParser(copy, Trace.NONE).parse();
    }

    public Host host() {
        return new Host(text(hostStart, hostEnd), hostKind);
    }

    /// The scheme in lower case; `http` if the text had none.
    public String scheme() {
        return text(0, hostStart - 3);
    }

    /// The path, which begins with `/`.
    public String path() {
        return text(hostEnd, pathEnd);
    }

    /// The text after `?`, possibly empty; empty if there is no `?`.
    public Optional<String> query() {
        return pathEnd == bytes.length ? Optional.empty() : Optional.of(text(pathEnd + 1, bytes.length));
    }

    /// The canonical URL.
    public String text() {
        return text(0, bytes.length);
    }

    /// The most specific key: `host/path[?query]`, without an empty query.
    public String keyText() {
        return text(hostStart, keyEnd());
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
    }

    /// The bytes, not a copy; callers must not change them.
    public byte[] bytes() {
        return bytes;
    }

    public int hostStart() {
        return hostStart;
    }

    public int hostEnd() {
        return hostEnd;
    }

    public int pathEnd() {
        return pathEnd;
    }

    public int keyEnd() {
        return pathEnd + 1 == bytes.length ? pathEnd : bytes.length;
    }

    public HostKind hostKind() {
        return hostKind;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CanonicalUrl url && Arrays.equals(bytes, url.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return text();
    }
}
