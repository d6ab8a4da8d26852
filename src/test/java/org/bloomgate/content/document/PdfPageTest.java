package org.bloomgate.content.document;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a page shows, as viewers that make links of text read it.
class PdfPageTest {
    private static final String PADDING = "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a";

    private static Found read(String objects) {
        Found found = new Found();
        byte[] pdf = ("%PDF-1.7\n" + objects).getBytes(ISO_8859_1);
        Pdf.read(pdf, pdf.length, found);
        return found;
    }

    /// What a page shows.
    private static String page(int object, String content) {
        return "100 0 obj<</Type/Page/Contents " + object + " 0 R>>endobj " + stream(object, content);
    }

    private static String stream(int object, String content) {
        return object + " 0 obj<</Length " + content.length() + ">>stream\n" + content + "\nendstream endobj\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BT /F1 12 Tf 72 700 Td (see http://evil.example/x) Tj ET",
                "BT [(see h)-20(ttp://evi)10(l.example/x)] TJ ET",
                "BT [(see)-300(http://evil.example/x)] TJ ET",
                "BT (see) Tj 0 -14 Td (http://evil.example/x) ' ET",
                "BT <73656520687474703a2f2f6576696c2e6578616d706c652f78> Tj ET",
                "q 1 0 0 1 0 0 cm BT (a) Tj ET Q BT (see http://evil.example/x) Tj ET"
            })
    void textOfAPageIsRead(String page) {
        assertTrue(read(page(4, page)).texts.stream()
                .flatMap(String::lines)
                .anyMatch(line -> line.endsWith("http://evil.example/x")));
    }

    @Test
    void codesMeanWhatTheMapOfTheirFontSays() {
        String map = "begincodespacerange <0000><ffff> endcodespacerange\n"
                + "1 beginbfrange <0001><001a><0061> endbfrange\n2 beginbfchar <0030><003a> <0031><002f> endbfchar";
        String objects = "1 0 obj<</Font<</F7 2 0 R>>>>endobj 2 0 obj<</Subtype/Type0/ToUnicode 3 0 R>>endobj "
                + stream(3, map)
                + page(4, "BT /F7 9 Tf <00080014001400100030003100310005> Tj ET");
        Found found = read(objects);
        assertTrue(found.texts.contains("http://e"), found.texts::toString);
        assertEquals(Set.of(), found.limits);
    }

    @Test
    void aListOfTextsIsAMapToo() {
        String map =
                "begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <41><43>[<0068><0074><0070>] endbfrange";
        String objects = "1 0 obj<</F1 2 0 R>>endobj 2 0 obj<</ToUnicode 3 0 R>>endobj " + stream(3, map)
                + page(4, "BT /F1 9 Tf (ABBC) Tj ET");
        assertTrue(read(objects).texts.contains("http"));
    }

    @Test
    void aFontThatSaysNothingOfItsCharactersIsNamed() {
        String page = page(4, "BT /F1 9 Tf <0001> Tj ET");
        String named = "1 0 obj<</F1 2 0 R>>endobj ";
        assertEquals(Set.of("pdfFonts"), read(named + "2 0 obj<</Subtype/Type0>>endobj " + page).limits);
        assertEquals(Set.of(), read(named + "2 0 obj<</Subtype/Type1>>endobj " + page).limits);
        assertEquals(Set.of(), read("2 0 obj<</Subtype/Type0>>endobj " + page).limits);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 0 obj<</Contents[3 0 R 4 0 R]>>endobj 4 0 obj<<",
                "1 0 obj<</Contents 2 0 R>>endobj 2 0 obj[4 0 R]endobj 4 0 obj<<",
                "4 0 obj<</Subtype/Form",
                "1 0 obj<</Contents 4 0 R>>endobj 2 0 obj<</ToUnicode 4 0 R>>endobj 4 0 obj<<",
                "1 0 obj<</Contents 4 0 R>>endobj 2 0 obj<</JS 4 0 R>>endobj 4 0 obj<<"
            })
    void pagesAreFoundWhereverTheyAreNamedAndWhateverElseTheyAre(String objects) {
        String stream = "/Unknown/Name>>stream\n% beginbfchar\nBT (http://evil.example/x) Tj ET\nendstream endobj";
        assertTrue(read(objects + stream).texts.contains("http://evil.example/x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "beginbfrange <0000000000><0000000001> <0041> endbfrange",
                "beginbfrange <0041><0042>[<0061> endbfrange",
                "beginbfchar <41>",
                "beginbfrange <0041><",
                "beginbfrange <0042><0041> <0061> endbfrange"
            })
    void brokenMapsAreReadAsFarAsTheyGo(String map) {
        String font = "1 0 obj<</F1 2 0 R>>endobj 2 0 obj<</ToUnicode 3 0 R>>endobj ";
        Found found = read(font + stream(3, map) + page(4, "BT /F1 9 Tf (AB) Tj ET"));
        assertEquals(Set.of(), found.limits);
        assertEquals(1, found.texts.size());
    }

    @Test
    void oneCodeMoreThanAreReadIsNamed() {
        String fonts = "1 0 obj<</F1 2 0 R/F2 5 0 R/F3 7 0 R>>endobj 2 0 obj<</ToUnicode 3 0 R>>endobj "
                + "5 0 obj<</ToUnicode 6 0 R>>endobj 7 0 obj<</ToUnicode 8 0 R>>endobj ";
        StringBuilder codes = new StringBuilder("beginbfchar ");
        for (int code = 0; code < PdfCharacters.MAX_RANGES / 2; code++) {
            codes.append("<%04x><0041>".formatted(code));
        }
        String page = page(4, "BT /F1 9 Tf (AB) Tj /F2 9 Tf (AB) Tj /F3 9 Tf (AB) Tj ET");
        String full = fonts + stream(3, "" + codes) + stream(6, "" + codes) + page;
        assertEquals(Set.of(), read(full).limits);
        assertEquals(Set.of("pdfFonts"), read(full + stream(8, "beginbfchar <41><0041>")).limits);
    }

    @Test
    void whatIsNoPageIsNotReadAsOne() {
        String font = "4 0 obj<</Length1 30/Length 30>>stream\nBT (http://evil.example) Tj ET\nendstream endobj";
        assertEquals(List.of(), read(font).texts);
    }

    @Test
    void onePageMoreThanAreReadIsNamed() {
        StringBuilder pages = new StringBuilder();
        for (int i = 0; i < Pdf.MAX_PAGES; i++) {
            pages.append(page(i + 200, "BT (x) Tj ET"));
        }
        assertEquals(Set.of(), read(pages.toString()).limits);
        assertEquals(Set.of("pdfInflated"), read(pages + page(9999, "BT (x) Tj ET")).limits);
    }

    /// Algorithms 2 and 3 of the standard, by hand.
    @Test
    void whatAnybodyMayOpenIsOpened() throws Exception {
        byte[] padding = HexFormat.of().parseHex(PADDING);
        byte[] owner = new byte[32];
        Arrays.fill(owner, (byte) 7);
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        md5.update(padding);
        md5.update(owner);
        md5.update(new byte[] {-4, -1, -1, -1});
        md5.update(new byte[] {1, 2});
        byte[] key = Arrays.copyOf(md5.digest(), 5);
        String head =
                "9 0 obj<</Filter/Standard/V 1/R 2/P -4/O<" + HexFormat.of().formatHex(owner) + ">/U<";
        String tail = ">>>endobj trailer<</Encrypt 9 0 R/ID[<0102><0102>]>>";
        byte[] link = rc4(objectKey(key, 3), "http://evil.example/x".getBytes(ISO_8859_1));
        byte[] page = rc4(objectKey(key, 4), "BT (http://shown.example/) Tj ET".getBytes(ISO_8859_1));
        String objects = "3 0 obj<</URI<" + HexFormat.of().formatHex(link) + ">>>endobj "
                + page(4, new String(page, ISO_8859_1));

        Found opened = read(objects + head + HexFormat.of().formatHex(rc4(key, padding)) + tail);
        assertEquals(List.of("http://evil.example/x"), opened.links);
        assertTrue(opened.texts.contains("http://shown.example/"));
        assertEquals(Set.of(), opened.limits);

        Found pretended = read("3 0 obj<</URI(http://evil.example/x)>>endobj " + head
                + HexFormat.of().formatHex(rc4(key, padding)) + tail);
        assertEquals(Set.of("opaque"), pretended.limits);

        Found sealed = read(objects + head + HexFormat.of().formatHex(owner) + tail);
        assertEquals(Set.of("opaque"), sealed.limits);
    }

    private static byte[] objectKey(byte[] key, int object) throws Exception {
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        md5.update(key);
        md5.update(new byte[] {(byte) object, 0, 0, 0, 0});
        return Arrays.copyOf(md5.digest(), key.length + 5);
    }

    private static byte[] rc4(byte[] key, byte[] bytes) throws Exception {
        Cipher cipher = Cipher.getInstance("ARCFOUR");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "ARCFOUR"));
        return cipher.doFinal(bytes);
    }

    @Test
    void annotationsAndFields_areText() {
        for (String key : List.of("Contents", "V")) {
            assertEquals(
                    List.of("see http://evil.example/x"),
                    read("1 0 obj<</" + key + "(see http://evil.example/x)>>endobj").texts);
            assertEquals(
                    List.of("see http://evil.example/x"),
                    read("1 0 obj<</" + key + " 2 0 R>>endobj 2 0 obj(see http://evil.example/x)endobj").texts);
        }
    }

    @Test
    void formInSeveralStreams_isJoined() {
        String form =
                "1 0 obj<</XFA[(a) 2 0 R (b) 3 0 R]>>endobj " + stream(2, "<a>http://evil") + stream(3, ".example</a>");
        assertEquals(List.of(".xml<a>http://evil.example</a>"), read(form).files);
    }

    @Test
    void streamsOfAPage_areOne() {
        String page = "1 0 obj<</Contents[2 0 R 3 0 R]>>endobj " + stream(2, "BT 9 0 0 9 72 700 Tm (http://evil) Tj")
                + stream(3, "(.example) Tj ET");
        assertEquals(List.of("http://evil.example"), read(page).texts);
    }

    @Test
    void columnsAndCells_areNotJoined() {
        StringBuilder page = new StringBuilder("BT /F1 10 Tf ");
        for (int column = 0; column < 2; column++) {
            for (int row = 0; row < 20; row++) {
                page.append("1 0 0 1 ")
                        .append(72 + 200 * column)
                        .append(' ')
                        .append(700 - 12 * row)
                        .append(" Tm (words of a.")
                        .append(row)
                        .append(") Tj ");
            }
        }
        List<String> texts = read(page(4, page + "ET")).texts;
        assertEquals(1, texts.size());
        assertEquals(
                40,
                texts.getFirst()
                        .lines()
                        .filter(line -> line.matches("words of a\\.[0-9]+"))
                        .count());
    }
}
