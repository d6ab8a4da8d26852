package org.bloomgate.content.html;

import java.util.Arrays;

/// A reusable text buffer that grows, can be cleared, and is read as a `CharSequence` without a copy.
public final class TextBuffer implements CharSequence {
    private char[] chars;
    private int length;

    public TextBuffer(int capacity) {
        this(new char[capacity]);
    }

    /// @param chars an array for the exclusive use of this buffer; its content is ignored
    public TextBuffer(char[] chars) {
        this.chars = chars;
    }

    public void clear() {
        length = 0;
    }

    public TextBuffer append(char c) {
        if (length == chars.length) {
            chars = Arrays.copyOf(chars, length * 2);
        }
        chars[length++] = c;
        return this;
    }

    public TextBuffer append(char[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, chars, length, to - from);
        length += to - from;
        return this;
    }

    public TextBuffer append(String text) {
        reserve(text.length());
        text.getChars(0, text.length(), chars, length);
        length += text.length();
        return this;
    }

    /// Makes room for `more` chars after the text; [#advance(int)] must be called with the number of chars
    /// written there.
    public char[] reserve(int more) {
        if (length + more > chars.length) {
            chars = Arrays.copyOf(chars, Math.max(length + more, chars.length * 2));
        }
        return chars;
    }

    public void advance(int count) {
        length += count;
    }

    public void truncate(int newLength) {
        length = newLength;
    }

    public char[] array() {
        return chars;
    }

    public int capacity() {
        return chars.length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        return chars[index];
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return new String(chars, from, to - from);
    }

    @Override
    public String toString() {
        return new String(chars, 0, length);
    }
}
