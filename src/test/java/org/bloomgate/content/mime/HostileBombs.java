package org.bloomgate.content.mime;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;

/// Messages that are small and hold much: archives, pictures. They may cost more than others, whatever their size.
final class HostileBombs {
    private static final int PIXELS = 6_000_000;
    private static final int PICTURES = 20;

    /// Modules a side of a mark of QR codes and the light beside it.
    private static final int MARK = 8;

    private HostileBombs() {}

    static Map<String, IntFunction<byte[]>> all() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        Random random = new Random(7);
        Map<String, IntBinaryOperator> shades = new LinkedHashMap<>();
        shades.put("noise", (_, _) -> random.nextInt(1 << 24));
        shades.put("chequers", (x, y) -> (x / 3 + y / 3) % 2 == 0 ? 0 : 0xffffff);
        shades.put("marks", (x, y) -> isDark(x, y, 2) ? 0 : 0xffffff);
        shades.put("grey marks", (x, y) -> (isDark(x, y, 3) ? 0x202020 : 0xa0a0a0) + (x * 7 + y * 13) % 64 * 0x10101);
        shades.put("marks in noise", (x, y) -> random.nextInt(9) == 0 ? 0x808080 : isDark(x, y, 4) ? 0 : 0xffffff);
        shades.forEach((name, shade) -> {
            all.put("bomb picture of " + name, _ -> multipart(1, shade));
            all.put("bomb pictures of " + name, _ -> multipart(PICTURES, shade));
        });
        all.put("bomb zip of zeros", _ -> attached("x.zip", zipped(new byte[8 * 1024 * 1024])));
        all.put("bomb zip of links", _ -> attached("x.zip", zipped("<a href=http://a.example>", 300_000)));
        String relation = "<Relationship Target='http://a.example/' TargetMode='External'/>";
        all.put("bomb zip of relations", _ -> attached("x.docx", zipped(relation, 100_000)));
        all.put("bomb zip of PDFs", _ -> zipOfPdfs(300));
        all.put("bomb zip of compressed messages", _ -> attached("x.zip", copies(300, "a.p7m", compressedMessage())));
        all.put("bomb zip of long pictures", _ -> attached("x.zip", copies(40, "a.png", longPicture())));
        return all;
    }

    /// PDFs of which each inflates as much as one PDF may.
    static byte[] zipOfPdfs(int count) {
        return attached("x.zip", copies(count, "a.pdf", inflatingPdf()));
    }

    /// A PDF of 4 KB for each of four streams, which inflate to 4 MB.
    private static byte[] inflatingPdf() {
        ByteArrayOutputStream pdf = new ByteArrayOutputStream();
        pdf.writeBytes("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII));
        byte[] packed = HostileMessages.deflated(" ".repeat(4 << 20).getBytes(StandardCharsets.US_ASCII));
        for (int i = 1; i <= 4; i++) {
            pdf.writeBytes(
                    (i + " 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\n").getBytes(StandardCharsets.US_ASCII));
            pdf.writeBytes(packed);
            pdf.writeBytes("\nendstream endobj\n".getBytes(StandardCharsets.US_ASCII));
        }
        return pdf.toByteArray();
    }

    /// A message of 8 KB of CMS, which inflates to 8 MB.
    private static byte[] compressedMessage() {
        byte[] packed = HostileMessages.deflated(new byte[8 << 20]);
        String type = "\u0006\u000b*\u0086H\u0086\u00f7\r\u0001\t\u0010\u0001\t";
        String head = "0\u0080" + type + "\u00a0\u00800\u0080\u0002\u0001\0" + "0\u0080\0\0" + "0\u0080"
                + "\u0006\t*\u0086H\u0086\u00f7\r\u0001\u0007\u0001\u00a0\u0080\u0004\u0082"
                + (char) (packed.length >> 8) + (char) (packed.length & 0xff);
        ByteArrayOutputStream cms = new ByteArrayOutputStream();
        cms.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        cms.writeBytes(packed);
        cms.writeBytes(new byte[10]);
        return cms.toByteArray();
    }

    /// A picture of 8 x 8 pixels and 7 MB behind it.
    private static byte[] longPicture() {
        byte[] picture = picture(8, (_, _) -> 0);
        byte[] noise = new byte[22_000];
        new Random(3).nextBytes(noise);
        byte[] whole = Arrays.copyOf(picture, 7 << 20);
        System.arraycopy(noise, 0, whole, picture.length, noise.length);
        return whole;
    }

    private static byte[] copies(int count, String name, byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < count; i++) {
                zip.putNextEntry(new ZipEntry(i + name));
                zip.write(content);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static boolean isDark(int x, int y, int module) {
        int column = x / module % MARK;
        int row = y / module % MARK;
        int ring = Math.max(Math.abs(column - 3), Math.abs(row - 3));
        return ring <= 1 || ring == 3;
    }

    private static byte[] multipart(int pictures, IntBinaryOperator shade) {
        int side = (int) Math.sqrt(PIXELS / (double) pictures);
        StringBuilder message = new StringBuilder("Content-Type: multipart/mixed; boundary=b\r\n\r\n");
        for (int i = 0; i < pictures; i++) {
            message.append("--b\r\n").append(part("x.png", picture(side, shade)));
        }
        return message.append("--b--\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] picture(int side, IntBinaryOperator shade) {
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                image.setRGB(x, y, shade.applyAsInt(x, y));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] zipped(String unit, int times) {
        return zipped(unit.repeat(times).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] zipped(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("word/x.xml"));
            zip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] attached(String name, byte[] bytes) {
        return part(name, bytes).getBytes(StandardCharsets.US_ASCII);
    }

    private static String part(String name, byte[] bytes) {
        return "Content-Type: application/octet-stream; name=" + name + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(bytes) + "\r\n";
    }
}
