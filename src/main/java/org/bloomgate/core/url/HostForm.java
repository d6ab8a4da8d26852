package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Brings one host into canonical form, in place as long as that is possible. Used once per host.
final class HostForm {
    /// A name that UTS-46 turns into an escaped name again and again. Hides nothing: browsers undo
    /// escapes once, and refuse what has some left.
    private static final int MAX_ROUNDS = 4;

    /// Of a longer name the last labels are kept, and read anew: they may be short enough now to be
    /// mapped. DNS ends at [Host#MAX_NAME_OCTETS], beyond which only the registrable domain is a key.
    /// Hides nothing: DNS resolves no such name.
    private static final int MAX_OCTETS = 4096;

    private final Trace trace;
    private byte[] octets;
    private int from;
    private int to;
    private HostKind kind = HostKind.NAME;

    /// @param octets will be changed between `from` and `to`
    HostForm(byte[] octets, int from, int to, Trace trace) {
        this.octets = octets;
        this.from = from;
        this.to = to;
        this.trace = trace;
    }

    /// False when no host can be made of the octets.
    boolean canonicalise() {
        if (!decode()) {
            return false;
        }
        foldCase();
        foldDots();
        trace.after("host lower-case, dots folded", octets, from, to);
        if (from == to) {
            return false;
        }
        if (octets[from] == '[') {
            return readIpv6();
        }
        readIpv4();
        escape();
        if (to - from > MAX_OCTETS) {
            return cutToLastLabels() && canonicalise();
        }
        trace.after("host", octets, from, to);
        return true;
    }

    /// Undoes escapes and maps what lies beyond ASCII until both rest: full-width `％` may spell another escape.
    private boolean decode() {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            to = Escapes.unescape(octets, from, to);
            trace.after("host unescaped", octets, from, to);
            if (isAscii()) {
                return true;
            }
            Optional<byte[]> ascii = InternationalName.toAscii(octets, from, to);
            if (ascii.isEmpty()) {
                return true;
            }
            become(ascii.get());
            trace.after("host in A-labels", octets, from, to);
        }
        return Escapes.unescape(octets, from, to) == to;
    }

    private boolean isAscii() {
        for (int i = from; i < to; i++) {
            if (octets[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private void become(byte[] form) {
        octets = form;
        from = 0;
        to = form.length;
    }

    private void foldCase() {
        for (int i = from; i < to; i++) {
            if (octets[i] >= 'A' && octets[i] <= 'Z') {
                octets[i] |= 0x20;
            }
        }
    }

    /// Drops leading and trailing dots, makes one of several.
    private void foldDots() {
        int out = from;
        for (int in = from; in < to; in++) {
            if (octets[in] != '.' || (out > from && octets[out - 1] != '.')) {
                octets[out++] = octets[in];
            }
        }
        to = out > from && octets[out - 1] == '.' ? out - 1 : out;
    }

    private boolean readIpv6() {
        if (octets[to - 1] != ']') {
            return false;
        }
        Optional<Ipv6> address = Ipv6.parse(octets, from + 1, to - 1);
        address.ifPresent(this::becomeIpv6);
        trace.after("host", octets, from, to);
        return address.isPresent();
    }

    private void becomeIpv6(Ipv6 address) {
        kind = HostKind.IPV6;
        become(address.format());
        address.embeddedIpv4().ifPresent(this::becomeIpv4);
    }

    private void readIpv4() {
        long address = Ipv4.parse(octets, from, to);
        if (address >= 0) {
            becomeIpv4(address);
        }
    }

    private void becomeIpv4(long address) {
        kind = HostKind.IPV4;
        become(Ipv4.format(address));
    }

    /// False when the last label alone is longer: that is nobody's host.
    private boolean cutToLastLabels() {
        int dot = Escapes.indexOf(octets, to - MAX_OCTETS - 1, to, '.');
        from = dot + 1;
        return dot >= 0;
    }

    private void escape() {
        int length = Escapes.escapedLength(octets, from, to, Escapes.HOST);
        if (length > to - from) {
            byte[] escaped = new byte[length];
            Escapes.escape(octets, from, to, Escapes.HOST, escaped, 0);
            become(escaped);
        }
    }

    HostKind kind() {
        return kind;
    }

    int length() {
        return to - from;
    }

    boolean isSingleLabel() {
        return kind == HostKind.NAME && Escapes.indexOf(octets, from, to, '.') < 0;
    }

    void copyTo(byte[] target, int at) {
        System.arraycopy(octets, from, target, at, to - from);
    }

    Host host() {
        return new Host(new String(octets, from, to - from, StandardCharsets.US_ASCII), kind);
    }
}
