package org.bloomgate.content.mime;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.content.links.HtmlLinks;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.url.LinkUnwrapping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Each limit at it and beyond it.
class MessageLimitsTest {
    private static final MessageLimits SMALL = new MessageLimits(4000, 10, 5, 3, 2000, 3100, 4, 20, 10, 0.1, List.of());

    private static ReadMessage read(String message) {
        return ReadMessage.of(message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8), new MessageReader(SMALL));
    }

    @Test
    void headerFields_beyondTheBoundAreALimit() {
        assertEquals(
                Set.of(), read("X: y\n".repeat(9) + "From: a@b.example\n\n").limits());
        ReadMessage beyond = read("X: y\n".repeat(10) + "From: a@b.example\n\nhttp://c.example/");
        assertEquals(Set.of("headerFields"), beyond.limits());
        assertTrue(beyond.holds(Place.TEXT, "c.example"));
    }

    @Test
    void fieldsRead_beyondTheBoundAreALimit() {
        ReadMessage at = read("Subject: y\n".repeat(9) + "From: a@b.example\n\n");
        assertEquals(Set.of(), at.limits());
        assertTrue(at.holds("b.example"));
        ReadMessage beyond = read("Subject: y\n".repeat(10) + "From: a@b.example\n\nhttp://c.example/");
        assertEquals(Set.of("headerFields"), beyond.limits());
        assertFalse(beyond.holds("b.example"));
        assertTrue(beyond.holds(Place.TEXT, "c.example"));
    }

    @Test
    void headerBytesOfManyFields_areBounded() {
        assertEquals(
                Set.of(),
                read(("X: " + "y".repeat(1200) + "\n").repeat(3) + "\n").limits());
        assertEquals(
                Set.of("headerBytes"),
                read(("X: " + "y".repeat(1200) + "\n").repeat(4) + "\n").limits());
    }

    @Test
    void fieldLongerThanTheHeaderBound_isLeftOut() {
        ReadMessage beyond = ReadMessage.header("Subject: " + "y".repeat(300_000) + "\n\nhttp://c.example/");
        assertEquals(Set.of("headerBytes"), beyond.limits());
        assertTrue(beyond.holds(Place.TEXT, "c.example"));
    }

    @Test
    void partsBeyondTheBound_areALimit() {
        String head = "Content-Type: multipart/mixed; boundary=b\n\n";
        String empty = "--b\n\nx\n";
        String last = "--b\nContent-Type: text/html\n\n<a href=http://c.example/>\n--b--\n";
        ReadMessage at = read(head + empty.repeat(3) + last);
        assertEquals(Set.of(), at.limits());
        assertTrue(at.holds(Place.LINK, "c.example"));
        ReadMessage beyond = read(head + empty.repeat(4) + last);
        assertEquals(Set.of("parts"), beyond.limits());
        assertTrue(beyond.holds(Place.RAW, "c.example"));
    }

    @Test
    void partsBeyondTheDepth_areALimit() {
        ReadMessage at = read(nested(3));
        assertEquals(Set.of(), at.limits());
        assertTrue(at.holds(Place.LINK, "c.example"));
        ReadMessage beyond = read(nested(4));
        assertEquals(Set.of("depth"), beyond.limits());
        assertTrue(beyond.holds(Place.RAW, "c.example"));
    }

    private static String nested(int messages) {
        return "Content-Type: message/rfc822\n\n".repeat(messages)
                + "Content-Type: text/html\n\n<a href=http://c.example/>x</a>\n";
    }

    @Test
    void multipartBelowTheDepth_isScannedRaw() {
        StringBuilder message = new StringBuilder("Content-Type: multipart/mixed; boundary=b0\n\n");
        for (int i = 0; i < 4; i++) {
            message.append("--b" + i + "\nContent-Type: multipart/mixed; boundary=b" + (i + 1) + "\n\n");
        }
        ReadMessage read = read(message + "--b4\n\nhttp://c.example/\n--b4--\n");
        assertEquals(Set.of("depth"), read.limits());
        assertTrue(read.holds(Place.RAW, "c.example"));
    }

    @Test
    void textOfAPart_isBounded() {
        assertEquals(Set.of(), read("\n" + "x".repeat(2000)).limits());
        ReadMessage beyond = read("\nhttp://c.example/ " + "x".repeat(2000) + " http://d.example/");
        assertEquals(Set.of("partTextBytes"), beyond.limits());
        assertTrue(beyond.holds("c.example"));
        assertFalse(beyond.holds("d.example"));
    }

    @Test
    void textOfAllParts_isBounded() {
        String part = "--b\n\n" + "x".repeat(1500) + "\n";
        assertEquals(
                Set.of(),
                read("Content-Type: multipart/mixed; boundary=b\n\n" + part.repeat(2))
                        .limits());
        assertEquals(
                Set.of("messageTextBytes"),
                read("Content-Type: multipart/mixed; boundary=b\n\n" + part.repeat(3))
                        .limits());
    }

    @Test
    void encodedWords_areBounded() {
        assertEquals(
                Set.of(),
                read("Subject: " + "=?utf-8?q?a?= ".repeat(4) + "\n\n").limits());
        ReadMessage beyond = read("Subject: " + "=?utf-8?q?a?= ".repeat(4) + "=?utf-8?q?_http://c.example/?=\n\n");
        assertEquals(Set.of("encodedWordsPerField"), beyond.limits());
    }

    @Test
    void identifiers_areBounded() {
        assertEquals(20, read(links(20)).identifiers().size());
        assertEquals(Set.of(), read(links(20)).limits());
        ReadMessage beyond = read(links(21));
        assertEquals(20, beyond.identifiers().size());
        assertEquals(Set.of("identifiers"), beyond.limits());
    }

    private static String links(int count) {
        StringBuilder message = new StringBuilder("Content-Type: text/html\n\n");
        for (int i = 0; i < count; i++) {
            message.append("<a href=http://h").append(i).append(".example/>");
        }
        return message.toString();
    }

    @Test
    void targetsOfWrappedLinks_areBounded() {
        StringBuilder message = new StringBuilder();
        for (int i = 0; i <= KeyExtractor.MAX_UNWRAPPED; i++) {
            message.append("<a href='http://r.example/")
                    .append(i)
                    .append("?u=http://h")
                    .append(i)
                    .append(".example/'>");
        }
        assertEquals(Set.of("unwrapped"), ReadMessage.html(message.toString()).limits());
    }

    /// Each bound that cuts: a message at it, and one beyond it that names it.
    static Stream<Arguments> bounds() {
        String pad = "a".repeat(KeyExtractor.MAX_URL_CHARS - "http://c.example/".length());
        String bases = "<p xml:base='http://b%d.example/'>";
        String five = "https://1.example/?u=https://2.example/?u=https://3.example/?u=https://4.example/?u=https://";
        String local = "a".repeat(MailAddress.MAX_CHARS - "@c.example".length());
        return Stream.of(
                arguments(
                        "urlBytes",
                        "<a href='http://c.example/" + pad + "'>",
                        "<a href='http://c.example/a" + pad + "'>"),
                arguments(
                        "bases",
                        IntStream.range(0, HtmlLinks.MAX_BASES)
                                .mapToObj(bases::formatted)
                                .collect(joining()),
                        IntStream.rangeClosed(0, HtmlLinks.MAX_BASES)
                                .mapToObj(bases::formatted)
                                .collect(joining())),
                arguments("nesting", inSrcdoc(HtmlLinks.MAX_NESTING), inSrcdoc(HtmlLinks.MAX_NESTING + 1)),
                arguments(
                        "unwrapped",
                        "<a href='" + five + "c.example/'>",
                        "<a href='https://0.example/?u=" + five + "c.example/'>"),
                arguments(
                        "unwrapped",
                        parameters(LinkUnwrapping.MAX_TARGETS),
                        parameters(LinkUnwrapping.MAX_TARGETS + 1)),
                arguments(
                        "addressChars",
                        "<a href='mailto:" + local + "@c.example'>",
                        "<a href='mailto:" + local + "a@c.example'>"));
    }

    private static String parameters(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "u" + i + "=http://h" + i + ".example/")
                .collect(joining("&", "<a href='http://c.example/?", "'>"));
    }

    private static String inSrcdoc(int times) {
        String html = "<a href=//c.example>";
        for (int i = 0; i < times; i++) {
            html = "<iframe srcdoc=\"" + html.replace("&", "&amp;").replace("\"", "&quot;") + "\"></iframe>";
        }
        return html;
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void markupBeyondABound_namesTheLimit(String name, String at, String beyond) {
        assertEquals(Set.of(), ReadMessage.html(at).limits());
        assertEquals(Set.of(name), ReadMessage.html(beyond).limits());
    }

    @Test
    void linkBeyondTheBound_givesItsHost() {
        assertTrue(ReadMessage.html("<a href='http://" + "a".repeat(9_000) + "@c.example/'>")
                .holds(Place.LINK, "c.example"));
    }

    @Test
    void mailboxesOfAField_areBounded() {
        String at = "a@c.example,".repeat(MailboxList.MAX_MAILBOXES);
        assertEquals(
                Set.of(),
                ReadMessage.header("From: " + at.substring(0, at.length() - 1)).limits());
        assertEquals(
                Set.of("mailboxes"),
                ReadMessage.header("From: " + at + "b@c.example").limits());
    }

    @Test
    void tagsOfASignature_areBounded() {
        String tags = "a=b;".repeat(HeaderFields.MAX_TAGS - 1);
        assertEquals(
                Set.of(),
                ReadMessage.header("DKIM-Signature: " + tags + "d=c.example").limits());
        assertEquals(
                Set.of("dkimTags"),
                ReadMessage.header("DKIM-Signature: a=b;" + tags + "d=c.example")
                        .limits());
    }

    @Test
    void work_isBoundedByCount() {
        String candidates = IntStream.range(0, 1_000)
                .mapToObj(i -> "http://h" + i + ".example ")
                .collect(Collectors.joining());
        assertEquals(Set.of(), ReadMessage.text(candidates).limits());
        MessageLimits tiny = new MessageLimits(200, 200, 5, 3, 30_000, 30_000, 4, 5_000, 10, 0.1, List.of());
        byte[] message = ("\r\n" + candidates).getBytes(StandardCharsets.UTF_8);
        ReadMessage first = ReadMessage.of(message, new MessageReader(tiny));
        assertTrue(first.limits().contains("work"), () -> "" + first.limits());
        assertEquals(first, ReadMessage.of(message, new MessageReader(tiny)));
    }
}
