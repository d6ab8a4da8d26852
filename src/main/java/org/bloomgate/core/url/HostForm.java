package org.bloomgate.core.url;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;

/// Converts one host to canonical form, in place as long as that is possible. Used once for each host.
final class HostForm {
    /// The rounds for a name that UTS-46 maps to an escaped name again. Hides nothing: browsers undo escapes
    /// once, and reject a name that still has some.
    private static final int MAX_ROUNDS = 4;

    /// A longer name is cut to its last labels and read again, because it may then be short enough to be
    /// mapped. Beyond the limit of DNS, [Host#MAX_NAME_BYTES], only the registrable domain is a key. Hides
    /// nothing: DNS resolves no such name.
    private static final int MAX_BYTES = 4096;

    private final Trace trace;
    private byte[] bytes;
    private int from;
    private int to;
    private HostKind kind = HostKind.NAME;

    /// @param bytes will be changed between `from` and `to`
    HostForm(byte[] bytes, int from, int to, Trace trace) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.trace = trace;
    }

    /// Canonicalizes the host; false if the bytes are not a host.
    boolean canonicalise() {
        if (!decode()) {
            return false;
        }
        foldCase();
        foldDots();
        trace.after("host lower-case, dots folded", bytes, from, to);
        if (from == to) {
            return false;
        }
        if (bytes[from] == '[') {
            return readIpv6();
        }
        readIpv4();
        escape();
        if (to - from > MAX_BYTES) {
            return cutToLastLabels() && canonicalise();
        }
        trace.after("host", bytes, from, to);
        return true;
    }

    /// Decodes escapes and maps non-ASCII characters until nothing changes, because a full-width `％` may begin
    /// another escape.
    private boolean decode() {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            to = Escapes.unescape(bytes, from, to);
            trace.after("host unescaped", bytes, from, to);
            if (isAscii()) {
                return true;
            }
            Optional<byte[]> ascii = aLabels();
            if (ascii.isEmpty() || Arrays.equals(ascii.get(), 0, ascii.get().length, bytes, from, to)) {
                return true;
            }
            become(ascii.get());
            trace.after("host in A-labels", bytes, from, to);
        }
        return Escapes.unescape(bytes, from, to) == to;
    }

    /// The name in A-labels; empty if the bytes are not valid UTF-8, or no browser would accept the name.
    private Optional<byte[]> aLabels() {
        try {
            CharBuffer name = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
            return TextForms.aLabels(name.toString()).map(form -> form.getBytes(StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private boolean isAscii() {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private void become(byte[] form) {
        bytes = form;
        from = 0;
        to = form.length;
    }

    private void foldCase() {
        for (int i = from; i < to; i++) {
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') {
                bytes[i] |= 0x20;
            }
        }
    }

    /// Removes leading and trailing dots, and replaces consecutive dots by one.
    private void foldDots() {
        int out = from;
        for (int in = from; in < to; in++) {
            if (bytes[in] != '.' || (out > from && bytes[out - 1] != '.')) {
                bytes[out++] = bytes[in];
            }
        }
        to = out > from && bytes[out - 1] == '.' ? out - 1 : out;
    }

    private boolean readIpv6() {
        if (bytes[to - 1] != ']') {
            return false;
        }
        Optional<Ipv6> address = Ipv6.parse(bytes, from + 1, to - 1);
        address.ifPresent(this::becomeIpv6);
        trace.after("host", bytes, from, to);
        return address.isPresent();
    }

    private void becomeIpv6(Ipv6 address) {
        kind = HostKind.IPV6;
        become(address.format());
        address.embeddedIpv4().ifPresent(this::becomeIpv4);
    }

    private void readIpv4() {
        long address = Ipv4.parse(bytes, from, to);
        if (address >= 0) {
            becomeIpv4(address);
        }
    }

    private void becomeIpv4(long address) {
        kind = HostKind.IPV4;
        become(Ipv4.format(address));
    }

    /// Cuts the name to its last labels; false if the last label alone is too long, which no host name has.
    private boolean cutToLastLabels() {
        int dot = Escapes.indexOf(bytes, to - MAX_BYTES - 1, to, '.');
        from = dot + 1;
        return dot >= 0;
    }

    private void escape() {
        int length = Escapes.escapedLength(bytes, from, to, Escapes.HOST);
        if (length > to - from) {
            byte[] escaped = new byte[length];
            Escapes.escape(bytes, from, to, Escapes.HOST, escaped, 0);
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
        return kind == HostKind.NAME && Escapes.indexOf(bytes, from, to, '.') < 0;
    }

    void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, from, target, at, to - from);
    }

    Host host() {
        return new Host(new String(bytes, from, to - from, StandardCharsets.US_ASCII), kind);
    }
}
