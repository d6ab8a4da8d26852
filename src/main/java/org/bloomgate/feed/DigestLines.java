package org.bloomgate.feed;

import java.util.List;

/// SHA-1 digests of passwords in hex of either case, alone or as `SHA1:count`, the format of Pwned Passwords.
record DigestLines() implements LineFormat {
    private static final int DIGITS = 40;

    /// What a range file of Pwned Passwords holds after the five digits that its name is.
    private static final int RANGE_DIGITS = 35;

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
        if (digest.length() == RANGE_DIGITS && isHex(digest)) {
            return new ParsedLine.Unreadable("35 digits: put the five digits of the range file's name in front");
        }
        if (digest.length() != DIGITS || !isHex(digest)) {
            return new ParsedLine.Unreadable("not 40 hex digits of a SHA-1");
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

    private static boolean isHex(String text) {
        return text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 0x80);
    }

    private static boolean isDecimal(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
