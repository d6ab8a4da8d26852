package org.bloomgate.feed;

import java.util.List;
import org.bloomgate.key.HexDigits;

/// Digests of passwords in hex of either case, alone or as `DIGEST:count`, the format of Pwned Passwords.
///
/// @param name of the digest
/// @param digits of the whole digest
record DigestLines(String name, int digits) implements LineFormat {
    static final DigestLines SHA1 = new DigestLines("a SHA-1", 40);
    static final DigestLines NTLM = new DigestLines("an NTLM digest", 32);

    /// What the name of a range file holds and its lines do not.
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
        return colon < 0 ? ParsedLine.value(digest) : counted(digest, entry.substring(colon + 1));
    }

    private static ParsedLine counted(String digest, String count) {
        if (count.isEmpty() || count.length() > COUNT_DIGITS || !isDecimal(count)) {
            return new ParsedLine.Unreadable("not a count after the colon");
        }
        long seen = Long.parseLong(count);
        // Padding of the range API: digests of nothing, with a count of 0.
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
