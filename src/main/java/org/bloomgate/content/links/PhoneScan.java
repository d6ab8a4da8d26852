package org.bloomgate.content.links;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;

/// Finds phone numbers in text, in any script and with any separators: groups of digits with at most
/// [#MAX_BETWEEN] characters, none of them a letter, between two groups. A candidate of the right length is
/// passed to [PhoneNumbers]. Digits next to Latin letters are part of a word. Not thread-safe; one object for
/// each message.
public final class PhoneScan {
    /// Characters between two digits of a number. Hides nothing: digits farther apart are not a number for a
    /// reader.
    static final int MAX_BETWEEN = 4;

    /// Candidates that are parsed for one message, each in several microseconds: the limit `phones`.
    public static final int MAX_TRIED = 2_500;

    /// Groups that are collected. Hides nothing: so many contain more candidates than [#MAX_TRIED], which is a
    /// limit.
    private static final int MAX_GROUPS = MAX_TRIED * PhoneNumbers.MOST_DIGITS;

    /// The work for parsing a candidate.
    private static final int WORK_PER_CANDIDATE = 1_000;

    /// A number needs at least so many digits that are not letters which look like digits.
    private static final int FEWEST_TRUE_DIGITS = 4;

    private static final int LAST_LATIN = 0x24f;

    private static final byte SEPARATOR = 0;
    private static final byte DIGIT = 1;
    private static final byte LETTER = 2;

    /// Letters that look like digits, non-ASCII digits, and characters without width: they need a closer look.
    private static final byte OTHER = 3;

    /// The class of each character up to [#LAST_LATIN].
    private static final byte[] PLAIN = plain();

    /// Characters that continue a word: letters, including ASCII letters that look like digits, and digits.
    private static final boolean[] IN_WORD = inWord();

    private final PhoneNumbers numbers;
    private final KeyExtractor keys;
    private final StringBuilder digits = new StringBuilder();
    private int[] starts = new int[16];
    private boolean[] withSign = new boolean[16];
    private int groups;
    private int trueDigits;
    private int between;
    private boolean hasSign;

    /// The number of characters since the sign.
    private int sinceSign;

    private boolean inGroup;
    private boolean inWord;
    private int tried;
    private boolean full;

    PhoneScan(KeyExtractor keys) {
        this.numbers = keys.allowance().limits().phones();
        this.keys = keys;
    }

    void read(TextBuffer text) {
        if (mayContainNumber(text.array(), text.length())) {
            readDigits(text.array(), text.length());
        }
    }

    /// False for most text in Latin letters, because it has too few digits.
    private static boolean mayContainNumber(char[] chars, int length) {
        int digits = 0;
        for (int i = 0; i < length && digits < FEWEST_TRUE_DIGITS; i++) {
            digits += mayBeDigit(chars[i]) ? 1 : 0;
        }
        return digits == FEWEST_TRUE_DIGITS;
    }

    private static boolean mayBeDigit(char c) {
        return c > LAST_LATIN || PLAIN[c] == DIGIT || (c >= 0x80 && PLAIN[c] == OTHER);
    }

    private void readDigits(char[] chars, int length) {
        reset();
        inWord = false;
        for (int i = 0; i < length && !full && !keys.ended(); ) {
            char first = chars[i];
            if (first <= LAST_LATIN && PLAIN[first] != OTHER) {
                plain(first, chars, i, length);
                i = skip(chars, i + 1, length);
                continue;
            }
            int c = Character.codePointAt(chars, i, length);
            int next = i + Character.charCount(c);
            int digit = digit(c);
            int like = digit < 0 && !inWord ? likeDigit(c) : -1;
            if (digit >= 0 || (like >= 0 && isAlone(chars, next, length))) {
                digit(Math.max(digit, like), digit >= 0);
            } else if (Character.isLetter(c)) {
                letter(c, chars, i, length);
            } else if (!isInvisible(c)) {
                separator(c);
            }
            i = next;
        }
        end();
    }

