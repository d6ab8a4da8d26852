package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;

/// Parses IPv4 addresses in every spelling that resolvers accept: one to four parts, each decimal, octal or
/// hexadecimal, the last of which fills the remaining bytes; a part that is too large wraps, as in Safe
/// Browsing.
final class Ipv4 {
    /// Hides nothing: a text with more parts is a name.
    private static final int MAX_PARTS = 4;

    private Ipv4() {}

    /// The address in the low 32 bits; -1 if this is not an IPv4 address.
    static long parse(byte[] bytes, int from, int to) {
        if (from == to || !isDigit(bytes[from]) || !endsNumeric(bytes[to - 1])) {
            return -1;
        }
        int address = 0;
        int start = from;
        for (int part = 0; part < MAX_PARTS; part++) {
            int dot = Escapes.indexOf(bytes, start, to, '.');
            int end = dot < 0 ? to : dot;
            long value = part(bytes, start, end);
            if (value < 0) {
                return -1;
            }
            if (dot < 0) {
                int bits = 32 - 8 * part;
                return (address | (value & ((1L << bits) - 1))) & 0xffffffffL;
            }
            address |= (int) (value & 0xff) << (24 - 8 * part);
            start = dot + 1;
        }
        return -1;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean endsNumeric(byte b) {
        return b == 'x' || Character.digit(b, 16) >= 0;
    }

    /// The number modulo 2^32; -1 if it is not a number. Letters are in lower case here.
    private static long part(byte[] bytes, int from, int to) {
        int radix = 10;
        int digit = from;
        if (to - from >= 2 && bytes[from] == '0') {
            boolean hexadecimal = bytes[from + 1] == 'x';
            radix = hexadecimal ? 16 : 8;
            digit = hexadecimal ? from + 2 : from + 1;
        }
        if (from == to) {
            return -1;
        }
        int value = 0;
        for (; digit < to; digit++) {
            int next = Character.digit(bytes[digit], radix);
            if (next < 0) {
                return -1;
            }
            value = value * radix + next;
        }
        return value & 0xffffffffL;
    }

    /// The address in dotted decimal form.
    static byte[] format(long address) {
        String text = b(address, 24) + "." + b(address, 16) + "." + b(address, 8) + "." + b(address, 0);
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static long b(long address, int shift) {
        return (address >> shift) & 0xff;
    }
}
