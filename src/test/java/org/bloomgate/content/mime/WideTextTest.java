package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Zeros that make ASCII look like UTF-16.
class WideTextTest {
    private static final String ZEROS = "a\0".repeat(400);
    private static final String LINK = "<a href=http://evil.example/>x</a>";

    private static ReadMessage read(String header, String body) {
        return read(header, body.getBytes(ISO_8859_1));
    }

    private static ReadMessage read(String header, byte[] body) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(
                ("Content-Transfer-Encoding: binary\r\nContent-Type: " + header + "\r\n\r\n").getBytes(ISO_8859_1));
        message.writeBytes(body);
        return ReadMessage.withoutFault(message.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "text/html; charset=utf-8",
                "text/html; charset=iso-8859-1",
                "text/html; charset=utf-16",
                "text/html; name=x.html",
                "application/octet-stream; name=x.svg",
                "application/octet-stream; name=x.xml",
                "application/octet-stream; name=x"
            })
    void zerosAmongMarkupHideNoLink(String type) {
        for (String padding : List.of(ZEROS, "\0" + ZEROS, "x" + ZEROS)) {
            assertTrue(read(type, "<p>" + LINK + padding).holds("evil.example"), "before");
            assertTrue(read(type, "<p>" + padding + "</p>" + LINK).holds("evil.example"), "behind");
            assertTrue(read(type, "<p>" + padding + "</p>x" + LINK + padding).holds("evil.example"), "between");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, http://evil.example/ ",
        "text/plain; charset=utf-16le, http://evil.example/ ",
        "text/calendar, BEGIN:VCALENDAR\\nURL:http://evil.example/\\n",
        "multipart/mixed; boundary=b, http://evil.example/ "
    })
    void norAmongText(String type, String start) {
        assertTrue(read(type, start.replace("\\n", "\r\n") + ZEROS).holds("evil.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void wideTextIsReadAsSuch(String name) {
        String page = "<p>\u017e" + "b".repeat(300) + "</p><a href=http://b\u0119st.example/>x</a>";
        for (String declared : List.of("", "; charset=utf-8", "; charset=" + name)) {
            ReadMessage read = read("text/html" + declared, page.getBytes(Charset.forName(name)));
            assertTrue(read.holds("xn--bst-sra.example"), () -> "" + read);
            assertEquals(Set.of(), read.limits());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example/", "\r\n\t"})
    void charactersOfAsciiAreReadOnce(String text) {
        for (Charset order : List.of(UTF_16BE, UTF_16LE)) {
            byte[] bytes = text.getBytes(order);
            assertTrue(WideText.isPlain(bytes, bytes.length, order));
            assertFalse(TextDecoding.isDoubtful(bytes, bytes.length, "us-ascii"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u4e2d", "\u0165", "\u6819", "\u00e9", "\0"})
    void anyOtherCharacterIsDoubtful(String character) {
        for (Charset order : List.of(UTF_16BE, UTF_16LE)) {
            byte[] bytes = ("http://evil.example/" + character).getBytes(order);
            assertTrue(TextDecoding.isDoubtful(bytes, bytes.length, ""));
            assertTrue(TextDecoding.isDoubtful(bytes, bytes.length - 1, "utf-16"));
        }
    }

    @Test
    void nothingButZerosIsLeftOut() {
        byte[] bytes = "a\0\1\0\0b".getBytes(ISO_8859_1);
        assertArrayEquals("a\1b".getBytes(ISO_8859_1), WideText.withoutZeros(bytes, bytes.length));
    }

    /// Files in UTF-16, plain and in gzip, whatever type and name they have.
    @Test
    void wideFile_isReadWhateverItsTypeAndPacking() throws IOException {
        Map<String, String> files = Map.of(
                "a.txt", "see http://evil.example/ now",
                "a.html", "<html><body>" + LINK + "</body></html>",
                "a.csv", "a,b\n1,http://evil.example/\n",
                "a.url", "[InternetShortcut]\r\nURL=http://evil.example/\r\n",
                "a.xml", "<a>http://evil.example/</a>",
                "a", "see http://evil.example/ now");
        for (Map.Entry<String, String> file : files.entrySet()) {
            for (String mark : List.of("", "\ufeff")) {
                for (Charset charset : List.of(UTF_16LE, UTF_16BE)) {
                    byte[] wide = (mark + file.getValue()).getBytes(charset);
                    for (String type : List.of("application/octet-stream", "text/plain", "application/x")) {
                        String header = type + "; name=" + file.getKey();
                        assertTrue(read(header, wide).holds("evil.example"), header + charset);
                        assertTrue(read(header + ".gz", gzip(wide)).holds("evil.example"), header + ".gz" + charset);
                    }
                }
            }
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"message/rfc822", "message/news", "message/global", "MESSAGE/News; name=x.eml"})
    void messageInAMessage_isRead(String type) {
        String inner = "Newsgroups: a.b\r\nContent-Type: text/html\r\n\r\n" + LINK;
        assertTrue(read(type, inner).holds("evil.example"));
        assertTrue(
                read("multipart/mixed; boundary=b", "--b\r\nContent-Type: " + type + "\r\n\r\n" + inner + "\r\n--b--")
                        .holds("evil.example"));
    }
}
