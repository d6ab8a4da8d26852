package org.bloomgate.content.document;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PdfTest {
    private static Found read(byte[] pdf) {
        Found found = new Found();
        Pdf.read(pdf, pdf.length, found);
        return found;
    }

    private static Found read(String pdf) {
        return read(("%PDF-1.7\n" + pdf).getBytes(ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 0 obj<</S/URI/URI(http://evil.example/)>>endobj",
                "1 0 obj<</S/#55RI/U#52I (http:\\057/evil.exam\\\nple/)>>endobj",
                "1 0 obj<</URI<687474703A2F2F6576696C2E6578616D706C652F>>>endobj",
                "1 0 obj<</URI 5 0 R>>endobj 5 0 obj (http://evil.example/) endobj",
                "5 0 obj (http://evil.example/) endobj 1 0 obj<</URI 5 0 R>>endobj",
                "1 0 obj<</S/SubmitForm/F<</FS/URL/F(http://evil.example/)>>>>endobj",
                "1 0 obj<</S/Launch/Win<</F(cmd.exe)/P(/c start http://evil.example/)>>>>endobj",
                "(unclosed ( 1 0 obj<</URI(http://evil.example/)>>endobj",
                "1 0 obj<</Length 9>>stream\n/URI(http://evil.example/)\nendstream endobj",
                "1 0 obj<</Type/Obj#53tm/N 1/First 4>>stream\n9 0 <</URI(http://evil.example/)>>\nendstream endobj"
            })
    void targetOfAnAction_isALink(String pdf) {
        assertEquals(Set.of("http://evil.example/"), Set.copyOf(read(pdf).links));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 0 obj<</URI %(http://decoy.example/)\n(http://evil.example/)>>endobj",
                "1 0 obj<</URI %/X 7 0 R\r(http://evil.example/)>>endobj",
                "1 0 obj<</URI 5%(\n0 R>>endobj 5 0 obj%(decoy)\n(http://evil.example/) endobj",
                "1 0 obj<</Type%/X\n/ObjStm>>%\nstream\n9 0 <</URI(http://evil.example/)>>\nendstream endobj",
                "%stream\n1 0 obj<</U#52I(http://evil.example/)>>endobj"
            })
    void comment_isWhiteSpace(String pdf) {
        assertTrue(read(pdf).links.contains("http://evil.example/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%1 0 obj<</URI(http://evil.example/)>>endobj",
                "%5 0 obj\n(http://evil.example/) endobj 1 0 obj<</URI 5 0 R>>endobj",
                "1 0 obj<</X(aendobj%)/URI(http://evil.example/)>>endobj",
                "1 0 obj<</Type/ObjStm/X(aendobj%)>>stream\n9 0 <</U#52I(http://evil.example/)>>\nendstream endobj"
            })
    void linkInAComment_isRead(String pdf) {
        assertTrue(read(pdf).links.contains("http://evil.example/"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "(http://h.example/a(b)c)>> http://h.example/a(b)c",
                "(http://h.example/\\)a)>> http://h.example/)a",
                "(http://h.example/\\\\)a)>> http://h.example/\\",
                "(http://h.example/\\1012)>> http://h.example/A2",
                "(http://h.example/(aendobj http://h.example/(a",
                "(http://h.example/a\\ http://h.example/a\\"
            })
    void string_endsWithItsParentheses(String string, String link) {
        assertEquals(link, read("<</URI" + string).links.getFirst());
    }

    @Test
    void networkShare_isALinkAndALocalFileIsNot() {
        assertEquals(List.of("\\\\evil.example\\s"), read("<</S/Launch/F(\\\\\\\\evil.example\\\\s)>>").links);
        assertEquals(List.of(), read("<</S/GoToR/F(other.pdf)>>").links);
    }

    @Test
    void relativeTarget_isResolvedAgainstTheBase() {
        assertTrue(read("<</URI(login)>> <</URI<</Base(http://evil.example/x)>>>>")
                .links
                .contains("http://evil.example/x/login"));
    }

    @Test
    void scriptOfStringOrStream_isReported() {
        assertEquals(List.of("app.x()"), read("<</JS(app.x\\(\\))>>").scripts);
        assertEquals(List.of("a()"), read("<</JS 4 0 R>> 4 0 obj<<>>stream\na()endstream").scripts);
    }

    @Test
    void compressedObjects_areReadWhateverThePadding() {
        byte[] objects = deflated("5 0 6 26 (http://evil.example/)   <</URI 5 0 R>>");
        for (String filter : List.of("/FlateDecode", "[/Fl]", "9 0 R")) {
            ByteArrayOutputStream pdf = new ByteArrayOutputStream();
            pdf.writeBytes(("%PDF-1.7\n1 0 obj<</Type/ObjStm/Filter" + filter + " ".repeat(3000) + ">>stream\r\n")
                    .getBytes(ISO_8859_1));
            pdf.writeBytes(objects);
            pdf.writeBytes("\nendstream endobj".getBytes(ISO_8859_1));
            assertEquals(List.of("http://evil.example/"), read(pdf.toByteArray()).links, filter);
        }
    }

    private static byte[] deflated(String text) {
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(text.getBytes(ISO_8859_1));
            deflater.finish();
            byte[] packed = new byte[text.length() + 100];
            int length = deflater.deflate(packed);
            return Arrays.copyOf(packed, length);
        }
    }

    @Test
    void embeddedFile_isReported() {
        assertEquals(List.of("<a>"), read("<</Type/EmbeddedFile/Filter/AHx>>stream\n3C613E>endstream").files);
        assertEquals(List.of("<a>"), read("<</Type/EmbeddedFile/Filter/A85>>stream\n4CLD~>endstream").files);
    }

    @Test
    void encryptionOrUnknownFilter_isALimit() {
        assertEquals(Set.of("opaque"), read("trailer<</Encrypt 4 0 R>>").limits);
        assertEquals(Set.of("pdfDamaged"), read("<</Type/ObjStm/Filter/LZW>>stream\nx\nendstream").limits);
    }

    @Test
    void streamsBeyondTheBound_areALimit() {
        String stream = "<</Type/ObjStm>>stream\ny\nendstream ";
        assertEquals(Set.of(), read(stream.repeat(PdfStreams.MAX_STREAMS)).limits);
        assertEquals(Set.of("pdfInflated"), read(stream.repeat(PdfStreams.MAX_STREAMS + 1)).limits);
    }

    @Test
    void secondReading_opensNoStreamTwice() {
        String stream = "<</Type/EmbeddedFile>>stream\na\nendstream ";
        Found found = read("%/\n" + stream.repeat(PdfStreams.MAX_STREAMS));
        assertEquals(PdfStreams.MAX_STREAMS, found.files.size());
        assertEquals(Set.of(), found.limits);
        assertEquals(List.of("a()"), read("%/\n<</JS 4 0 R>> 4 0 obj<<>>stream\na()endstream").scripts);
    }

    @Test
    void objectsBeyondTheBound_areALimit() {
        assertEquals(Set.of(), read(references(Pdf.MAX_OBJECTS)).limits);
        assertEquals(Set.of("pdfObjects"), read(references(Pdf.MAX_OBJECTS + 1)).limits);
    }

    private static String references(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "<</URI " + i + " 0 R>> ")
                .collect(Collectors.joining());
    }

    @Test
    void referencesToOneScript_areReadOnce() {
        String references = "5 0 obj <</JS 1 0 R>> endobj\n".repeat(50);
        byte[] pdf = ("%PDF-1.4\n1 0 obj (x) endobj\n" + references).getBytes(ISO_8859_1);
        Found found = new Found();
        Pdf.read(pdf, pdf.length, found);
        assertEquals(List.of("x"), found.scripts);
    }
}
