package org.bloomgate.server.spool;

import java.util.Locale;

/// Tells from its first bytes whether the name of a field is one that nobody but this gateway may write,
/// or looks like one to a reader or to a parser that drops what it does not know: letters alike
/// (`X-B1oomgate-`), `_` for `-`, and bytes that no name holds (NUL, controls, blanks, all beyond ASCII;
/// RFC 5322 2.2), which may stand within a letter's place or instead of letters. One pass, no more state
/// than a position. Not thread-safe; used again for each field.
public final class OwnFieldName {
    /// The name as it looks in lower case.
    private static final String LOOK = TagFields.PREFIX.toLowerCase(Locale.ROOT);

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
