package org.bloomgate.lists.format;

import java.util.List;
import org.bloomgate.core.key.HexDigits;

/// Digests of passwords in hex of either case, alone or as `DIGEST:count`, the format of Pwned Passwords.
///
/// @param name of the digest
/// @param digits of the whole digest
record DigestLines(String name, int digits) implements LineFormat {
    static final DigestLines SHA1 = new DigestLines("a SHA-1", 40);
    static final DigestLines NTLM = new DigestLines("an NTLM digest", 32);

    /// The digits in the name of a range file, which are missing in its lines.
    private static final int PREFIX_DIGITS = 5;

    /// More would not fit a long.
    private static final int COUNT_DIGITS = 18;

    @Override
    public ParsedLine parse(String line) {
        String entry = line.strip();
        if (entry.isEmpty() || entry.charAt(0) == '#') {
            return ParsedLine.COMMENT;
        }
        int colon = entry.indexOf(':');
        String digest = colon < 0 ? entry : entry.substring(0, colon);
        if (HexDigits.are(digest, digits - PREFIX_DIGITS)) {
            return new ParsedLine.Unreadable("a line of a range file: name its folder as the source");
        }
        if (!HexDigits.are(digest, digits)) {
            return new ParsedLine.Unreadable("not the " + digits + " hex digits of " + name);
        }
        return colon < 0 ? ParsedLine.value(digest) : parseCounted(digest, entry.substring(colon + 1));
    }

    /// Reads a line with only a digest and, after a colon, a count.
    ///
    /// @param target receives the bytes of the digest
    /// @return the count, 0 where the line has none; -1 for any other line, which is read as text
    long parsePlain(byte[] line, int length, byte[] target) {
        if (length < digits || !isPlainDigest(line, target)) {
            return -1;
        }
        if (length == digits) {
            return 0;
        }
        int from = digits + 1;
        if (line[digits] != ':' || length == from || length - from > COUNT_DIGITS) {
            return -1;
        }
        long count = 0;
        for (int i = from; i < length; i++) {
            int digit = line[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            count = count * 10 + digit;
        }
        return count == 0 ? -1 : count;
    }

    private boolean isPlainDigest(byte[] line, byte[] target) {
        for (int i = 0; i < digits; i += 2) {
            int b = Character.digit(line[i], 16) << 4 | Character.digit(line[i + 1], 16);
            if (b < 0) {
                return false;
            }
            target[i / 2] = (byte) b;
        }
        return true;
    }

    private static ParsedLine parseCounted(String digest, String count) {
        if (count.isEmpty() || count.length() > COUNT_DIGITS || !isDecimal(count)) {
            return new ParsedLine.Unreadable("not a count after the colon");
        }
        long seen = Long.parseLong(count);
        // Padding of the range API: random digests with a count of 0.
        return seen == 0 ? ParsedLine.COMMENT : new ParsedLine.Values(List.of(digest), seen);
    }

    private static boolean isDecimal(String text) {
        boolean decimal = true;
        for (int i = 0; i < text.length(); i++) {
            decimal &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return decimal;
    }
}