    /// Skips characters that cannot be part of a number.
    private int skip(char[] chars, int at, int length) {
        if (inWord) {
            return endOfWord(chars, at, length);
        }
        return hasBegun() ? at : endOfSeparators(chars, at, length);
    }

    /// The end of a word, in which no character counts as a digit.
    private static int endOfWord(char[] chars, int from, int length) {
        int at = from;
        while (at < length && chars[at] <= LAST_LATIN && IN_WORD[chars[at]]) {
            at++;
        }
        return at;
    }

    /// The end of separators before a number, of which only its sign matters.
    private static int endOfSeparators(char[] chars, int from, int length) {
        int at = from;
        while (at < length && chars[at] <= LAST_LATIN && PLAIN[chars[at]] == SEPARATOR && chars[at] != '+') {
            at++;
        }
        return at;
    }

    private boolean hasBegun() {
        return hasSign || groups > 0;
    }

    /// Handles the characters of most text, by a table.
    private void plain(char c, char[] chars, int at, int length) {
        switch (PLAIN[c]) {
            case DIGIT -> digit(c - '0', true);
            case LETTER -> letter(c, chars, at, length);
            default -> separator(c);
        }
    }

    private static byte[] plain() {
        byte[] plain = new byte[LAST_LATIN + 1];
        for (char c = 0; c < plain.length; c++) {
            boolean ascii = c >= '0' && c <= '9';
            boolean other = !ascii && (digit(c) >= 0 || likeDigit(c) >= 0 || isInvisible(c));
            plain[c] = other ? OTHER : ascii ? DIGIT : Character.isLetter(c) ? LETTER : SEPARATOR;
        }
        return plain;
    }

    private static boolean[] inWord() {
        boolean[] inWord = new boolean[LAST_LATIN + 1];
        for (char c = 0; c < inWord.length; c++) {
            inWord[c] = PLAIN[c] == LETTER || PLAIN[c] == DIGIT || likeDigit(c) >= 0;
        }
        return inWord;
    }

    private void digit(int digit, boolean isDigit) {
        if (inWord) {
            return;
        }
        if (!inGroup) {
            beginGroup();
        }
        digits.append((char) ('0' + digit));
        trueDigits += isDigit ? 1 : 0;
        between = 0;
    }

    private void beginGroup() {
        if (groups == MAX_GROUPS) {
            end();
        }
        if (groups == starts.length) {
            starts = Arrays.copyOf(starts, groups * 2);
            withSign = Arrays.copyOf(withSign, groups * 2);
        }
        starts[groups] = digits.length();
        withSign[groups] = hasSign;
        groups++;
        inGroup = true;
        hasSign = false;
    }

    /// A letter after digits makes them part of a word, unless it begins an extension.
    private void letter(int c, char[] chars, int at, int length) {
        if (inGroup && c <= LAST_LATIN && !isExtension(chars, at, length)) {
            groups--;
            digits.setLength(starts[groups]);
        }
        end();
        inWord = c <= LAST_LATIN;
    }

    private static boolean isExtension(char[] chars, int at, int length) {
        char c = chars[at];
        return c == 'x' || c == 'X' || ((c == 'e' || c == 'E') && at + 1 < length && (chars[at + 1] | 0x20) == 'x');
    }

    private void separator(int c) {
        inGroup = false;
        inWord = false;
        boolean isSign = c == '+' || c == '\uff0b';
        sinceSign = isSign ? 0 : sinceSign + 1;
        boolean signHolds = isSign || (hasSign && c != '\n' && sinceSign <= MAX_BETWEEN);
        if (groups > 0 && ++between > MAX_BETWEEN) {
            end();
        }
        hasSign = signHolds;
    }

    /// Whether the next character is not a letter, or is one that looks like a digit.
    private static boolean isAlone(char[] chars, int next, int length) {
        if (next >= length) {
            return true;
        }
        int c = Character.codePointAt(chars, next, length);
        return !Character.isLetter(c) || likeDigit(c) >= 0;
    }

