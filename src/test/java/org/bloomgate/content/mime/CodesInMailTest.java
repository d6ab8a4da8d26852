package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.bloomgate.content.image.DrawnCode;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Allowance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodesInMailTest {
    private static final DrawnCode CODE = DrawnCode.of("https://a.example/x", 3);

    private static String part(String type, byte[] bytes) {
        return "Content-Type: " + type + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(bytes) + "\r\n";
    }

    private static ReadMessage mail(String type, byte[] bytes) {
        return ReadMessage.of(part(type, bytes).getBytes(StandardCharsets.US_ASCII));
    }

    private static void isFound(ReadMessage mail) {
        assertTrue(mail.holds(Place.QR, "a.example"), () -> mail.toString());
        assertEquals(Set.of(), mail.limits());
    }

    @ParameterizedTest
    @CsvSource({"image/png, png", "image/jpeg, jpeg", "application/octet-stream, gif", "text/plain, bmp"})
    void image_isReadUnderAnyType(String type, String format) {
        isFound(mail(type, CODE.as(format)));
    }

    /// Which modules are dark, by rows.
    private static List<BitSet> rows() {
        return CODE.rows(3);
    }

    private static String drawn(Function<BitSet, String> row, String before, String after) {
        return rows().stream().map(row).collect(Collectors.joining("", before, after));
    }

    private static String cells(BitSet row, String dark, String light) {
        return IntStream.range(0, CODE.side(3))
                .mapToObj(x -> row.get(x) ? dark : light)
                .collect(Collectors.joining());
    }

    static Stream<String> drawings() {
        String sheet = "<style>td{width:4px;height:4px} .d{background:#000}</style>";
        int side = CODE.side(3);
        String runs = drawn(
                row -> {
                    StringBuilder cells = new StringBuilder("<tr height=4>");
                    for (int x = 0; x < side; ) {
                        int end = row.get(x) ? row.nextClearBit(x) : row.nextSetBit(x);
                        end = end < 0 ? side : Math.min(end, side);
                        cells.append("<td colspan=")
                                .append(end - x)
                                .append(row.get(x) ? " bgcolor=black>" : " bgcolor=white>");
                        x = end;
                    }
                    return cells.append("</tr>").toString();
                },
                "<table cellspacing=0>",
                "</table>");
        List<String> shadows = new ArrayList<>();
        List<String> rectangles = new ArrayList<>();
        List<String> placed = new ArrayList<>();
        StringBuilder path = new StringBuilder();
        StringBuilder lines = new StringBuilder();
        for (int y = 0; y < side; y++) {
            for (int x = rows().get(y).nextSetBit(0); x >= 0; x = rows().get(y).nextSetBit(x + 1)) {
                shadows.add(4 * x + "px " + 4 * y + "px 0 2px #000");
                rectangles.add("<rect x='" + x + "' y='" + y + "' width='1' height='1'/>");
                placed.add("<div style='position:absolute;left:" + 4 * x + "px;top:" + 4 * y
                        + "px;width:4px;height:4px;background:navy'></div>");
                path.append("M").append(x).append(' ').append(y).append("h1v1h-1z");
                lines.append("M").append(x).append(' ').append(y).append(".5h1");
            }
        }
        return Stream.of(
                drawn(
                        row -> "<tr>" + cells(row, "<td width=4 height=4 bgcolor=#000>", "<td width=4 height=4>")
                                + "</tr>",
                        "<table>",
                        "</table>"),
                drawn(row -> "<tr>" + cells(row, "<td class=d>", "<td>") + "</tr>", sheet + "<table>", "</table>"),
                drawn(
                        row -> "<table><tr>" + cells(row, "<td style='background-color:rgb(0,0,0)'>", "<td>")
                                + "</tr></table>",
                        "",
                        ""),
                runs,
                drawn(
                        row -> "<div>"
                                + cells(
                                        row,
                                        "<span style='display:inline-block;width:5px;height:5px;background:black'></span>",
                                        "<span style='display:inline-block;width:5px;height:5px;background:#fff'></span>")
                                + "</div>",
                        "",
                        ""),
                drawn(
                        row -> cells(
                                row,
                                "<i style='width:4px;height:4px;background:#111'></i>",
                                "<i style='width:4px;height:4px'></i>"),
                        "<div style='display:grid;grid-template-columns:repeat(" + side + ",4px)'>",
                        "</div>"),
                "<div style='width:1px;height:1px;box-shadow:" + String.join(",", shadows) + "'></div>",
                String.join("", placed),
                "<svg viewBox='0 0 40 40'><rect width='100%' height='100%' fill='white'/>" + String.join("", rectangles)
                        + "</svg>",
                "<svg viewBox='0 0 40 40'><path d='" + path + "'/></svg>",
                "<svg viewBox='0 0 40 40'><path stroke='#000' d='" + lines + "'/></svg>");
    }

    @ParameterizedTest
    @MethodSource("drawings")
    void codeDrawnByMarkup_isRead(String html) {
        isFound(ReadMessage.html("<p>Scan</p>" + html + "<p>or call</p>"));
    }

    @Test
    void codeSplitIntoTwoImages_isRead() {
        BufferedImage whole = CODE.image();
        int half = whole.getWidth() / 2;
        DrawnCode left = new DrawnCode(whole.getSubimage(0, 0, half, whole.getHeight()));
        DrawnCode right = new DrawnCode(whole.getSubimage(half, 0, whole.getWidth() - half, whole.getHeight()));
        String boundary = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
        isFound(ReadMessage.of((boundary + "--b\r\n" + part("image/png", left.as("png")) + "--b\r\n"
                        + part("image/png", right.as("png")) + "--b--\r\n")
                .getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void codeDrawnOnAPdfPage_isRead() {
        StringBuilder page = new StringBuilder("0 g ");
        int side = CODE.side(3);
        for (int y = 0; y < side; y++) {
            for (int x = rows().get(y).nextSetBit(0); x >= 0; x = rows().get(y).nextSetBit(x + 1)) {
                page.append(100 + 2 * x).append(' ').append(500 - 2 * y).append(" 2 2 re f ");
            }
        }
        String pdf = "%PDF-1.4\n3 0 obj <</Contents 4 0 R>> endobj 4 0 obj <</Length " + page.length() + ">> stream\n"
                + page + "\nendstream endobj\n";
        isFound(mail("application/pdf", pdf.getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "image/png;base64",
                "image/png; base64",
                "image/png;\tBASE64 ",
                "application/octet-stream;base64",
                "text/plain;base64",
                "image/svg+xml;base64",
                ";base64"
            })
    void imageInADataUrl_isRead(String type) {
        isFound(ReadMessage.html(
                "<p>Scan <img src=\"data:" + type + "," + Base64.getEncoder().encodeToString(CODE.as("png")) + "\">"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "", "application/octet-stream"})
    void imageInAnEscapedDataUrl_isRead(String type) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : CODE.as("png")) {
            escaped.append(String.format("%%%02x", b));
        }
        isFound(ReadMessage.html("<p>Scan <img src=\"data:" + type + "," + escaped + "\">"));
    }

    @Test
    void imageInADocument_isRead() {
        isFound(mail("application/octet-stream", zipped("word/media/image1.png", CODE.as("png"))));
        isFound(mail("application/octet-stream", zipped("Pictures/1000.jpg", CODE.as("jpeg"))));
    }

    private static byte[] zipped(String name, byte[] bytes) {
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream members = new ZipOutputStream(zip)) {
            members.putNextEntry(new ZipEntry(name));
            members.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zip.toByteArray();
    }

    @Test
    void imageInAPdf_isRead() {
        int side = CODE.image().getWidth();
        byte[] grey = new byte[side * side];
        byte[] colours = new byte[grey.length * 3];
        byte[] bits = new byte[(side + 7) / 8 * side];
        for (int i = 0; i < grey.length; i++) {
            byte shade = (byte) CODE.image().getRGB(i % side, i / side);
            grey[i] = shade;
            colours[3 * i] = shade;
            colours[3 * i + 1] = shade;
            colours[3 * i + 2] = shade;
            bits[i / side * ((side + 7) / 8) + i % side / 8] |= (byte) (shade == 0 ? 0 : 0x80 >> i % side % 8);
        }
        isFound(pdf("/DCTDecode", "8", CODE.as("jpeg")));
        isFound(pdf("/FlateDecode", "8", deflated(grey)));
        isFound(pdf("/FlateDecode", "8", deflated(colours)));
        isFound(pdf("/FlateDecode", "1", deflated(bits)));
        assertEquals(Set.of("pictureFormat"), pdf("/JBIG2Decode", "1", bits).limits());
        assertEquals(
                Set.of("pictureFormat"),
                pdf("/FlateDecode", "8", deflated(bits)).limits());
    }

    private static ReadMessage pdf(String filter, String bits, byte[] stream) {
        int side = CODE.image().getWidth();
        ByteArrayOutputStream pdf = new ByteArrayOutputStream();
        pdf.writeBytes(("%PDF-1.7\n4 0 obj<</Type/XObject/Subtype/Image/Width " + side + "/Height " + side
                        + "/ColorSpace 5 0 R/BitsPerComponent " + bits + "/Filter[" + filter + "]>>stream\n")
                .getBytes(StandardCharsets.US_ASCII));
        pdf.writeBytes(stream);
        pdf.writeBytes("\nendstream endobj\n".getBytes(StandardCharsets.US_ASCII));
        return mail("application/pdf", pdf.toByteArray());
    }

    private static byte[] deflated(byte[] bytes) {
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return deflated.toByteArray();
    }

    @Test
    void codeDrawnInText_isRead() {
        StringBuilder drawn = new StringBuilder();
        for (int y = 1; y < CODE.image().getHeight(); y += 3) {
            for (int x = 1; x < CODE.image().getWidth(); x += 3) {
                drawn.append((CODE.image().getRGB(x, y) & 1) == 0 ? "\u2588\u2588" : "  ");
            }
            drawn.append('\n');
        }
        isFound(ReadMessage.text("Scan:\n" + drawn));
        isFound(ReadMessage.html("<pre>" + drawn.toString().replace(" ", "&nbsp;") + "</pre>"));
    }

    @ParameterizedTest
    @CsvSource({
        "HTTPS://A.EXAMPLE/PAY, a.example",
        "MATMSG:TO:u@a.example;SUB:x;BODY:y;;, a.example",
        "mailto:u@a.example?subject=x, a.example",
        "MEBKM:TITLE:x;URL:https\\://a.example/;;, a.example",
        "a.example.com/pay, a.example.com",
        "https://paypal.com@a.example/, a.example"
    })
    void textThatACameraOpens_isFound(String text, String host) {
        assertTrue(mail("image/png", DrawnCode.of(text, 3).as("png")).holds(Place.QR, host));
    }

    @Test
    void imageBeyondItsBound_namesTheLimit() {
        byte[] tooLong = new byte[Allowance.MAX_PICTURE_BYTES + 1];
        byte[] png = CODE.as("png");
        System.arraycopy(png, 0, tooLong, 0, png.length);
        assertEquals(Set.of("pictureBytes"), mail("image/png", tooLong).limits());
    }
}
