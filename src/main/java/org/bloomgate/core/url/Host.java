package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A host in canonical form: a lower-case name with A-labels, a dotted IPv4 address, or an IPv6 address in brackets.
///
/// A name may contain escapes (`%20`) of bytes that no host name has, so that a listing of the same bytes still
/// matches.
public record Host(String text, HostKind kind) {
    /// The longest name in DNS; for a longer one, only the registrable domain is a key. Hides nothing: a longer
    /// name has no address.
    public static final int MAX_NAME_BYTES = 253;

    /// Parses every spelling that a browser accepts: escapes, non-ASCII letters, any case, stray dots, IPv4
    /// addresses as numbers, IPv6 addresses with or without brackets. Empty if no host is left. Without port
    /// and userinfo, which belong to a URL.
    public static Optional<Host> parse(String text) {
        byte[] bytes = Utf8.of(text);
        int from = Trim.start(bytes, 0, bytes.length);
        int to = Trim.end(bytes, from, bytes.length);
        HostForm form = looksLikeBareIpv6(bytes, from, to)
                ? bracketed(bytes, from, to)
                : new HostForm(bytes, from, to, Trace.NONE);
        return form.canonicalise() ? Optional.of(form.host()) : Optional.empty();
    }

    private static HostForm bracketed(byte[] bytes, int from, int to) {
        byte[] inBrackets = new byte[to - from + 2];
        inBrackets[0] = '[';
        System.arraycopy(bytes, from, inBrackets, 1, to - from);
        inBrackets[inBrackets.length - 1] = ']';
        return new HostForm(inBrackets, 0, inBrackets.length, Trace.NONE);
    }

    /// Whether the text has two or more colons and no bracket. In a name, colons would be escaped, so nothing
    /// is lost.
    private static boolean looksLikeBareIpv6(byte[] bytes, int from, int to) {
        int colon = Escapes.indexOf(bytes, from, to, ':');
        return colon >= 0 && bytes[from] != '[' && Escapes.indexOf(bytes, colon + 1, to, ':') >= 0;
    }

    /// Whether the name has a byte that no host name has.
    public boolean isEscaped() {
        return text.indexOf('%') >= 0;
    }

    public byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
