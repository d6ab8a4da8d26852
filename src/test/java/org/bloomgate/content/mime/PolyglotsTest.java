package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.Set;
import org.bloomgate.content.archive.Zips;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are of one kind by their first bytes and of another to programs that look elsewhere.
class PolyglotsTest {
    private static final String PAGE = "<p><a href='//evil.example/x'>x</a></p>";
    private static final String PDF = "%PDF-1.5\n1 0 obj<</S/URI/URI(http:\\057/evil.example/)>>endobj";
    private static final String MAIL = "From: a@b.example\r\nContent-Type: text/html\r\n"
            + "Content-Transfer-Encoding: base64\r\n\r\n"
            + Base64.getEncoder().encodeToString(PAGE.getBytes(ISO_8859_1));

    /// Bytes that no text has.
    private static final String SOUND = "\3\0\0\0\1\2\3\n";

    private static ReadMessage read(String type, String name, String content) {
        String header = "Content-Type: " + type + "; name=\"" + name + "\"\r\n"
                + "Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n";
        byte[] bytes = content.getBytes(ISO_8859_1);
        return ReadMessage.withoutFault((header + Base64.getMimeEncoder().encodeToString(bytes)).getBytes(ISO_8859_1));
    }

    private static String zip(String name, String content) {
        return new String(Zips.deflated(name, content), ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ID3",
                "OggS",
                "fLaC",
                "RIFF",
                "GIF89a",
                "\u0089PNG\r\n\u001a\n",
                "\u00ff\u00d8\u00ff",
                "\0\0\1\0"
            })
    void mediaBeforeSomethingElseHidesNothing(String magic) {
        String start = magic + SOUND;
        for (String name : new String[] {"x.pdf", "x", "x.png", "x.html"}) {
            assertTrue(read("application/octet-stream", name, start + PDF).holds("evil.example"), name);
        }
        assertTrue(read("image/png", "x", start + PDF).holds("evil.example"));
        assertTrue(read("application/octet-stream", "x.zip", start + zip("x.html", PAGE))
                .holds("evil.example"));
        assertTrue(read("application/zip", "", start + zip("x.html", PAGE)).holds("evil.example"));
        assertTrue(read("image/png", "x.docx", start + zip("x.html", PAGE)).holds("evil.example"));
        assertTrue(read("audio/mpeg", "x.txt", start + "http://evil.example/").holds("evil.example"));
        for (String name : new String[] {"x.eml", "x.mht"}) {
            assertTrue(
                    read("application/octet-stream", name, start.replace("\n", "") + ": 1\r\n" + MAIL)
                            .holds("evil.example"),
                    name);
        }
    }

    @ParameterizedTest
    @CsvSource({"x.pdf, PDF", "x.eml, MAIL", "x.zip, ZIP"})
    void soItIsInAnArchive(String name, String kind) {
        String content = "ID3" + SOUND.replace("\n", "")
                + switch (kind) {
                    case "PDF" -> PDF;
                    case "MAIL" -> ": 1\r\n" + MAIL;
                    default -> zip("x.html", PAGE);
                };
        assertTrue(read("application/zip", "x.zip", zip(name, content)).holds("evil.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RIFF", "ID3", "OggS", "GIF89a"})
    void aWordThatMediaBeginWithIsTextAmongText(String magic) {
        String name = "x.dat";
        assertTrue(read("audio/mpeg", name, magic + ": 1\r\n" + MAIL).holds("evil.example"));
        assertTrue(read("image/gif", name, magic + " http://evil.example/").holds("evil.example"));
    }

    @ParameterizedTest
    @CsvSource({"<!-- -->: 1", "BEGIN:VCARD", "{\\rtf1: x"})
    void aMessageByNameIsOneWhateverItBeginsWith(String line) {
        assertTrue(
                read("application/octet-stream", "x.eml", line + "\r\n" + MAIL).holds("evil.example"));
    }

    /// What plays sound looks neither for a directory at the end nor for text.
    @ParameterizedTest
    @CsvSource({"audio/mpeg, x.mp3", "application/octet-stream, x.mp3", "audio/mpeg, ''"})
    void mediaByNameOrTypeAreNotRead(String type, String name) {
        ReadMessage read = read(type, name, "ID3" + SOUND + "http://evil.example/ " + zip("x.html", PAGE));
        assertFalse(read.holds("evil.example"));
        assertEquals(Set.of(), read.limits());
    }
}
