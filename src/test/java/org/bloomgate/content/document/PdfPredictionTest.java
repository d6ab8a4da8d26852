package org.bloomgate.content.document;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PdfPredictionTest {
    private static final String OBJECT = "9 0 <</URI(http://evil.example/)>>";
    private static final String LINK = "http://evil.example/";

    private static Found read(String dictionary, byte[] content) {
        ByteArrayOutputStream pdf = new ByteArrayOutputStream();
        pdf.writeBytes(("%PDF-1.7\n1 0 obj<<" + dictionary + ">>stream\n").getBytes(ISO_8859_1));
        pdf.writeBytes(content);
        pdf.writeBytes("\nendstream endobj".getBytes(ISO_8859_1));
        Found found = new Found();
        Pdf.read(pdf.toByteArray(), pdf.size(), found);
        return found;
    }

    private static Found objects(String parameters, byte[] content) {
        return read("/Type/ObjStm/Filter/FlateDecode" + parameters, content);
    }

    private static byte[] deflated(byte[] bytes) {
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(bytes);
            deflater.finish();
            byte[] packed = new byte[bytes.length + 100];
            return Arrays.copyOf(packed, deflater.deflate(packed));
        }
    }

    /// Rows as ISO 15948, 9.2 predicts them.
    ///
    /// @param type of every row, or -1 for one after the other
    private static byte[] png(byte[] plain, int type, int row, int pixel) {
        ByteArrayOutputStream predicted = new ByteArrayOutputStream();
        for (int start = 0; start < plain.length; start += row) {
            int by = type < 0 ? start / row % 5 : type;
            predicted.write(by);
            for (int i = start; i < Math.min(plain.length, start + row); i++) {
                int left = i - start < pixel ? 0 : plain[i - pixel] & 0xff;
                int above = start == 0 ? 0 : plain[i - row] & 0xff;
                int beside = start == 0 || i - start < pixel ? 0 : plain[i - row - pixel] & 0xff;
                predicted.write(plain[i]
                        - switch (by) {
                            case 1 -> left;
                            case 2 -> above;
                            case 3 -> (left + above) / 2;
                            case 4 -> paeth(left, above, beside);
                            default -> 0;
                        });
            }
        }
        return predicted.toByteArray();
    }

    private static int paeth(int a, int b, int c) {
        int p = a + b - c;
        boolean first = Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c);
        return first ? a : Math.abs(p - b) <= Math.abs(p - c) ? b : c;
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 2, 3, 4})
    void rowsAreTakenOffOneAnother(int type) {
        byte[] random = new byte[4_000];
        new Random(type).nextBytes(random);
        String text = OBJECT + new String(random, ISO_8859_1).replaceAll("[^a-z]", " ");
        byte[] plain = text.getBytes(ISO_8859_1);
        for (int row : new int[] {1, 3, 7, 5_000}) {
            byte[] content = deflated(png(plain, type, row, 1));
            String parameters = "/DecodeParms<</Columns " + row + "/Predictor 12>>";
            assertEquals(List.of(LINK), objects(parameters, content).links, () -> "rows of " + row);
        }
    }

    @Test
    void pixelsMayHaveSeveralBytes() {
        byte[] content = deflated(png(OBJECT.getBytes(ISO_8859_1), -1, 12, 6));
        String parameters = "/DP<</#50redictor 15/Columns 2/Colors 3/BitsPerComponent 16>>";
        assertEquals(List.of(LINK), objects(parameters, content).links);
    }

    @Test
    void differencesOfTiffAreAddedUp() {
        byte[] plain = OBJECT.getBytes(ISO_8859_1);
        byte[] differences = plain.clone();
        for (int i = 0; i < plain.length; i++) {
            differences[i] -= i % 10 < 2 ? 0 : plain[i - 2];
        }
        String parameters = "/DecodeParms[<</Predictor 2/Columns 5/Colors 2>>]";
        assertEquals(List.of(LINK), objects(parameters, deflated(differences)).links);
    }

    @Test
    void scriptsAndFilesAreReadSoToo() {
        byte[] content = deflated(png("a()".getBytes(ISO_8859_1), 1, 2, 1));
        String parameters = "/Filter/Fl/DecodeParms<</Predictor 11/Columns 2>>";
        assertEquals(List.of("a()"), read("/JS 1 0 R" + parameters, content).scripts);
        assertEquals(List.of("a()"), read("/Type/EmbeddedFile" + parameters, content).files);
    }

    @ParameterizedTest
    @CsvSource({
        "/DecodeParms 7 0 R",
        "/DecodeParms<</Predictor 7 0 R>>",
        "/DecodeParms<</Predictor 12/Predictor 1>>",
        "/DecodeParms<</Predictor 12/Columns 4/Columns 5>>",
        "/DecodeParms<</Predictor 3>>",
        "/DecodeParms<</Predictor 99999999999999/Columns 99999999999999>>",
        "/DecodeParms<</Predictor 2/BitsPerComponent 4>>",
        "/Filter/Fl/DecodeParms<</Predictor 12>>"
    })
    void whatIsNotKnownIsALimit(String parameters) {
        byte[] content = deflated(deflated("9 0 <<>>".getBytes(ISO_8859_1)));
        assertEquals(Set.of("pdfDamaged"), objects(parameters, content).limits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/DecodeParms<</Predictor 1/Columns 9>>", "/DecodeParms null", "/DecodeParms[null]"})
    void withoutAPredictionNothingIsTakenOff(String parameters) {
        Found found = objects(parameters, deflated(OBJECT.getBytes(ISO_8859_1)));
        assertEquals(List.of(LINK), found.links);
        assertEquals(Set.of(), found.limits);
    }

    @Test
    void aRowMayBeLongerThanTheContent() {
        byte[] content = deflated(png(OBJECT.getBytes(ISO_8859_1), 1, 1_000, 1));
        String parameters = "/DecodeParms<</Predictor 10/Columns 999999999/Colors 1>>";
        assertEquals(List.of(LINK), objects(parameters, content).links);
        assertEquals(List.of(), objects(parameters, deflated(new byte[0])).links);
    }
}
