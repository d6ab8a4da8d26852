package org.bloomgate.core.key;

import com.ibm.icu.text.BreakIterator;
import com.ibm.icu.util.ULocale;
import org.bloomgate.core.text.TextForms;

/// Divides a text into [TextUnits]: words by Unicode segmentation (UAX 29), and single characters in scripts
/// without blanks between words, where segmentation into words is ambiguous. Each unit is folded (NFKC case
/// folding), so that a term is found in any case, width or composition; characters between units are ignored.
///
/// Uses ICU, because the JDK supports fewer scripts. Linear in the length of the text. Not thread-safe.
public final class Words {
    /// The longest folded word. Hides nothing: a longer run of letters cannot be listed.
    public static final int MAX_CHARS = 64;

    /// The longest entry that can be a term. Hides nothing: a longer one cannot be listed.
    private static final int MAX_TERM_CHARS = TextUnits.MAX_WORDS * (MAX_CHARS + 1);

    /// Characters that are segmented at a time, because dictionary segmentation reads a whole run of
    /// characters.
    private static final int SLICE_CHARS = 4096;

    /// The number of characters before the end of a slice in which it may end at a blank.
    private static final int BLANK_WITHIN = 128;

    /// Marks around a term that are ignored: `free!` is the same as `free`; `100%` and `$$$` are not terms.
    private static final String SENTENCE_MARKS = ".,;:!?\"'\u2026\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f";

    private final BreakIterator breaks = BreakIterator.getWordInstance(ULocale.ROOT);
    private final StringBuilder folded = new StringBuilder();

    /// Whether the text has anything that a term cannot contain.
    private boolean foreign;

    /// Adds the units of a text in order until there are `most`.
    public void split(CharSequence source, int most, TextUnits units) {
        CharSequence text = TextForms.visible(source);
        int from = 0;
        while (from < text.length() && units.size() < most) {
            int to = endOfSlice(text, from);
            splitSlice(text.subSequence(from, to).toString(), most, units);
            from = to;
        }
        units.cut(most);
    }

    private static int endOfSlice(CharSequence text, int from) {
        int most = Math.min(text.length(), from + SLICE_CHARS);
        int end = most;
        while (most < text.length() && end > most - BLANK_WITHIN && text.charAt(end - 1) > ' ') {
            end--;
        }
        if (most < text.length() && text.charAt(end - 1) > ' ') {
            return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        }
        return end;
    }

    private void splitSlice(String slice, int most, TextUnits units) {
        breaks.setText(slice);
        int start = breaks.first();
        int end = breaks.next();
        while (end != BreakIterator.DONE && units.size() < most) {
            if (breaks.getRuleStatus() >= BreakIterator.WORD_NUMBER) {
                add(slice, start, end, units);
            } else {
                foreign |= !isBetweenWords(slice, start, end);
            }
            start = end;
            end = breaks.next();
        }
    }

    private void add(String slice, int start, int end, TextUnits units) {
        folded.setLength(0);
        TextForms.folded(new Stretch(slice, start, end), folded);
        int at = 0;
        while (at < folded.length()) {
            boolean character = isUnspaced(folded.codePointAt(at));
            int to = character ? endOfCharacter(at) : endOfWord(at);
            if (character) {
                units.addCharacter(folded, at, to);
            } else if (to - at <= MAX_CHARS) {
                units.addWord(folded, at, to);
            } else {
                foreign = true;
            }
            at = to;
        }
    }

    private int endOfCharacter(int at) {
        int end = at + Character.charCount(folded.codePointAt(at));
        int most = Math.min(folded.length(), at + MAX_CHARS);
        while (end < most && isMark(folded.codePointAt(end))) {
            end += Character.charCount(folded.codePointAt(end));
        }
        return end;
    }

    private int endOfWord(int at) {
        int end = at;
        while (end < folded.length() && !isUnspaced(folded.codePointAt(end))) {
            end += Character.charCount(folded.codePointAt(end));
        }
        return end;
    }

    private static boolean isMark(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    private static boolean isUnspaced(int c) {
        return c > 0x2ff
                && switch (Character.UnicodeScript.of(c)) {
                    case HAN,
                            HIRAGANA,
                            KATAKANA,
                            BOPOMOFO,
                            YI,
                            THAI,
                            LAO,
                            KHMER,
                            MYANMAR,
                            TIBETAN,
                            JAVANESE,
                            BALINESE -> true;
                    default -> false;
                };
    }

    /// Whether there are only blanks and hyphens between two words, so that they are a phrase.
    private static boolean isBetweenWords(String slice, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = slice.charAt(i);
            boolean blank = Character.isWhitespace(c) || Character.isSpaceChar(c);
            if (!blank && Character.getType(c) != Character.DASH_PUNCTUATION) {
                return false;
            }
        }
        return true;
    }

    /// The key of a text that is one term, possibly with blanks and punctuation around it.
    static FeedKey feedKey(String text) {
        String term = bare(text);
        Words words = new Words();
        TextUnits units = new TextUnits();
        if (term.length() <= MAX_TERM_CHARS) {
            words.split(term, TextUnits.MAX_WORDS + TextUnits.MAX_CHARACTERS + 1, units);
        } else {
            words.foreign = true;
        }
        if (units.size() == 0 || words.foreign) {
            return new FeedKey.Rejected("unsupported: not a word or a phrase");
        }
        return units.findTermEnd(0) == units.size()
                ? new FeedKey.Taken(units.key())
                : new FeedKey.Rejected("unsupported: a phrase of more than " + TextUnits.MAX_WORDS + " words or "
                        + TextUnits.MAX_CHARACTERS + " characters of a script without blanks");
    }

    private static String bare(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isMargin(text.charAt(from))) {
            from++;
        }
        while (from < to && isMargin(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isMargin(char c) {
        return Character.isWhitespace(c)
                || SENTENCE_MARKS.indexOf(c) >= 0
                || switch (Character.getType(c)) {
                    case Character.START_PUNCTUATION,
                            Character.END_PUNCTUATION,
                            Character.INITIAL_QUOTE_PUNCTUATION,
                            Character.FINAL_QUOTE_PUNCTUATION -> true;
                    default -> false;
                };
    }

    /// A part of a text without a copy.
    private record Stretch(String text, int from, int to) implements CharSequence {

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public char charAt(int index) {
            return text.charAt(from + index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Stretch(text, from + start, from + end);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }
}
