package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;

class LocalFileFormatTest {
    private static final Path FILE = Path.of("entries.jsonl");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final String GOLDEN = """
        {"type":"listing","kind":"domain","value":"bad.example","match":"suffix","category":"phishing",\
        "reason":"says \\"so\\"","author":"ada","added":"2026-01-02T03:04:05.678Z",\
        "expires":"2026-01-09T03:04:05.678Z"}
        {"type":"exception","kind":"address","value":"a@good.example","match":"exact","feed":"spam",\
        "category":"phishing","recipientDomain":"to.example","author":"ada","added":"2026-01-02T03:04:05.678Z"}
        """;

    private static LocalEntries two() throws EntryRefusedException {
        EntryText listing = EntryTexts.of("domain", "BAD.example.")
                .with(Field.CATEGORY, "phishing")
                .with(Field.REASON, "says \"so\"")
                .with(Field.EXPIRES, "7d");
        EntryText exception = EntryTexts.of("address", "A@Good.example")
                .with(Field.MATCH, "exact")
                .with(Field.FEED, "spam")
                .with(Field.CATEGORY, "phishing")
                .with(Field.RECIPIENT_DOMAIN, "TO.example");
        return LocalEntries.NONE
                .with(EntryParser.parse(listing, Entry.Type.LISTING, NOW))
                .with(EntryParser.parse(exception, Entry.Type.EXCEPTION, NOW));
    }

    private static byte[] whole(String body) throws Exception {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        return ("bloomgate-local 1 " + digest + "\n" + body).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theBytesAreTheseForEver() throws Exception {
        assertArrayEquals(whole(GOLDEN), LocalFormat.write(two()));
        assertEquals(two(), LocalFormat.read(whole(GOLDEN), FILE));
        assertEquals(LocalEntries.NONE, LocalFormat.read(LocalFormat.write(LocalEntries.NONE), FILE));
    }

    @Test
    void senderAndConfirmedErrorAreKeptAndErrorsCountedByValue() throws Exception {
        LocalEntries entries = LocalEntries.NONE;
        for (String domain : List.of("to.example", "cc.example")) {
            EntryText text = EntryTexts.of("domain", "good.example")
                    .with(Field.FEED, "spam")
                    .with(Field.RECIPIENT_DOMAIN, domain)
                    .with(Field.SENDER, "from.example");
            entries = entries.with(
                    EntryParser.parse(text, Entry.Type.EXCEPTION, NOW).takingBack("TOKEN"));
        }
        EntryText plain = EntryTexts.of("domain", "fine.example").with(Field.FEED, "spam");
        entries = entries.with(EntryParser.parse(plain, Entry.Type.EXCEPTION, NOW));
        assertEquals(entries, LocalFormat.read(LocalFormat.write(entries), FILE));
        assertEquals(Map.of("spam", Set.of(new Key(KeyKind.DOMAIN, "good.example"))), entries.errors(NOW));
        assertEquals(Map.of(), entries.errors(NOW.plusSeconds(1)), "before");
    }

    @Test
    void aFileCutShortAnywhereIsDamagedAndNeverEmpty() throws Exception {
        byte[] bytes = LocalFormat.write(two());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(DamagedFileException.class, () -> LocalFormat.read(cut, FILE), "cut to " + length);
        }
    }

    @Test
    void aBitFlippedAnywhereIsDamage() throws Exception {
        byte[] bytes = LocalFormat.write(two());
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(DamagedFileException.class, () -> LocalFormat.read(flipped, FILE), "bit " + bit);
        }
    }

    @Test
    void linesThatWereNotWrittenHereAreNamedByNumber() throws Exception {
        String listing = GOLDEN.lines().findFirst().orElseThrow();
        for (String line : List.of(
                "",
                "null",
                "[]",
                "{}",
                "{\"type\":\"colour\"}",
                listing.replace("\"domain\"", "\"colour\""),
                listing.replace("\"suffix\"", "\"regex\""),
                listing.replace("2026-01-02", "2026-13-02"),
                listing.replace("\"domain\"", "\"hash\""))) {
            byte[] bytes = whole(listing + "\n" + line + "\n");
            DamagedFileException damage =
                    assertThrows(DamagedFileException.class, () -> LocalFormat.read(bytes, FILE), line);
            assertTrue(String.valueOf(damage.getMessage()).startsWith("entries.jsonl: line 3: "), line);
        }
        assertThrows(DamagedFileException.class, () -> LocalFormat.read(whole(listing + "\n" + listing + "\n"), FILE));
    }
}
