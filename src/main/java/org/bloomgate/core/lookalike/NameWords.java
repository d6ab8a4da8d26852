package org.bloomgate.core.lookalike;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.text.TextForms;

/// The words of display names, in a form in which words that look alike are equal; `I`, `l`, `i` and `1` are equal too.
final class NameWords {
    /// The letters of a word that are compared; a longer word is read in pieces of this length. Hides nothing:
    /// the words of protected names are read in the same way.
    static final int MAX_WORD_CHARS = 64;

    private NameWords() {}

    /// The text without marks and characters of no width, which are not letters and do not separate words.
    static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        TextForms.visible(text).codePoints().filter(c -> !isMark(c)).forEach(plain::appendCodePoint);
        return plain.toString();
    }

    /// The words of a plain text, in its order.
    static List<String> of(String plain) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        plain.codePoints().forEach(c -> {
            if (isLetterOrNumber(c)) {
                word.appendCodePoint(c);
            }
            if (word.length() >= MAX_WORD_CHARS || !isLetterOrNumber(c)) {
                addWord(word, words);
            }
        });
        addWord(word, words);
        return words;
    }

    private static void addWord(StringBuilder word, List<String> words) {
        String skeleton = Skeleton.of(TextForms.lowerCase(word.toString()));
        word.setLength(0);
        skeleton.codePoints()
                .filter(NameWords::isLetterOrNumber)
                .forEach(c -> word.appendCodePoint(c == 'l' ? 'i' : c));
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    private static boolean isMark(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    static boolean isLetterOrNumber(int c) {
        return Character.isLetterOrDigit(c)
                || Character.getType(c) == Character.LETTER_NUMBER
                || Character.getType(c) == Character.OTHER_NUMBER;
    }
}
