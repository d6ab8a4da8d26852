package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/// IPv6 addresses, parsed by RFC 4291 and formatted by RFC 5952.
public final class Ipv6 {
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS = 4;
    private static final int IPV4_PART_DIGITS = 3;

    private final int[] groups = new int[GROUPS];

    private Ipv6() {}

    /// Parses an address without brackets; a zone (`%eth0`) is ignored.
    public static Optional<Ipv6> parse(byte[] bytes, int from, int to) {
        int zone = Escapes.indexOf(bytes, from, to, '%');
        Ipv6 address = new Ipv6();
        return address.read(bytes, from, zone < 0 ? to : zone) ? Optional.of(address) : Optional.empty();
    }

    private boolean read(byte[] bytes, int from, int to) {
        int count = 0;
        int gap = -1;
        int at = from;
        if (to - from >= 2 && bytes[from] == ':' && bytes[from + 1] == ':') {
            gap = 0;
            at = from + 2;
        }
        while (at < to) {
            int end = Escapes.indexOf(bytes, at, to, ':');
            end = end < 0 ? to : end;
            if (end == to && Escapes.indexOf(bytes, at, to, '.') >= 0) {
                return count <= GROUPS - 2 && readIpv4(bytes, at, to, count) && spread(count + 2, gap);
            }
            int group = group(bytes, at, end);
            if (group < 0 || count == GROUPS) {
                return false;
            }
            groups[count++] = group;
            at = end + 1;
            if (end < to && at == to) {
                return false;
            }
            if (at < to && bytes[at] == ':') {
                if (gap >= 0) {
                    return false;
                }
                gap = count;
                at++;
            }
        }
        return spread(count, gap);
    }

    private boolean readIpv4(byte[] bytes, int from, int to, int count) {
        int parts = 0;
        int at = from;
        long address = 0;
        while (at <= to) {
            int dot = Escapes.indexOf(bytes, at, to, '.');
            int end = dot < 0 ? to : dot;
            int value = 0;
            for (int i = at; i < end; i++) {
                int digit = Character.digit(bytes[i], 10);
                value = digit < 0 || end - at > IPV4_PART_DIGITS ? 0x100 : value * 10 + digit;
            }
            if (end == at || value > 0xff) {
                return false;
            }
            address = (address << 8) | value;
            parts++;
            at = end + 1;
        }
        groups[count] = (int) ((address >> 16) & 0xffff);
        groups[count + 1] = (int) (address & 0xffff);
        return parts == 4;
    }

    /// The value of one to four hex digits; -1 for any other text.
    private static int group(byte[] bytes, int from, int to) {
        if (from == to || to - from > GROUP_DIGITS) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }

    /// Moves the groups after `::` to the end.
    private boolean spread(int count, int gap) {
        if (gap < 0) {
            return count == GROUPS;
        }
        int afterGap = count - gap;
        for (int i = 1; i <= afterGap; i++) {
            groups[GROUPS - i] = groups[count - i];
        }
        for (int i = gap; i < GROUPS - afterGap; i++) {
            groups[i] = 0;
        }
        return count < GROUPS;
    }

    /// The IPv4 address in an IPv4-mapped (`::ffff:0:0/96`) or NAT64 (`64:ff9b::/96`, RFC 6052) address.
    OptionalLong embeddedIpv4() {
        boolean zeros = (groups[2] | groups[3] | groups[4]) == 0;
        boolean mapped = zeros && groups[0] == 0 && groups[1] == 0 && groups[5] == 0xffff;
        boolean translated = zeros && groups[0] == 0x64 && groups[1] == 0xff9b && groups[5] == 0;
        return mapped || translated ? OptionalLong.of(((long) groups[6] << 16) | groups[7]) : OptionalLong.empty();
    }

    /// The address in brackets and lower case, with the longest run of two or more zero groups as `::`.
    public byte[] format() {
        int start = -1;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = 0;
            while (i + run < GROUPS && groups[i + run] == 0) {
                run++;
            }
            if (run > length) {
                start = i;
                length = run;
            }
        }
        StringBuilder text = new StringBuilder(41).append('[');
        for (int i = 0; i < GROUPS; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.charAt(text.length() - 1) == ':' || i == 0 ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.append(']').toString().getBytes(StandardCharsets.US_ASCII);
    }
}
