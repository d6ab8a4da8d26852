package org.bloomgate.content.mime;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        return all;
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
