package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import org.bloomgate.Rounds;
import org.junit.jupiter.api.Test;

class CodedTextTest {
    private static final int ROUNDS = Rounds.of(20_000);

    /// The characters of the texts and the inflations of one link.
    private static final long MOST_OF_ONE = 4L * CodedText.MAX_INFLATIONS * LinkUnwrapping.MAX_CHARS;

    /// Codings that trackers use.
    private static final List<UnaryOperator<String>> CODINGS = List.of(
            text -> Base64.getEncoder().encodeToString(bytes(text)),
            text -> Base64.getUrlEncoder().encodeToString(bytes(text)),
            text -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(text)),
            text -> HexFormat.of().formatHex(bytes(text)),
            text -> HexFormat.of().withUpperCase().formatHex(bytes(text)),
            text -> Base64.getUrlEncoder().encodeToString(deflate(text, true)),
            text -> Base64.getUrlEncoder().encodeToString(deflate(text, false)));

    private static final List<String> BEFORE = List.of(
            "https://click.example/?u=",
            "https://click.example/c/",
            "http://click.example/a?x=1&y=",
            "https://click.example/#");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] deflate(String text, boolean raw) {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, raw)) {
            deflater.setInput(bytes(text));
            deflater.finish();
            byte[] packed = new byte[2 * text.length() + 64];
            return Arrays.copyOf(packed, deflater.deflate(packed));
        }
    }

    private static String escape(String text, Random random) {
        return random.nextBoolean() ? URLEncoder.encode(text, StandardCharsets.UTF_8) : everyCharacter(text);
    }

    private static String everyCharacter(String text) {
        return "%" + HexFormat.ofDelimiter("%").formatHex(bytes(text));
    }

    /// A target in codings, each of which may be escaped, at one of the places.
    private static String link(String target, int codings, Random random) {
        String coded = target;
        for (int i = 0; i < codings; i++) {
            coded = CODINGS.get(random.nextInt(CODINGS.size())).apply(coded);
            coded = random.nextInt(4) == 0 ? URLEncoder.encode(coded, StandardCharsets.UTF_8) : coded;
        }
        String link = BEFORE.get(random.nextInt(BEFORE.size())) + escape(coded, random);
        return link.length() > LinkUnwrapping.MAX_CHARS ? link(target, codings, random) : link;
    }

    @Test
    void targetInUpToFourCodings_isFound() {
        Random random = new Random(7);
        for (int i = 0; i < ROUNDS; i++) {
            String host = Integer.toString(random.nextInt(1 << 20), 36) + ".evil.example";
            int codings = 1 + random.nextInt(CodedText.MAX_STEPS);
            String url = link("https://" + host + "/x", codings, random);
            assertTrue(LinkUnwrapping.targets(url).contains("https://" + host + "/x"), url);
            String path = link("//" + host + "/x", codings, random);
            assertTrue(LinkUnwrapping.targets(path).contains("http://" + host + "/x"), path);
            String bare = link(host + "/x", codings, random);
            assertTrue(LinkUnwrapping.of(bare).hosts().contains(host + "/x"), bare);
            String json = link("{\"id\":7,\"url\":\"https://" + host + "/x\"}", codings, random);
            assertTrue(LinkUnwrapping.targets(json).contains("https://" + host + "/x"), json);
            String tag = "\"><script src=//" + host + "/x.js>";
            String markup = link(tag, random.nextInt(CodedText.MAX_STEPS + 1), random);
            assertEquals(List.of(tag), LinkUnwrapping.of(markup).markup(), markup);
        }
    }

    /// Trackers put a number and a signature before the deflated text, and one behind it.
    @Test
    void textDeflatedBehindOtherBytes_isFound() {
        Random random = new Random(13);
        for (int i = 0; i < ROUNDS; i++) {
            String host = Integer.toString(random.nextInt(1 << 20), 36) + ".evil.example";
            String more =
                    random.nextBoolean() ? "" : ",\"list\":\"" + "winter letter ".repeat(random.nextInt(40)) + "\"";
            byte[] deflated = deflate("{\"u\":\"https://" + host + "/x\"" + more + "}", random.nextBoolean());
            byte[] header = new byte[1 + random.nextInt(40)];
            byte[] behind = new byte[random.nextInt(33)];
            random.nextBytes(header);
            random.nextBytes(behind);
            byte[] whole = ByteBuffer.allocate(header.length + deflated.length + behind.length)
                    .put(header)
                    .put(deflated)
                    .put(behind)
                    .array();
            String url = "https://click.example/c/" + Base64.getUrlEncoder().encodeToString(whole);
            assertTrue(LinkUnwrapping.targets(url).contains("https://" + host + "/x"), url);
        }
    }

    @Test
    void longRandomToken_isNotTheLimit() {
        Random random = new Random(17);
        byte[] token = new byte[LinkUnwrapping.MAX_CHARS / 4 * 3 - 30];
        for (int i = 0; i < ROUNDS / 10; i++) {
            random.nextBytes(token);
            String url = "https://click.example/c/" + Base64.getUrlEncoder().encodeToString(token);
            assertFalse(LinkUnwrapping.of(url).cut(), url);
        }
    }

    @Test
    void fifthCoding_isTheLimit() {
        String coded = "//evil.example/x";
        for (int i = 0; i < CodedText.MAX_STEPS; i++) {
            coded = CODINGS.getFirst().apply(coded);
        }
        assertFalse(LinkUnwrapping.of("https://click.example/?u=" + coded).cut());
        coded = CODINGS.getFirst().apply(coded);
        LinkUnwrapping.Unwrapped beyond = LinkUnwrapping.of("https://click.example/?u=" + coded);
        assertEquals(List.of(), beyond.targets());
        assertTrue(beyond.cut());
    }

    @Test
    void codesBeyondTheBound_areTheLimit() {
        String code = CODINGS.getFirst().apply("hello, world");
        String most = "https://click.example/?" + ("a=" + code + "&").repeat(CodedText.MAX_TEXTS);
        assertFalse(LinkUnwrapping.of(most).cut());
        assertTrue(LinkUnwrapping.of(most + "a=" + code).cut());
    }

    @Test
    void inflatedText_hasABound() {
        String many = "https://evil.example/" + "a".repeat(1 << 20);
        String link = "https://click.example/" + CODINGS.getLast().apply(many);
        LinkUnwrapping.Unwrapped unwrapped = LinkUnwrapping.of(link);
        assertEquals(1, unwrapped.targets().size());
        assertEquals(Utf8.MAX, unwrapped.targets().getFirst().length());
    }

    /// What makes a short link long to read: marks in one run, runs that look deflated, texts that inflate to links
    /// with codes.
    @Test
    void hostileLink_isReadWithinTheBound() {
        String bomb = CODINGS.getLast()
                .apply(("https://a.example/?u=" + CODINGS.getLast().apply("b".repeat(8000)) + " ").repeat(200));
        for (String code : List.of("aHR0c", "q1YqVrJSU.", bomb + ".", "%2561HR0c.", "68747470.", "%3Ca%3E&x=")) {
            String link = "https://click.example/?u=" + code.repeat(LinkUnwrapping.MAX_CHARS / code.length());
            LinkUnwrapping.Unwrapped unwrapped = LinkUnwrapping.of(link);
            String what = code.length() > 20 ? "bomb" : code;
            assertTrue(unwrapped.looked() <= LinkUnwrapping.MAX_LOOKED + MOST_OF_ONE, what + " " + unwrapped.looked());
            assertTrue(unwrapped.markup().size() <= LinkUnwrapping.MAX_TARGETS, what);
        }
    }

    @Test
    void inflationsBeyondTheBound_areTheLimit() {
        String run = "q_______.";
        assertFalse(LinkUnwrapping.of("https://click.example/?u=" + run.repeat(CodedText.MAX_INFLATIONS))
                .cut());
        assertTrue(LinkUnwrapping.of("https://click.example/?u=" + run.repeat(CodedText.MAX_INFLATIONS + 1))
                .cut());
    }

    @Test
    void randomTokens_areNoCodes() {
        Random random = new Random(11);
        byte[] token = new byte[48];
        for (int i = 0; i < ROUNDS; i++) {
            random.nextBytes(token);
            String text = Base64.getUrlEncoder().encodeToString(token);
            LinkUnwrapping.Unwrapped unwrapped = LinkUnwrapping.of("https://click.example/c/" + text + "?t=" + text);
            assertEquals(List.of(), unwrapped.targets(), text);
            assertFalse(unwrapped.cut());
        }
    }
}
