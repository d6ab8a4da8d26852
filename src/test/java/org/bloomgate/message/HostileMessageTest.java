package org.bloomgate.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.PublicSuffixes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Inputs made to be slow, at a reduced size: the work counted stays within a few units per octet, and nothing throws.
class HostileMessageTest {
    private static final int OCTETS = 200_000;

    /// Twice what the costliest of them takes.
    private static final int MOST_UNITS_PER_OCTET = 160;

    static Stream<String> htmlPatterns() {
        return Stream.of(
                "<a <a ",
                "<",
                "<!--",
                "<style>",
                "</style",
                "<a href=\"",
                "&",
                "&#",
                "&amp",
                "<title>",
                "<!--[if a]>",
                "<!--[if a]>-->",
                "<div>",
                "<a href=x>",
                "<svg><style>",
                "<style></style>",
                "<base href=x>",
                "<a style=url(",
                "<a style='\\",
                "<img srcset=',,",
                "<a href='javascript:",
                "</ ",
                "<?",
                "<!",
                "<a/",
                "<a =",
                "<meta content=url=",
                "<iframe srcdoc='",
                "<a href='data:text/html,<a href=",
                "<script>http://",
                "<a onclick=://",
                "<b></b>",
                "<textarea>");
    }

    static Stream<String> textPatterns() {
        return Stream.of(
                ".",
                "a.",
                "a@a@",
                "@",
                "http://",
                "http://http://",
                "http://a.b ",
                "www.",
                "://",
                ":",
                "(((",
                "a.com ",
                "a.com/",
                "\u3002",
                "\u00df",
                "\u00df.com ",
                "http://a@",
                "http://[",
                "%25",
                "http://%25",
                "\u200b",
                "http://a?u=http%3A%2F%2F",
                "/a.com",
                "a@b.com,",
                "1a://",
                "http://a.b?http://a.b?",
                "-.-");
    }

    @ParameterizedTest
    @MethodSource("htmlPatterns")
    void html(String pattern) {
        stays("Content-Type: text/html\r\n\r\n" + pattern.repeat(OCTETS / pattern.length()));
    }

    @ParameterizedTest
    @MethodSource("textPatterns")
    void text(String pattern) {
        stays("Content-Type: text/plain; charset=utf-8\r\n\r\n" + pattern.repeat(OCTETS / pattern.length()));
    }

    static Stream<String> structures() {
        StringBuilder multiparts = new StringBuilder("Content-Type: multipart/mixed; boundary=b0\r\n\r\n");
        for (int i = 0; i < 2000; i++) {
            multiparts.append("--b" + i + "\r\nContent-Type: multipart/mixed; boundary=b" + (i + 1) + "\r\n\r\n");
        }
        return Stream.of(
                "Content-Type: message/rfc822\r\n\r\n".repeat(5000),
                multiparts.toString(),
                "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + "--b\r\n\r\n".repeat(20_000),
                "X: y\r\n".repeat(20_000),
                "From: a@b.example\r\n".repeat(10_000),
                "Subject: x" + "\r\n x".repeat(50_000),
                "Subject: " + "=?utf-8?q?a?= ".repeat(15_000),
                "Subject: =?" + "?a".repeat(80_000),
                "From: " + "(".repeat(OCTETS),
                "From: " + "<a@".repeat(60_000),
                "From: " + "\"a\\".repeat(60_000),
                "DKIM-Signature: " + ";d=a".repeat(50_000),
                "List-Unsubscribe: " + "<http://a".repeat(20_000),
                "Content-Type: text/html" + "; a=b".repeat(40_000),
                "no field\r\n".repeat(20_000),
                "x".repeat(OCTETS),
                "\0".repeat(OCTETS),
                "Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + "!=@\r\n".repeat(40_000),
                "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + "=".repeat(OCTETS),
                "Content-Type: application/pdf\r\n\r\n%PDF-" + "/URI<".repeat(40_000),
                "Content-Type: application/pdf\r\n\r\n%PDF-" + "/ObjStm stream\n".repeat(14_000));
    }

    @ParameterizedTest
    @MethodSource("structures")
    void structure(String message) {
        stays(message);
    }

    /// Each could be the link a decoy before it hides, so each is read: to the end of the budget.
    @Test
    void stringsInStringsOfAPdfEndWithTheBudget() {
        byte[] message = ("Content-Type: application/pdf\r\n\r\n%PDF-" + "/URI(".repeat(40_000))
                .getBytes(StandardCharsets.UTF_8);
        assertEquals(Set.of("work"), ReadMessage.of(message).limits());
    }

    private static void stays(String message) {
        byte[] octets = message.getBytes(StandardCharsets.UTF_8);
        InspectionBudget budget = new InspectionBudget(MessageLimits.defaults(), () -> Instant.EPOCH);
        KeyBatch batch = new KeyBatch();
        try {
            KeyExtractor keys = new KeyExtractor(PublicSuffixes.bundled(), Set.of(), batch, budget);
            MessageReader.read(new RecentOctets(new ByteArrayInputStream(octets), budget), keys, new Workspace());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertTrue(
                budget.spent() < (long) octets.length * MOST_UNITS_PER_OCTET,
                () -> budget.spent() / octets.length + " units per octet");
        assertFalse(budget.reached().contains("malformed"), () -> "" + budget.reached());
    }

    @Test
    void documentsInDocumentsAreReadToABound() {
        String inner = "<a href=http://deep.example/>";
        for (int i = 0; i < 8; i++) {
            inner = "<iframe srcdoc=\"" + inner.replace("&", "&amp;").replace("\"", "&quot;") + "\">";
        }
        stays("Content-Type: text/html\r\n\r\n" + inner);
        assertTrue(List.of(0, 1, 2, 3).stream().allMatch(HostileMessageTest::isFoundAtDepth));
    }

    private static boolean isFoundAtDepth(int depth) {
        String inner = "<a href=http://deep.example/>";
        for (int i = 0; i < depth; i++) {
            inner = "<iframe srcdoc=\"" + inner.replace("&", "&amp;").replace("\"", "&quot;") + "\">";
        }
        return ReadMessage.html(inner).holds("deep.example");
    }
}
