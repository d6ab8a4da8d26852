package org.bloomgate.content.links;

import java.util.Collections;
import java.util.Iterator;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.url.AsciiSet;
import org.nibor.autolink.LinkExtractor;
import org.nibor.autolink.LinkSpan;
import org.nibor.autolink.LinkType;

/// Iterates over the links that the library autolink finds in a text. A `mailto:` link comes before the
/// addresses in it, because autolink finds only these. Autolink is called only for words that contain `://`,
/// `www.` or `@`, as no link extends beyond a blank; a table skips the rest, which is nearly all of a text.
/// Words close to each other are passed to autolink together, with the text between them. Used once; not
/// thread-safe.
final class WrittenLinks {
    private static final LinkExtractor LINKS = LinkExtractor.builder().build();

    /// The characters at which a link is recognized.
    private static final AsciiSet MARKS = AsciiSet.of(":@w");

    private static final String MAILTO = "mailto:";

    /// The characters that end a `mailto:` link within a word.
    private static final AsciiSet BEHIND_MAILTO = AsciiSet.of("<>\"");

    /// Words with at most so many characters between them are passed to autolink together, because each call
    /// allocates.
    private static final int NEAR = 64;

    private final char[] text;
    private final int length;
    private final WordRange words = new WordRange();
    private Iterator<LinkSpan> linksOfWords = Collections.emptyIterator();
    private int from;
    private int to;
    private boolean address;
    private boolean mailto;

    /// The position of the last `mailto:` colon; 0 before the first.
    private int lastColon;

    WrittenLinks(char[] text, int length) {
        this.text = text;
        this.length = length;
    }

    /// Moves to the next link; false if there is none.
    boolean next() {
        while (!linksOfWords.hasNext()) {
            int mark = mark(words.to, length);
            if (mark == length) {
                return false;
            }
            if (isMailto(mark) && mark != lastColon) {
                mailto(mark);
                return true;
            }
            words.enclose(mark);
            linksOfWords = LINKS.extractLinks(words).iterator();
        }
        LinkSpan link = linksOfWords.next();
        from = words.from + link.getBeginIndex();
        to = words.from + link.getEndIndex();
        address = link.getType() == LinkType.EMAIL;
        mailto = false;
        return true;
    }

    /// @return the next character at which a link may be; `end` if there is none before
    private int mark(int start, int end) {
        int at = start;
        while (at < end && !(MARKS.has(text[at]) && mayBegin(at))) {
            at++;
        }
        return at;
    }

    private boolean mayBegin(int at) {
        return switch (text[at]) {
            case ':' -> follow(at, '/', '/') || isMailto(at);
            case 'w' -> follow(at, 'w', 'w');
            default -> true;
        };
    }

    private boolean follow(int at, char first, char second) {
        return at + 2 < length && text[at + 1] == first && text[at + 2] == second;
    }

    /// Whether a `mailto:` ends there. With slashes after it, autolink recognizes it as a link.
    private boolean isMailto(int at) {
        int start = at + 1 - MAILTO.length();
        return start >= 0 && Vocabulary.startsWithIgnoringCase(text, start, at + 1, MAILTO) && !follow(at, '/', '/');
    }

    private void mailto(int colon) {
        lastColon = colon;
        mailto = true;
        address = false;
        from = colon + 1 - MAILTO.length();
        to = colon + 1;
        while (to < length && text[to] > ' ' && !BEHIND_MAILTO.has(text[to])) {
            to++;
        }
    }

    /// The start of the link in the text.
    int from() {
        return from;
    }

    /// The position after its last character.
    int to() {
        return to;
    }

    /// Whether the link is a mail address.
    boolean isAddress() {
        return address;
    }

    /// Whether it is a `mailto:` link; the links that autolink finds in it follow.
    boolean isMailto() {
        return mailto;
    }

    /// A range of words, without the blanks or control characters around it.
    private final class WordRange implements CharSequence {
        private int from;
        private int to;

        /// Moves to the word at `mark` and the words near it.
        ///
        /// @param mark after the words before
        void enclose(int mark) {
            from = mark;
            while (from > to && text[from - 1] > ' ') {
                from--;
            }
            int next = mark;
            int near;
            do {
                to = endOfWord(next);
                near = Math.min(length, to + NEAR);
                next = mark(to, near);
            } while (next < near && !isMailto(next));
        }

        private int endOfWord(int at) {
            int end = at;
            while (end < length && text[end] > ' ') {
                end++;
            }
            return end;
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public char charAt(int index) {
            return text[from + index];
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new String(text, from + start, end - start);
        }

        @Override
        public String toString() {
            return new String(text, from, length());
        }
    }
}
