package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    private static TextUnits units(String text, int most) {
        TextUnits units = new TextUnits();
        new Words().split(text, most, units);
        return units;
    }

    private static KeyBatch batch(String text) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.KEYWORD, "words", Place.CONTENT, "content"));
        units(text, 100_000).addTermsTo(batch);
        return batch;
    }

    /// Those of one unit.
    private static List<String> split(String text, int most) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.KEYWORD, "words", Place.CONTENT, "content"));
        units(text, most).addTermsTo(batch);
        return IntStream.range(0, batch.size())
                .filter(key -> batch.weight(key) == 1)
                .mapToObj(key -> batch.key(key).text())
                .toList();
    }

    private static List<String> terms(String text) {
        KeyBatch batch = batch(text);
        return IntStream.range(0, batch.size())
                .mapToObj(key -> batch.key(key).text())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Buy CHEAP pills, now! | buy cheap pills now",
                "It isn't 3.50 EUR | it isn't 3.50 eur",
                "Straße STRASSE | strasse strasse",
                "ＶＩＡＧＲＡ v\u200diagra | viagra viagra",
                "今すぐクリック | 今 す ぐ ク リ ッ ク",
                "ｶﾞｽ | ガ ス",
                "免费iPhone彩票 | 免 费 iphone 彩 票",
                "เงินฟรี | เ งิ น ฟ รี",
                "대출 상담 | 대출 상담",
                "𠮷野家 | 𠮷 野 家",
                "(a)-[b]_c | a b _c"
            })
    void unitsAreWordsOrCharactersOfScriptsWithoutBlanksAndFolded(String text, String words) {
        assertEquals(List.of(words.split(" ", -1)), split(text, 100));
    }

    @Test
    void termsAreAllSequencesUpToTheBounds() {
        assertEquals(List.of("a", "a b", "a b c", "b", "b c", "c"), terms("A, b. C"));
        assertEquals(
                List.of("免", "免费", "免费now", "费", "费now", "now"),
                terms("免 费 now"),
                "blanks stand between two words alone");
        assertEquals(
                TextUnits.MAX_WORDS,
                terms("a b c d e f").stream()
                        .filter(term -> term.startsWith("a"))
                        .count());
        assertEquals(
                TextUnits.MAX_CHARACTERS,
                terms("一二三四五六七八九十甲乙丙丁").stream()
                        .filter(term -> term.startsWith("一"))
                        .count());
    }

    @Test
    void noMoreThanAskedForAreGiven() {
        assertEquals(List.of("a", "b"), split("a b c d", 2));
        assertEquals(List.of("发", "票"), split("发票代开", 2));
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
    void textWithoutBlanksIsReadInSlicesAndNoCharacterIsTornApart() {
        assertEquals(
                3, split("x".repeat(64) + "." + "\u3042".repeat(100_000), 3).size());
        List<String> rare = split("x" + "𠮷".repeat(9_000), 10_000);
        assertEquals(9_001, rare.size());
        assertEquals(List.of("x", "𠮷"), rare.stream().distinct().toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Casino",
                "STRASSE",
                "cafe\u0301",
                "don't",
                "彩票",
                "发票",
                "代开",
                "ｆｒｅｅ",
                "gratis geld",
                "Gratis-Geld",
                "win a free iPhone",
                "免费 iPhone",
                "Act now!",
                "\u201c发票\u201d\u3002",
                "สินเชื่อ",
                "すぐクリック",
                "𠮷野家"
            })
    void aTermOfAFeedIsMetInAText(String term) {
        String key =
                assertInstanceOf(FeedKey.Taken.class, Words.feedKey(term)).key().text();
        assertTrue(terms("see " + term + ", now").contains(key), key);
        assertTrue(terms("我们" + term.toUpperCase(java.util.Locale.ROOT) + "请").contains(key), key);
    }

    @ParameterizedTest
    @CsvSource({
        "a b c d, taken",
        "a b c d e, phrase of more",
        "一二三四五六七八九十甲乙, taken",
        "一二三四五六七八九十甲乙丙, phrase of more",
        "C++, not a word",
        "'free, money', not a word",
        "100% free, not a word",
        "earn $, not a word",
        "!!!, not a word"
    })
    void whatIsNoTermIsRefused(String entry, String fate) {
        switch (Words.feedKey(entry)) {
            case FeedKey.Taken taken -> assertEquals("taken", fate);
            case FeedKey.Rejected(String reason) -> assertTrue(reason.contains(fate), reason);
            case FeedKey.Held held -> assertEquals("", held.reason());
        }
    }

    @Test
    void aWordTooLongIsNoTermAndNoneOfItsParts() {
        assertInstanceOf(FeedKey.Taken.class, Words.feedKey("a " + "b".repeat(Words.MAX_CHARS)));
        assertInstanceOf(FeedKey.Rejected.class, Words.feedKey("a " + "b".repeat(Words.MAX_CHARS + 1)));
        assertInstanceOf(FeedKey.Rejected.class, Words.feedKey("a ".repeat(1_000_000)));
    }

    @Test
    void aMegabyteOfCharactersYieldsNoMoreTermsThanTheBatchHolds() {
        KeyBatch batch = batch("发票".repeat(500_000));

        assertTrue(batch.overflowed());
        assertEquals(KeyBatch.MAX_KEYS + KeyBatch.MAX_TERMS, batch.size());
    }

    @Test
    void asManyWordsAsAMessageMayHaveFitTheBatch() {
        assertEquals(false, batch("发".repeat(10_000)).overflowed());
        assertEquals(false, batch("w".repeat(24).concat(" ").repeat(10_000)).overflowed());
    }
}
