package org.bloomgate.message;

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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.bloomgate.key.ContentDigest;
import org.bloomgate.key.Disguise;
import org.bloomgate.key.FeedKey;
import org.bloomgate.key.FeedKeys;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.PublicSuffixes;

/// What a feed lists is found in a whole message, wherever it stands there and however it is written.
class MessageParityTest {
    private static final FeedKeys FEED = new FeedKeys(PublicSuffixes.bundled());
    private static final MessageReader READER = new MessageReader(MessageLimits.defaults());
    private static final Set<KeyKind> KINDS = Set.of(KeyKind.values());

    @Property(tries = 500, seed = "20261122")
    void aDisguisedLinkHasTheKeyOfTheFeedEntryInEveryContext(
            @ForAll("urls") String url, @ForAll("contexts") String context, @ForAll long seed) throws IOException {
        Random random = new Random(seed);
        String link = Disguise.link(url, random);
        String html = context.replace("LINK", escaped(link, random));
        assertTrue(keys(inTransfer("text/html; charset=utf-8", html, random)).contains(taken(KeyKind.URL, url)), html);
    }

    @Property(tries = 200, seed = "20261122")
    void aListedFileIsFoundWhateverItHolds(@ForAll @Size(min = 1, max = 3000) byte[] file, @ForAll boolean named)
            throws IOException {
        byte[] digest = ContentDigest.begin().digest(file);
        String type = named ? "text/html; name=a.html" : "application/octet-stream";
        String message = "Content-Type: " + type + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(file);
        String line = HexFormat.of().formatHex(digest).toUpperCase(Locale.ROOT);
        assertTrue(keys(message).contains(taken(KeyKind.HASH, line)), line);
    }

    @Property(tries = 500, seed = "20261122")
    void aListedWordIsFoundInAnyCase(@ForAll("words") String word, @ForAll long seed) throws IOException {
        String html = "<p>before " + escaped(mixedCase(word, new Random(seed)), new Random(seed)) + ", behind</p>";
        assertTrue(
                keys("Content-Type: text/html; charset=utf-8\r\n\r\n" + html).contains(taken(KeyKind.KEYWORD, word)),
                html);
    }

    @Property(tries = 300, seed = "20261122")
    void theSameMessageHasTheSameKeysHoweverItIsTransferred(
            @ForAll("urls") String url, @ForAll("contexts") String context, @ForAll long seed) throws IOException {
        String html = context.replace("LINK", escaped(url, new Random(seed)));
        String type = "text/html; charset=utf-8";
        Set<Key> once = keys(inTransfer(type, html, new Random(seed)));
        assertEquals(once, keys(inTransfer(type, html, new Random(seed + 1))));
    }

    private static Key taken(KeyKind kind, String entry) {
        return ((FeedKey.Taken) FEED.of(kind, entry)).key();
    }

    private static Set<Key> keys(String message) throws IOException {
        KeyBatch batch = new KeyBatch();
        byte[] octets = message.getBytes(StandardCharsets.UTF_8);
        READER.read(new ByteArrayInputStream(octets), PublicSuffixes.bundled(), KINDS, batch);
        Set<Key> keys = new HashSet<>();
        for (int i = 0; i < batch.size(); i++) {
            keys.add(batch.key(i));
        }
        return keys;
    }

    private static String inTransfer(String type, String content, Random random) {
        String head = "Content-Type: " + type + "\r\nContent-Transfer-Encoding: ";
        byte[] octets = content.getBytes(StandardCharsets.UTF_8);
        return switch (random.nextInt(3)) {
            case 0 -> head + "8bit\r\n\r\n" + content;
            case 1 -> head + "base64\r\n\r\n" + Base64.getMimeEncoder().encodeToString(octets);
            default -> head + "quoted-printable\r\n\r\n" + quotedPrintable(octets, random);
        };
    }

    private static String quotedPrintable(byte[] octets, Random random) {
        StringBuilder out = new StringBuilder();
        for (byte octet : octets) {
            boolean plain = octet > ' ' && octet < 0x7f && octet != '=' && random.nextInt(8) > 0;
            out.append(plain ? String.valueOf((char) octet) : String.format("=%02X", octet & 0xff));
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

    @Provide
    Arbitrary<String> contexts() {
        return Arbitraries.of(
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
                "<title>x</title><style>p{}</style><base href=\"http://base.example/\"><a href=\"LINK\">x</a>");
    }

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars('\u00e4', '\u00e9', '\u0436', '\u03bb')
                .ofMinLength(1)
                .ofMaxLength(20);
    }

    @Provide
    Arbitrary<String> urls() {
        Arbitrary<String> names =
                Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(8);
        Arbitrary<String> hosts = Arbitraries.oneOf(
                names.map(name -> name + ".example"),
                names.map(name -> name + ".sub.example.co.uk"),
                names.map(name -> "b\u00fccher-" + name + ".example"),
                Arbitraries.integers().between(1, 254).map(last -> "192.0.2." + last));
        return Combinators.combine(hosts, Arbitraries.of("", "/", "/a", "/a/b.html", "/?q=1", "/x%25y", "/\u00e9"))
                .as((host, path) -> "http://" + host + path);
    }
}
