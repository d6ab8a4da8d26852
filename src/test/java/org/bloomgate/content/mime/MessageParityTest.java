package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.bloomgate.Tries;
import org.bloomgate.core.key.ContentDigest;
import org.bloomgate.core.key.Disguise;
import org.bloomgate.core.key.Drawn;
import org.bloomgate.core.key.FeedKey;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;

/// What a feed lists is found in a whole message, wherever it stands there and however it is written.
class MessageParityTest {
    private static final FeedKeys FEED = new FeedKeys(PublicSuffixes.bundled());
    private static final MessageReader READER = new MessageReader(MessageLimits.defaults());
    private static final Set<KeyKind> KINDS = Set.of(KeyKind.values());
    private static final long SEED = 20261122;
    private static final String WORD_LETTERS = "abcdefghijklmnopqrstuvwxyz\u00e4\u00e9\u0436\u03bb";

    private static final String[] CONTEXTS = {
        "<a href=\"LINK\">x</a>",
        "<a href='LINK'>x</a>",
        "<A\nHREF = \"LINK\" >x</A>",
        "<img/src=\"LINK\">",
        "<form action=\"LINK\">",
        "<area href=\"LINK\">",
        "<v:rect href=\"LINK\"/>",
        "<svg><a xlink:href=\"LINK\">x</a></svg>",
        "<!--[if mso]><a href=\"LINK\">x</a><![endif]-->",
        "<noscript><a href=\"LINK\">x</a></noscript>",
        "<p>a < b</p><div><a title=\"x > y\" href=\"LINK\">x",
        "<title>x</title><style>p{}</style><base href=\"http://base.example/\"><a href=\"LINK\">x</a>"
    };

    @Test
    void aDisguisedLinkHasTheKeyOfTheFeedEntryInEveryContext() {
        Tries.of(500, SEED, random -> {
            String url = Drawn.url(random);
            String html = Drawn.of(random, CONTEXTS).replace("LINK", escaped(Disguise.link(url, random), random));
            String message = inTransfer("text/html; charset=utf-8", html, random);
            assertTrue(keys(message).contains(taken(KeyKind.URL, url)), html);
        });
    }

    @Test
    void aListedFileIsFoundWhateverItHolds() {
        Tries.of(200, SEED, random -> {
            byte[] file = Drawn.bytes(1 + random.nextInt(3000), random);
            String type = random.nextBoolean() ? "text/html; name=a.html" : "application/octet-stream";
            String message = "Content-Type: " + type + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                    + Base64.getMimeEncoder().encodeToString(file);
            byte[] digest = ContentDigest.begin().digest(file);
            String line = HexFormat.of().formatHex(digest).toUpperCase(Locale.ROOT);
            assertTrue(keys(message).contains(taken(KeyKind.HASH, line)), line);
        });
    }

    @Test
    void aListedWordIsFoundInAnyCase() {
        Tries.of(500, SEED, random -> {
            String word = Drawn.text(1 + random.nextInt(20), () -> Drawn.letter(WORD_LETTERS, random));
            String html = "<p>before " + escaped(mixedCase(word, random), random) + ", behind</p>";
            String message = "Content-Type: text/html; charset=utf-8\r\n\r\n" + html;
            assertTrue(keys(message).contains(taken(KeyKind.KEYWORD, word)), html);
        });
    }

    @Test
    void theSameMessageHasTheSameKeysHoweverItIsTransferred() {
        Tries.of(300, SEED, random -> {
            String html = Drawn.of(random, CONTEXTS).replace("LINK", escaped(Drawn.url(random), random));
            String type = "text/html; charset=utf-8";
            Set<Key> once = keys(inTransfer(type, html, random));
            assertEquals(once, keys(inTransfer(type, html, random)));
        });
    }

    private static Key taken(KeyKind kind, String entry) {
        return ((FeedKey.Taken) FEED.of(kind, entry)).key();
    }

    private static Set<Key> keys(String message) throws IOException {
        KeyBatch batch = new KeyBatch();
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        READER.read(new ByteArrayInputStream(bytes), PublicSuffixes.bundled(), KINDS, batch, READER.createAllowance());
        Set<Key> keys = new HashSet<>();
        for (int i = 0; i < batch.size(); i++) {
            keys.add(batch.key(i));
        }
        return keys;
    }

    private static String inTransfer(String type, String content, Random random) {
        String head = "Content-Type: " + type + "\r\nContent-Transfer-Encoding: ";
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return switch (random.nextInt(3)) {
            case 0 -> head + "8bit\r\n\r\n" + content;
            case 1 -> head + "base64\r\n\r\n" + Base64.getMimeEncoder().encodeToString(bytes);
            default -> head + "quoted-printable\r\n\r\n" + quotedPrintable(bytes, random);
        };
    }

    private static String quotedPrintable(byte[] bytes, Random random) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) {
            boolean plain = b > ' ' && b < 0x7f && b != '=' && random.nextInt(8) > 0;
            out.append(plain ? String.valueOf((char) b) : String.format("=%02X", b & 0xff));
            out.append(random.nextInt(40) == 0 ? "=\r\n" : "");
        }
        return out.toString();
    }

    /// As an attribute or text of HTML, characters at random as entities.
    private static String escaped(String text, Random random) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean needed = "<>&\"'".indexOf(c) >= 0;
            out.append(
                    switch (needed ? random.nextInt(2) : random.nextInt(12)) {
                        case 0 -> "&#" + (int) c + ";";
                        case 1 -> "&#x" + Integer.toHexString(c) + ";";
                        default -> String.valueOf(c);
                    });
        }
        return out.toString();
    }

    private static String mixedCase(String word, Random random) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            String letter = word.substring(i, i + 1);
            out.append(random.nextBoolean() ? letter.toUpperCase(Locale.ROOT) : letter);
        }
        return out.toString();
    }
}
