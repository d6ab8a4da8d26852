package org.bloomgate.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
    private static List<String> split(String text, int most) {
        List<String> words = new ArrayList<>();
        new Words().split(text, most, words);
        return words;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Buy CHEAP pills, now! | buy cheap pills now",
                "It isn't 3.50 EUR | it isn't 3.50 eur",
                "Straße STRASSE | strasse strasse",
                "ＶＩＡＧＲＡ v\u200diagra | viagra viagra",
                "今すぐクリック | 今 すぐ クリック",
                "免费彩票 | 免费 彩票",
                "ลองดู | ลอง ดู",
                "(a)-[b]_c | a b _c"
            })
    void wordsAreWhatUnicodeSaysAndFolded(String text, String words) {
        assertEquals(List.of(words.split(" ", -1)), split(text, 100));
    }

    @Test
    void noMoreThanAskedForAreGiven() {
        assertEquals(List.of("a", "b"), split("a b c d", 2));
        assertEquals(List.of(), split("a b", 0));
        assertEquals(List.of(), split("", 5));
        assertEquals(List.of(), split(" .,;\u2026 ", 5));
    }

    @Test
    void aRunLongerThanAnyWordIsNone() {
        assertEquals(List.of("a".repeat(Words.MAX_CHARS), "c"), split("a".repeat(64) + " " + "b".repeat(65) + " c", 9));
    }

    @Test
    void wordsAreWholeWhereverALongTextIsCut() {
        for (int length = 3; length < 12; length++) {
            String word = "w".repeat(length);
            List<String> words = split((word + " ").repeat(3000), 10_000);
            assertEquals(3000, words.size());
            assertEquals(List.of(word), words.stream().distinct().toList());
        }
    }

    @Test
    void textWithoutBlanksIsReadInSlices() {
        assertEquals(
                3, split("x".repeat(64) + "." + "\u3042".repeat(100_000), 3).size());
    }

    @Test
    void aKeywordOfAFeedIsMetInAText() {
        for (String keyword : List.of("Casino", "STRASSE", "cafe\u0301", "don't", "彩票", "ｆｒｅｅ")) {
            Optional<Key> key = Words.key(keyword);
            assertEquals(
                    key.map(Key::text),
                    Optional.of(split("see " + keyword + ", now", 9).get(1)),
                    keyword);
        }
    }
}
