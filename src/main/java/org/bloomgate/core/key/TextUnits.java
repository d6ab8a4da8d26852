package org.bloomgate.core.key;

import java.util.Arrays;
import java.util.BitSet;

/// The units of a text in order: its words, and the characters of scripts without blanks between words, each in
/// its folded form. They are in one buffer, with a blank between two words, so that any sequence of units is
/// one range of bytes: the key of a listed term.
///
/// Not thread-safe.
public final class TextUnits {
    /// The most words of a listed phrase. Hides nothing: a longer phrase cannot be listed.
    public static final int MAX_WORDS = 4;

    /// The most characters of a listed term in scripts without blanks; a vowel sign or an accent counts with
    /// its letter. Hides nothing: a longer term cannot be listed.
    public static final int MAX_CHARACTERS = 12;

    private static final int USUAL_BYTES = 512;

    private byte[] bytes = new byte[USUAL_BYTES];
    private int used;
    private int[] starts = new int[USUAL_BYTES / 8];
    private int[] ends = new int[USUAL_BYTES / 8];
    private final BitSet characters = new BitSet();
    private int size;

    /// The number of units.
    public int size() {
        return size;
    }

    /// Adds a word.
    void word(CharSequence text, int from, int to) {
        if (size > 0 && !characters.get(size - 1)) {
            b(' ');
        }
        begin();
        append(text, from, to);
    }

    /// Adds a character with the marks on it.
    void character(CharSequence text, int from, int to) {
        characters.set(size);
        begin();
        append(text, from, to);
    }

    private void begin() {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
        }
        starts[size] = used;
        size++;
    }

    private void append(CharSequence text, int from, int to) {
        for (int i = from; i < to; ) {
            int c = Character.codePointAt(text, i);
            i += Character.charCount(c);
            utf8(Character.getType(c) == Character.SURROGATE ? '?' : c);
        }
        ends[size - 1] = used;
    }

    private void utf8(int c) {
        if (c < 0x80) {
            b(c);
        } else if (c < 0x800) {
            b(0xc0 | (c >> 6));
            b(0x80 | (c & 0x3f));
        } else {
            if (c < 0x10000) {
                b(0xe0 | (c >> 12));
            } else {
                b(0xf0 | (c >> 18));
                b(0x80 | ((c >> 12) & 0x3f));
            }
            b(0x80 | ((c >> 6) & 0x3f));
            b(0x80 | (c & 0x3f));
        }
    }

    private void b(int value) {
        if (used == bytes.length) {
            bytes = Arrays.copyOf(bytes, used * 2);
        }
        bytes[used++] = (byte) value;
    }

    /// Drops the units after the first `most`.
    public void cut(int most) {
        if (size > most) {
            size = most;
            used = most == 0 ? 0 : ends[most - 1];
            characters.clear(most, Math.max(most, characters.length()));
        }
    }

    /// Appends every sequence that may be a term, with at most [#MAX_WORDS] words and [#MAX_CHARACTERS]
    /// characters.
    public void append(KeyBatch batch) {
        for (int first = 0; first < size && !batch.overflowed(); first++) {
            int last = end(first);
            for (int end = first + 1; end <= last; end++) {
                batch.term(bytes, starts[first], ends[end - 1], first, end - first);
            }
        }
    }

    /// The end of the longest possible term that begins at a unit.
    int end(int first) {
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
        return Key.ofBytes(KeyKind.KEYWORD, bytes, 0, used);
    }
}
