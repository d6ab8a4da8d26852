package org.bloomgate.server.spool;

import org.bloomgate.core.text.TextForms;

/// Decides from its first bytes whether a field name is reserved for this gateway, or looks like such a name to
/// a reader or a lenient parser: similar letters (`X-B1oomgate-`), `_` for `-`, and bytes that are invalid in a
/// name (NUL, controls, blanks, non-ASCII; RFC 5322 2.2) between or instead of letters. Needs one pass and no
/// buffer. Not thread-safe; reused for each field.
public final class OwnFieldName {
    /// The reserved prefix in lower case.
    private static final String OWN_PREFIX = TextForms.lowerCase(TagFields.PREFIX);

    /// The length of `x-bloom`: after this number of matching letters, the rest of the prefix may be invalid bytes.
    private static final int MIN_MATCHED = 7;

    private int position;
    private int matchedLetters;
    private boolean isAfterInvalidBytes;

    /// The result after the bytes so far.
    public enum Match {
        /// A later byte decides.
        OPEN,
        OWN,
        OTHER
    }

    /// Resets the state for another name.
    public void reset() {
        position = 0;
        matchedLetters = 0;
        isAfterInvalidBytes = false;
    }

    /// Examines the next byte of the name, without the colon after it.
    public Match take(int b) {
        if (b <= ' ' || b >= 0x7f) {
            isAfterInvalidBytes = true;
            return Match.OPEN;
        }
        int next = isAfterInvalidBytes ? OWN_PREFIX.indexOf(normalize(b), position) : position;
        if (next < 0 || OWN_PREFIX.charAt(next) != normalize(b)) {
            return Match.OTHER;
        }
        isAfterInvalidBytes = false;
        matchedLetters++;
        position = next + 1;
        return position == OWN_PREFIX.length() ? Match.OWN : Match.OPEN;
    }

    /// True if a name that ended while the match was [Match#OPEN], or is too long, counts as reserved.
    public boolean isLikeOwn() {
        return isAfterInvalidBytes && matchedLetters >= MIN_MATCHED;
    }

    private static char normalize(int b) {
        char c = (char) (b >= 'A' && b <= 'Z' ? b | 0x20 : b);
        return switch (c) {
            case '0' -> 'o';
            case '1', 'i', '|', '!' -> 'l';
            case '_' -> '-';
            default -> c;
        };
    }
}