    /// A digit of any script, also in compatible forms (NFKC): mathematical, full-width, circled.
    private static int digit(int c) {
        if (c < 0x80) {
            return c >= '0' && c <= '9' ? c - '0' : -1;
        }
        int digit = Character.digit(c, 10);
        if (digit >= 0 || Character.getType(c) != Character.OTHER_NUMBER) {
            return digit;
        }
        String plain =
                TextForms.folded(Character.toString(c), new StringBuilder()).toString();
        return plain.length() == 1 ? Character.digit(plain.charAt(0), 10) : -1;
    }

    private static int likeDigit(int c) {
        return switch (c) {
            case 'O', 'o', '\u039f', '\u03bf', '\u041e', '\u043e' -> 0;
            case 'l', 'I', '\u0406', '\u0399' -> 1;
            default -> -1;
        };
    }

    /// Whether a character has no width: format characters, variation selectors, a combining keycap.
    private static boolean isInvisible(int c) {
        return c >= 0x80
                && switch (Character.getType(c)) {
                    case Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
                    default -> false;
                };
    }

    /// Searches the groups so far, and forgets them.
    private void end() {
        if (digits.length() >= PhoneNumbers.FEWEST_DIGITS && trueDigits >= FEWEST_TRUE_DIGITS) {
            boolean found = find(false);
            if (!found && digits.length() >= PhoneNumbers.FEWEST_WITHOUT_SIGN) {
                find(true);
            }
        }
        reset();
    }

    private void reset() {
        digits.setLength(0);
        groups = 0;
        trueDigits = 0;
        between = 0;
        hasSign = false;
        inGroup = false;
    }

    /// Adds every run of groups that is a number, because further numbers may be directly before and after it;
    /// but none inside a number with a country code.
    ///
    /// @param withoutSign whether digits without a sign are read as a country code
    /// @return whether there was a number
    private boolean find(boolean withoutSign) {
        boolean found = false;
        for (int first = 0; first < groups && !full; ) {
            int last = numbers(first, withoutSign);
            found |= last > 0;
            first = isInternational(first) ? Math.max(last, first + 1) : first + 1;
        }
        return found;
    }

    /// Adds the numbers that begin with this group. Digits after a sign that are not an international number
    /// may still be a national one.
    ///
    /// @return the group after the longest number; 0 if there is none, or only a national one after a sign
    private int numbers(int first, boolean withoutSign) {
        if (withoutSign) {
            return numbers(first, numbers::withoutSign);
        }
        if (!withSign[first]) {
            return isInternational(first)
                    ? numbers(first, candidate -> numbers.international(candidate.substring(2)))
                    : numbers(first, numbers::national);
        }
        int international = numbers(first, numbers::international);
        if (international == 0) {
            numbers(first, numbers::national);
        }
        return international;
    }

    private int numbers(int first, Function<String, Optional<String>> parser) {
        int last = first;
        while (last < groups && endOf(last) - starts[first] <= PhoneNumbers.MOST_DIGITS) {
            last++;
        }
        int longest = 0;
        for (; last > first && endOf(last - 1) - starts[first] >= PhoneNumbers.FEWEST_DIGITS; last--) {
            if (!mayTry()) {
                return longest;
            }
            Optional<String> number = parser.apply(digits.substring(starts[first], endOf(last - 1)));
            if (number.isPresent()) {
                keys.phone(number.get());
                longest = Math.max(longest, last);
            }
        }
        return longest;
    }

    /// Whether a group begins with a sign, or with the two zeros that most countries dial instead.
    private boolean isInternational(int group) {
        int start = starts[group];
        return withSign[group]
                || (start + 1 < digits.length() && digits.charAt(start) == '0' && digits.charAt(start + 1) == '0');
    }

    private int endOf(int group) {
        return group + 1 < groups ? starts[group + 1] : digits.length();
    }

    private boolean mayTry() {
        if (tried == MAX_TRIED) {
            keys.allowance().reached(Limit.PHONES);
            full = true;
            return false;
        }
        tried++;
        return keys.allowance().spend(WORK_PER_CANDIDATE);
    }
}
