package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A host in canonical form: a lower-case name with A-labels, a dotted IPv4 address, or an IPv6 address in brackets.
///
/// A name may hold escapes (`%20`): bytes no host name has, kept so that a listing of the same bytes still matches.
public record Host(String text, HostKind kind) {
    /// Longest name DNS knows; of a longer one only the registrable domain is a key. Hides nothing: a
    /// longer one has no address.
    public static final int MAX_NAME_BYTES = 253;

    /// Takes every spelling a browser takes: escapes, letters beyond ASCII, any case, stray dots, IPv4 addresses as
    /// numbers, IPv6 addresses with or without brackets. Empty when nothing is left. No port, no userinfo: those
    /// belong to a URL.
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

    /// Two colons or more and no bracket: in a name both would be escaped, so nothing is lost.
    private static boolean looksLikeBareIpv6(byte[] bytes, int from, int to) {
        int colon = Escapes.indexOf(bytes, from, to, ':');
        return colon >= 0 && bytes[from] != '[' && Escapes.indexOf(bytes, colon + 1, to, ':') >= 0;
    }

    /// True when the name holds a byte that no host name has.
    public boolean isEscaped() {
        return text.indexOf('%') >= 0;
    }

    public byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
