package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.bloomgate.lists.format.FeedFixtures;
import org.bloomgate.lists.format.RecordingSink;
import org.junit.jupiter.api.Test;

class ExcerptTest {

    @Test
    void unprintableCharactersAreEscaped() {
        assertEquals("a\\u001b[31m\\u0007\\u202eb\\ud800", Excerpt.of("a\u001b[31m\u0007\u202eb\ud800"));
        assertEquals("b\u00fccher \ud83d\ude00", Excerpt.of("b\u00fccher \ud83d\ude00"));
    }

    @Test
    void longTextIsCut() {
        assertEquals("x".repeat(80), Excerpt.of("x".repeat(80)));
        assertEquals("x".repeat(80) + "...", Excerpt.of("x".repeat(81)));
    }

    @Test
    void rejectedPasswordIsNeverShown() throws FeedRefusedException {
        RecordingSink sink = new RecordingSink();
        FeedFixtures.read(
                FeedFixtures.feed(Map.of("kind", "password", "format", "sha1-count")), "correct horse\n", sink);
        assertEquals(List.of("13 characters"), sink.excerpts);
        assertFalse(sink.events.toString().contains("horse"));
    }

    @Test
    void passwordListInTheWrongFormatIsNotShownEither() {
        for (Map<String, String> settings : List.of(
                Map.of("kind", "password", "format", "csv", "column", "word"),
                Map.of("kind", "password", "format", "json"))) {
            FeedRefusedException refused = assertThrows(
                    FeedRefusedException.class,
                    () -> FeedFixtures.read(FeedFixtures.feed(settings), "horse,battery\n", new RecordingSink()));
            assertFalse(FeedFixtures.message(refused).contains("horse"), FeedFixtures.message(refused));
        }
    }
}
