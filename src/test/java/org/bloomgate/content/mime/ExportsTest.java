package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.Rounds;
import org.bloomgate.content.archive.Zips;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;

/// Files as programs export them are read whole: no limit, and the last link is found.
class ExportsTest {
    private static final int[] FILLERS = Rounds.ALL
            ? new int[] {100, 30_000, 70_000, PartReader.WINDOW_BYTES}
            : new int[] {100, 70_000, PartReader.WINDOW_BYTES};
    private static final int[] LEADS = Rounds.ALL
            ? new int[] {0, 500_000, PartReader.WINDOW_BYTES - 70_000}
            : new int[] {0, PartReader.WINDOW_BYTES - 70_000};
    private static final int ROWS = 20_000;
    private static final String LAST = "last.example";

    @Test
    void tableOfLinks_isReadWhole() {
        assertWhole(read("orders.csv", bytes(rows(row -> row + ";" + url(row) + ";paid\r\n"))));
    }

    @Test
    void sheetWithTextOfCellsInIt_isReadWhole() {
        String sheet = rows(row -> "<row r=\"" + row + "\"><c r=\"A" + row + "\" t=\"inlineStr\"><is><t>order " + row
                + "</t></is></c><c r=\"B" + row + "\" t=\"inlineStr\"><is><t>" + url(row) + "</t></is></c></row>");

        assertWhole(read(
                "orders.xlsx",
                Zips.deflated(
                        "[Content_Types].xml",
                        "<Types/>",
                        "xl/worksheets/sheet1.xml",
                        "<worksheet>" + sheet + "</worksheet>")));
    }

    @Test
    void sheetWithLinksOfCells_isReadWhole() {
        String links = rows(row -> "<Relationship Id=\"rId" + row + "\" TargetMode=\"External\" Target=\"" + url(row)
                + "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink\"/>");

        assertWhole(read(
                "orders.xlsx",
                Zips.deflated(
                        "[Content_Types].xml",
                        "<Types/>",
                        "xl/worksheets/_rels/sheet1.xml.rels",
                        "<Relationships>" + links + "</Relationships>")));
    }

    @Test
    void openDocumentSheet_isReadWhole() {
        String cells = rows(row -> "<table:table-row table:style-name=\"ro1\"><table:table-cell"
                + " office:value-type=\"float\" office:value=\"" + row + "\" calcext:value-type=\"float\"><text:p>"
                + row
                + "</text:p></table:table-cell><table:table-cell office:value-type=\"string\""
                + " calcext:value-type=\"string\"><text:p><text:a xlink:href=\"" + url(row)
                + "\" xlink:type=\"simple\">order</text:a></text:p></table:table-cell></table:table-row>");

        assertWhole(read(
                "orders.ods",
                Zips.deflated(
                        "mimetype",
                        "application/vnd.oasis.opendocument.spreadsheet",
                        "content.xml",
                        "<office:document-content>" + cells + "</office:document-content>")));
    }

    @Test
    void logThatPacksWell_isReadWhole() throws IOException {
        byte[] log = bytes("2026-11-26T10:00:00Z INFO  heartbeat of node-1: no change\n".repeat(280_000)
                + "see https://" + LAST + "/\n");
        byte[] packed = gzip(log);
        assertTrue(log.length / packed.length > 320, "" + log.length / packed.length);

        assertWhole(read("node.log.gz", packed));
        assertWhole(read("node.zip", Zips.deflated("node.log", new String(log, StandardCharsets.ISO_8859_1))));
    }

    @Test
    void manyFilesInAZip_areAllRead() {
        assertWhole(read("photos.zip", zipOf(300, "notes/", ".txt")));
    }

    @Test
    void manySlides_areAllRead() {
        assertWhole(read("training.pptx", zipOf(500, "ppt/slides/slide", ".xml")));
    }

    @Test
    void textOfWindows_isReadOverTheirBounds() {
        for (int before = PartReader.WINDOW_BYTES - 40; before <= PartReader.WINDOW_BYTES + 8; before += 4) {
            String text = ("x".repeat(99) + "\n").repeat(before / 100) + " ".repeat(before % 100);

            assertWhole(
                    read("a.zip", Zips.deflated("a.txt", text + "https://" + LAST + "/path\n" + "y\n".repeat(1000))));
        }
    }

    /// What depends on what is before it is found over the bounds of windows, or is the limit of a text.
    @Test
    void formsOverWindows_areReadOrTheLimit() {
        Map<String, String> forms = Map.of(
                "a.xml paragraph", "<p><r>https://la~st.example/</r></p>",
                "b.xml field", "<instrText>HYPERLINK \"https://la</instrText>~<instrText>st.example/\"</instrText>",
                "c.xml comment", "<!-- # <x --><a href='https://last.example/'/><!-- -->",
                "d.xml text", "<![CDATA[ # <!-- ]]><a href='https://last.example/'/><!-- -->",
                "e.xml attribute", "<a href='https://last.example/#'/>",
                "f.bat script", "set a=https://la\n#\ncurl %a%st.example\n",
                "g.txt markup", "<a title='#' href=https://last.example/>",
                "h.xml entity", "<!DOCTYPE x [<!ENTITY h 'https://last.example/'>]><x>~&h;</x>");
        forms.forEach((name, form) -> {
            String unit = name.contains(".xml") ? "<c>word</c>" : "some words\n";
            for (int filler : FILLERS) {
                for (int lead : LEADS) {
                    String after = unit.repeat(lead / unit.length());
                    String before = form.startsWith("<!DOCTYPE") ? "" : after;
                    String between =
                            form.replace("#", "words ".repeat(filler / 6)).replace("~", "<b/>".repeat(filler / 4));
                    ReadMessage read =
                            read("a.zip", Zips.stored(name.substring(0, 5), bytes(before + between + after)));

                    assertTrue(
                            read.holds(LAST) || !read.limits().isEmpty(),
                            name + " " + lead + " " + filler + " " + read.limits());
                }
            }
        });
    }

    private static void assertWhole(ReadMessage read) {
        assertEquals(Set.of(), read.limits());
        assertTrue(read.holds(Place.ATTACHMENT, LAST) || read.holds(LAST), "the last link");
    }

    private static String url(int row) {
        return "https://" + (row == ROWS ? LAST : "shop.example") + "/order/" + row + "?customer=" + row * 7;
    }

    private static String rows(IntFunction<String> row) {
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i <= ROWS; i++) {
            rows.append(row.apply(i));
        }
        return rows.toString();
    }

    private static byte[] zipOf(int files, String folder, String ending) {
        String[] namesAndTexts = new String[2 * files];
        for (int i = 0; i < files; i++) {
            namesAndTexts[2 * i] = folder + i + ending;
            namesAndTexts[2 * i + 1] = "<p>https://" + (i == files - 1 ? LAST : "host" + i + ".example") + "/</p>";
        }
        return Zips.deflated(namesAndTexts);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static ReadMessage read(String name, byte[] file) {
        return ReadMessage.of(bytes("Content-Type: application/octet-stream; name=" + name
                + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(file) + "\r\n"));
    }
}
