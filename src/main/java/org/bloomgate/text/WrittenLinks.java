package org.bloomgate.text;

import java.util.Collections;
import java.util.Iterator;
import org.nibor.autolink.LinkExtractor;
import org.nibor.autolink.LinkSpan;
import org.nibor.autolink.LinkType;

/// The links that autolink finds in a text, one after the other. It is asked about those words alone that hold what it
/// begins at, `://`, `www.` or `@`, as no link goes beyond a blank; the rest, which is nearly all, is passed over by a
/// table. Used once; not thread-safe.
final class WrittenLinks {
    private static final LinkExtractor LINKS = LinkExtractor.builder().build();

    /// What a link may begin at, of ASCII; nothing else does.
    private static final boolean[] MARKS = marks();

    private final char[] text;
    private final int length;
    private final Word word = new Word();
    private Iterator<LinkSpan> ofWord = Collections.emptyIterator();
    private int from;
    private int to;
    private boolean address;

    WrittenLinks(char[] text, int length) {
        this.text = text;
        this.length = length;
    }

    private static boolean[] marks() {
        boolean[] marks = new boolean[0x80];
        ":@w".chars().forEach(c -> marks[c] = true);
        return marks;
    }

    /// Goes on to the next link; false when there is none.
    boolean next() {
        while (!ofWord.hasNext()) {
            int mark = mark(word.to);
            if (mark == length) {
                return false;
            }
            word.enclose(mark);
            ofWord = LINKS.extractLinks(word).iterator();
        }
        LinkSpan link = ofWord.next();
        from = word.from + link.getBeginIndex();
        to = word.from + link.getEndIndex();
        address = link.getType() == LinkType.EMAIL;
        return true;
    }

    private int mark(int start) {
        int at = start;
        while (at < length && !(text[at] < MARKS.length && MARKS[text[at]] && mayBegin(at))) {
            at++;
        }
        return at;
    }

    private boolean mayBegin(int at) {
        return switch (text[at]) {
            case ':' -> follow(at, '/', '/');
            case 'w' -> follow(at, 'w', 'w');
            default -> true;
        };
    }

    private boolean follow(int at, char first, char second) {
        return at + 2 < length && text[at + 1] == first && text[at + 2] == second;
    }

    /// Where the link begins in the text.
    int from() {
        return from;
    }

    /// Behind its last character.
    int to() {
        return to;
    }

    /// True for the address of a mailbox.
    boolean isAddress() {
        return address;
    }

    /// What stands between blanks or control characters.
    private final class Word implements CharSequence {
        private int from;
        private int to;

        /// @param at behind the word before
        void enclose(int at) {
            from = at;
            while (from > to && text[from - 1] > ' ') {
                from--;
            }
            to = at;
            while (to < length && text[to] > ' ') {
                to++;
            }
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
