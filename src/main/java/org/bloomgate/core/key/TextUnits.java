package org.bloomgate.core.key;

import java.util.Arrays;
import java.util.BitSet;

/// The units of a text in order: its words, and the characters of scripts without blanks between words, each in
/// its folded form. They are in one buffer, with a blank between two words, so that every sequence of
/// consecutive units is one range of bytes, which can be looked up as the key of a term.
///
/// Not thread-safe.
public final class TextUnits {
    /// The most words of a listed term. Hides nothing: a longer term cannot be listed.
    public static final int MAX_WORDS = 4;

    /// The most characters of a listed term in scripts without blanks; a vowel sign or an accent counts with
    /// its letter. Hides nothing: a longer term cannot be listed.
    public static final int MAX_CHARACTERS = 12;

    private static final int INITIAL_BYTES = 512;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int usedBytes;
    private int[] starts = new int[INITIAL_BYTES / 8];
    private int[] ends = new int[INITIAL_BYTES / 8];
    private final BitSet characters = new BitSet();
    private int size;

    /// The number of units.
    public int size() {
        return size;
    }

    /// Adds a word.
    void addWord(CharSequence text, int from, int to) {
        if (size > 0 && !characters.get(size - 1)) {
            appendByte(' ');
        }
        begin();
        append(text, from, to);
    }

    /// Adds a character with the marks on it.
    void addCharacter(CharSequence text, int from, int to) {
        characters.set(size);
        begin();
        append(text, from, to);
    }

    private void begin() {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
        }
        starts[size] = usedBytes;
        size++;
    }

    private void append(CharSequence text, int from, int to) {
        for (int i = from; i < to; ) {
            int c = Character.codePointAt(text, i);
            i += Character.charCount(c);
            appendUtf8(Character.getType(c) == Character.SURROGATE ? '?' : c);
        }
        ends[size - 1] = usedBytes;
    }

    private void appendUtf8(int c) {
        if (c < 0x80) {
            appendByte(c);
        } else if (c < 0x800) {
            appendByte(0xc0 | (c >> 6));
            appendByte(0x80 | (c & 0x3f));
        } else {
            if (c < 0x10000) {
                appendByte(0xe0 | (c >> 12));
            } else {
                appendByte(0xf0 | (c >> 18));
                appendByte(0x80 | ((c >> 12) & 0x3f));
            }
            appendByte(0x80 | ((c >> 6) & 0x3f));
            appendByte(0x80 | (c & 0x3f));
        }
    }

    private void appendByte(int value) {
        if (usedBytes == bytes.length) {
            bytes = Arrays.copyOf(bytes, usedBytes * 2);
        }
        bytes[usedBytes++] = (byte) value;
    }

    /// Drops all units after the first `maxUnits`.
    public void cut(int maxUnits) {
        if (size > maxUnits) {
            size = maxUnits;
            usedBytes = maxUnits == 0 ? 0 : ends[maxUnits - 1];
            characters.clear(maxUnits, Math.max(maxUnits, characters.length()));
        }
    }

    /// Adds every sequence that may be a term to the batch, with at most [#MAX_WORDS] words and [#MAX_CHARACTERS]
    /// characters.
    public void addTermsTo(KeyBatch batch) {
        for (int first = 0; first < size && !batch.overflowed(); first++) {
            int last = findTermEnd(first);
            for (int end = first + 1; end <= last; end++) {
                batch.term(bytes, starts[first], ends[end - 1], first, end - first);
            }
        }
    }

    /// The end of the longest possible term that begins at a unit.
    int findTermEnd(int first) {
        int words = 0;
        int end = first;
        while (end < size) {
            words += characters.get(end) ? 0 : 1;
            if (words > MAX_WORDS || end + 1 - first - words > MAX_CHARACTERS) {
                break;
            }
            end++;
        }
        return end;
    }

    /// The key of all units as one term.
    Key key() {
        return Key.ofBytes(KeyKind.KEYWORD, bytes, 0, usedBytes);
    }
}
