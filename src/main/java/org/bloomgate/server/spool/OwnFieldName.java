package org.bloomgate.server.spool;

import org.bloomgate.core.text.TextForms;

/// Decides from its first bytes whether a field name is reserved for this gateway, or resembles one to a reader
/// or a lenient parser: similar letters (`X-B1oomgate-`), `_` for `-`, and bytes that no name contains (NUL,
/// controls, blanks, non-ASCII; RFC 5322 2.2) within or instead of letters. One pass, with a position as its
/// only state. Not thread-safe; reused for each field.
public final class OwnFieldName {
    /// The name as it looks in lower case.
    private static final String LOOK = TextForms.lowerCase(TagFields.PREFIX);

    /// `x-bloom`: where so much is plain, the rest may be bytes that no name holds.
    private static final int PLAIN = 7;

    private int at;
    private int plain;
    private boolean odd;

    /// The result after the bytes so far.
    public enum Answer {
        /// The next byte decides, or one after it.
        OPEN,
        OWN,
        OTHER
    }

    /// Begins with another name.
    public void reset() {
        at = 0;
        plain = 0;
        odd = false;
    }

    /// Takes the next byte of the name, which is not the colon behind it.
    public Answer take(int b) {
        if (b <= ' ' || b >= 0x7f) {
            odd = true;
            return Answer.OPEN;
        }
        int next = odd ? LOOK.indexOf(look(b), at) : at;
        if (next < 0 || LOOK.charAt(next) != look(b)) {
            return Answer.OTHER;
        }
        odd = false;
        plain++;
        at = next + 1;
        return at == LOOK.length() ? Answer.OWN : Answer.OPEN;
    }

    /// Whether a name that ended, or is longer than one may be, before all was clear counts as ours.
    public boolean isLikeOwn() {
        return odd && plain >= PLAIN;
    }

    private static char look(int b) {
        char c = (char) (b >= 'A' && b <= 'Z' ? b | 0x20 : b);
        return switch (c) {
            case '0' -> 'o';
            case '1', 'i', '|', '!' -> 'l';
            case '_' -> '-';
            default -> c;
        };
    }
}
