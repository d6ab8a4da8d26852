package org.bloomgate.wire;

import java.util.HexFormat;
import java.util.Optional;

/// The first digits of a [HashedKey], by which a [PrefixPage] is asked for.
///
/// Who is asked learns them and nothing else. At most 16 bits: of 350 million registered domains 5,300 stand behind
/// each page of four digits, 85,000 behind one of three and 1.4 million behind one of two.
///
/// @param digits two to four hex digits, in lower case
public record HashPrefix(String digits) {
    public static final int MIN_DIGITS = 2;

    /// Digits of the longest prefix.
    public static final int MAX_DIGITS = 4;

    /// Prefixes of that length.
    public static final int LONGEST = 1 << (4 * MAX_DIGITS);

    /// Pages this full are not cut into smaller ones, as a power of two.
    private static final int FEW_BITS = 4;

    /// Empty when the text is no prefix.
    public static Optional<HashPrefix> parse(String text) {
        boolean prefix = text.length() >= MIN_DIGITS
                && text.length() <= MAX_DIGITS
                && text.chars().allMatch(digit -> HexFormat.isHexDigit(digit) && !Character.isUpperCase(digit));
        return prefix ? Optional.of(new HashPrefix(text)) : Optional.empty();
    }

    /// Of a hash among so many keys that are listed: the fewest digits with 16 to 256 of them a page, within the
    /// bounds.
    public static HashPrefix of(byte[] hash, long listed) {
        int bits = 63 - Long.numberOfLeadingZeros(Math.max(1, listed)) - FEW_BITS;
        int digits = Math.clamp(bits / 4, MIN_DIGITS, MAX_DIGITS);
        return new HashPrefix(HashedKey.hex(hash).substring(0, digits));
    }

    /// The prefix of the full length that a hash has.
    public static int longest(byte[] hash) {
        return (hash[0] & 0xff) << 8 | (hash[1] & 0xff);
    }

    /// The first prefix of the full length that this one covers.
    public int first() {
        return HexFormat.fromHexDigits(digits) << (4 * (MAX_DIGITS - digits.length()));
    }

    /// The first that it does not cover any more.
    public int end() {
        return first() + (1 << (4 * (MAX_DIGITS - digits.length())));
    }
}
