package org.bloomgate.content.mime;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.bloomgate.content.archive.CompoundWriter;
import org.bloomgate.content.document.Tnef;

/// Messages made to be slow: every kind of content in every [Shape], generated. `main` writes them to files, for the
/// acceptance checks that send them to a gateway.
final class HostileShapes {
    /// How content may be more than it looks.
    enum Shape {
        REPEATED,
        NESTED,
        CROSS_REFERENCED,
        INFLATED,
        WIDE,
        DEEP,
        LONG_LINE,
        MANY_SMALL,
        SELF_REFERRING,
        INTERLACED,
        EMPTY,
        CUT_OFF
    }

    /// @param reason why the shape has no meaning for the kind; empty if it has one
    record Row(String kind, Shape shape, String reason, IntFunction<byte[]> message) {
        String name() {
            return kind.toLowerCase(Locale.ROOT) + "-"
                    + shape.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// How a kind that is written as text is composed; one character is a byte. `%d` is a number, `%e` that of
    /// another definition.
    ///
    /// @param definition of something that refers to others; empty if there is none
    private record Grammar(
            String type, String head, String unit, String open, String close, String definition, String attribute) {}

    private static final int INFLATED_BYTES = 64 * 1024 * 1024;
    private static final int DEPTH = 60;

    /// More than a message may hold parts.
    private static final int MANY = 2_000;

    private static final String NO_REFERENCES = "nothing in it refers to anything";
    private static final String NO_SUCH_FORM = "the format has no such form";
    private static final String NOT_READ = "its content is not read";

    /// Readers of a part of the content of a kind, which have rows of their own.
    static final List<String> READERS = List.of("ANNOTATIONS", "CODES", "POWERSHELL");

    private static final Map<String, Grammar> GRAMMARS = new LinkedHashMap<>();

    private static void grammar(String kind, String... of) {
        GRAMMARS.put(kind, new Grammar(of[0], of[1], of[2], of[3], of[4], of[5], of[6]));
    }

    static {
        String use = "<svg><g id=s%d><use href=#s%e /><use href=#s%e /></g></svg>";
        grammar("HTML", "text/html", "", "<a href=http://h%d.example>x</a>", "<div>", "</div>", use, " a%d=x");
        String declared = "<!ENTITY s%d '&s%e;&s%e;'>";
        String relation = "<Relationship Target='http://h%d.example/' TargetMode='External'/>";
        grammar(
                "XML",
                "application/xml",
                "<?xml version='1.0'?><!DOCTYPE a [",
                relation,
                "<a>",
                "</a>",
                declared,
                " a%d='x'");
        grammar("TEXT", "text/plain; charset=utf-8", "", "http://h%d.example ", "(", ")", "", "&a%d=b");
        String related = "UID:s%d\r\nRELATED-TO:s%e\r\n";
        grammar(
                "FOLDED_TEXT",
                "text/calendar",
                "BEGIN:VCALENDAR\r\n",
                "URL:http://h%d.example\r\n",
                "BEGIN:VEVENT\r\n",
                "END:VEVENT\r\n",
                related,
                ";a%d=x");
        String field = "{\\field{\\*\\fldinst HYPERLINK \"http://h%d.example\"}}";
        String mark = "{\\*\\bkmkstart s%d}{\\field{\\*\\fldinst REF s%e}}";
        grammar("RTF", "application/rtf", "{\\rtf1 ", field, "{\\b ", "}", mark, "\\a%d");
        String object = "%d 0 obj<</Kids[%e 0 R]/JS %e 0 R/F1 %e 0 R/ToUnicode %e 0 R/Contents %e 0 R>>endobj\n";
        grammar(
                "PDF",
                "application/pdf",
                "%PDF-1.7\n",
                "/URI(http://h%d.example/)",
                "1 0 obj<<",
                ">>endobj\n",
                object,
                "/A%d 1");
        String threaded = "Message-ID: <s%d@a.example>\r\nReferences: <s%e@a.example>\r\n";
        grammar(
                "MESSAGE",
                "message/rfc822",
                "",
                "Reply-To: =?utf-8?q?a?= <a%d@h.example>\r\n",
                "Content-Type: message/rfc822\r\n\r\n",
                "",
                threaded,
                "X%d: x\r\n");
        String der = "\u0004\u0012http://h.example/\n";
        grammar(
                "CMS",
                "application/pkcs7-mime",
                "0\u0080\u0006\t*\u0086H\u0086\u00f7\r\u0001\u0007\u0002",
                der,
                "0\u0080",
                "\0\0",
                "",
                "\u0006\u0001\u0001");
        grammar(
                "BINARY",
                "application/octet-stream",
                "L\0\0\0\1\u0014\2\0",
                "http://h%d.example\0",
                "{",
                "}",
                "",
                "&a%d=b");
        String annotation = "%d 0 obj<</Subtype/Text/Contents %e 0 R/Popup %e 0 R/RC %e 0 R>>endobj\n";
        grammar(
                "ANNOTATIONS",
                "application/pdf",
                "%PDF-1.7\n",
                "%d 0 obj<</Subtype/FreeText/Contents(see http://h%d.example/)>>endobj\n",
                "1 0 obj<</Contents[",
                "]>>endobj\n",
                annotation,
                "(a%d.example)");
        String code = code("http://a.example/?u=" + code("http://b.example/"));
        grammar(
                "CODES",
                "text/html",
                "",
                "<a href=http://h%d.example/?u=" + code + ">x</a>",
                "<a href=http://h.example/?u=",
                ">",
                "",
                "&u%d=" + code);
        String sum = "$s%d = $s%e + $s%e + 'a'\n";
        grammar(
                "POWERSHELL",
                "application/octet-stream; name=a.ps1",
                "",
                "iwr ('http://h{0}.exa' + 'mple' -f '%d')\n",
                "(",
                ")",
                sum,
                " -replace 'a%d','b'");
    }

    private HostileShapes() {}

    private static String code(String text) {
        return Base64.getUrlEncoder().encodeToString(bytes(text));
    }

    /// Those with a meaning and those without.
    static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        GRAMMARS.forEach((kind, grammar) ->
                Arrays.stream(Shape.values()).forEach(shape -> rows.add(written(kind, grammar, shape))));
        for (String kind : List.of("ZIP", "GZIP", "TAR", "TNEF", "COMPOUND")) {
            Arrays.stream(Shape.values()).forEach(shape -> rows.add(packed(kind, shape)));
        }
        for (String kind : List.of("PNG", "JPEG", "GIF", "BMP")) {
            Arrays.stream(Shape.values()).forEach(shape -> rows.add(drawn(kind, shape)));
        }
        Map.of(
                        "OTHER",
                        "image/tiff\r\n\r\nII*\0",
                        "MEDIA",
                        "audio/mpeg\r\n\r\nID3\u0003",
                        "SEALED",
                        "application/x\r\n\r\nRar!\u001a\u0007\0",
                        "ENCRYPTED",
                        "application/x-rpmsg\r\n\r\nv\u00e8\u0004`\u00c4\u0011\u00e3\u0086")
                .forEach((kind, head) ->
                        Arrays.stream(Shape.values()).forEach(shape -> rows.add(unread(kind, head, shape))));
        return rows;
    }

    private static Row written(String kind, Grammar g, Shape shape) {
        String head = "Content-Type: " + g.type() + "\r\n\r\n" + g.head();
        boolean refers = shape == Shape.CROSS_REFERENCED || shape == Shape.SELF_REFERRING;
        IntFunction<byte[]> message = switch (shape) {
            case REPEATED -> bytes -> filled(head, g.unit().replace("%d", "1"), bytes, g.close());
            case NESTED -> bytes -> nested(head, g, bytes);
            case CROSS_REFERENCED, SELF_REFERRING -> bytes -> defined(head, g, shape, bytes);
            case INFLATED ->
                bytes -> multipart(
                        bytes, file(kind.equals("POWERSHELL") ? "x.ps1.gz" : "x.gz", gzip(zipped(g.head(), g.unit()))));
            case WIDE -> bytes -> filled(head + g.open().replace(">", ""), g.attribute(), bytes, ">" + g.close());
            case DEEP ->
                bytes -> filled("Content-Type: message/rfc822\r\n\r\n".repeat(DEPTH) + head, g.unit(), bytes, "");
            case LONG_LINE -> bytes -> filled(head + g.open(), "x", bytes, g.close());
            case MANY_SMALL -> bytes -> multipart(bytes, head + g.unit().replace("%d", "1") + "\r\n");
            case INTERLACED ->
                bytes -> filled(
                        head,
                        g.open() + g.unit() + g.open().substring(0, g.open().length() / 2) + g.close(),
                        bytes,
                        "");
            case EMPTY -> bytes -> filled(head, g.open() + g.close(), bytes, "");
            case CUT_OFF ->
                bytes -> filled(head, g.open() + g.unit().substring(0, g.unit().length() * 2 / 3), bytes, "");
        };
        return new Row(kind, shape, refers && g.definition().isEmpty() ? NO_REFERENCES : "", message);
    }

    private static byte[] nested(String head, Grammar g, int bytes) {
        int times = bytes / (g.open().length() + g.close().length());
        return bytes(head + g.open().repeat(times) + g.close().repeat(times));
    }

    private static byte[] defined(String head, Grammar g, Shape shape, int bytes) {
        StringBuilder message = new StringBuilder(bytes + 1024).append(head);
        int most = bytes / g.definition().length();
        for (int i = 1; message.length() < bytes; i++) {
            int other = shape == Shape.SELF_REFERRING ? i : (int) (i * 7919L % most) + 1;
            message.append(g.definition().replace("%d", "" + i).replace("%e", "" + other));
        }
        return bytes(message + g.close());
    }

    private static Row packed(String kind, Shape shape) {
        byte[] one = "<a href=http://h.example>".getBytes(StandardCharsets.US_ASCII);
        byte[] zeros = new byte[INFLATED_BYTES / 4];
        String name = "x." + kind.toLowerCase(Locale.ROOT);
        IntFunction<byte[]> message = switch (shape) {
            case REPEATED -> bytes -> multipart(bytes, file(name, wrapped(kind, 100, "a.html", one)));
            case NESTED, DEEP -> bytes -> multipart(bytes, file(name, deep(kind, one)));
            case INFLATED -> bytes -> multipart(bytes, file(name, wrapped(kind, 1, "a.html", zeros)));
            case WIDE -> bytes -> multipart(bytes, file(name, wrapped(kind, 20, "n".repeat(90) + ".html", one)));
            case LONG_LINE ->
                bytes -> multipart(bytes, file(name, wrapped(kind, 1, "a.txt", bytes("x".repeat(bytes / 8)))));
            case MANY_SMALL -> bytes -> multipart(bytes, file(name, wrapped(kind, MANY, "a.txt", new byte[] {'x'})));
            case INTERLACED -> bytes -> multipart(bytes, file(name, interlaced(wrapped(kind, 50, "a.html", one))));
            case EMPTY -> bytes -> multipart(bytes, file(name, wrapped(kind, MANY, "a.txt", new byte[0])));
            case CUT_OFF -> bytes -> multipart(bytes, file(name, half(wrapped(kind, 100, "a.html", one))));
            case CROSS_REFERENCED, SELF_REFERRING ->
                bytes -> multipart(bytes, file(name, overlapping(wrapped("ZIP", 200, "a.html", one))));
        };
        boolean refers = shape == Shape.CROSS_REFERENCED || shape == Shape.SELF_REFERRING;
        boolean plain = shape == Shape.INFLATED && !kind.equals("ZIP") && !kind.equals("GZIP");
        return new Row(kind, shape, refers && !kind.equals("ZIP") ? NO_REFERENCES : plain ? NO_SUCH_FORM : "", message);
    }

    private static byte[] deep(String kind, byte[] one) {
        byte[] inner = one;
        for (int i = 0; i < DEPTH; i++) {
            inner = wrapped(kind, 1, "a" + i + "." + kind.toLowerCase(Locale.ROOT), inner);
        }
        return inner;
    }

    /// The bytes of one half between those of the other.
    private static byte[] interlaced(byte[] bytes) {
        byte[] mixed = new byte[bytes.length / 2 * 2];
        for (int i = 0; i < mixed.length / 2; i++) {
            mixed[2 * i] = bytes[i];
            mixed[2 * i + 1] = bytes[mixed.length / 2 + i];
        }
        System.arraycopy(bytes, 0, mixed, 0, Math.min(16, mixed.length));
        return mixed;
    }

    /// Every entry of the directory leads to the first member.
    private static byte[] overlapping(byte[] zip) {
        for (int i = 0; i + 46 < zip.length; i++) {
            if (zip[i] == 'P' && zip[i + 1] == 'K' && zip[i + 2] == 1 && zip[i + 3] == 2) {
                Arrays.fill(zip, i + 42, i + 46, (byte) 0);
            }
        }
        return zip;
    }

    private static byte[] half(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length / 2);
    }

    private static byte[] wrapped(String kind, int times, String name, byte[] member) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            switch (kind) {
                case "ZIP" -> {
                    ZipOutputStream zip = new ZipOutputStream(out);
                    for (int i = 0; i < times; i++) {
                        zip.putNextEntry(new ZipEntry(i + name));
                        zip.write(member);
                    }
                    zip.close();
                }
                case "GZIP" -> {
                    for (int i = 0; i < times; i++) {
                        out.writeBytes(gzip(member));
                    }
                }
                case "TAR" -> {
                    for (int i = 0; i < times; i++) {
                        byte[] header = new byte[512];
                        System.arraycopy(bytes(i + name), 0, header, 0, (i + name).length());
                        System.arraycopy(bytes("%011o".formatted(member.length)), 0, header, 124, 11);
                        System.arraycopy(bytes("ustar"), 0, header, 257, 5);
                        out.writeBytes(header);
                        out.writeBytes(Arrays.copyOf(member, (member.length + 511) / 512 * 512));
                    }
                }
                case "COMPOUND" -> {
                    CompoundWriter compound = new CompoundWriter();
                    for (int i = 0; i < times; i++) {
                        compound.add("__attach_version1.0_#" + i + "/__substg1.0_3707001E", bytes(name));
                        compound.add("__attach_version1.0_#" + i + "/__substg1.0_37010102", member);
                    }
                    out.writeBytes(compound.write());
                }
                default -> {
                    out.writeBytes(bytes(Tnef.MAGIC + "\1\0"));
                    for (int i = 0; i < times; i++) {
                        out.writeBytes(attribute(0x00018010, bytes(name)));
                        out.writeBytes(attribute(0x0006800f, member));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /// Of TNEF.
    private static byte[] attribute(int id, byte[] value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(2);
        for (int number : new int[] {id, value.length}) {
            for (int i = 0; i < 4; i++) {
                out.write(number >> (8 * i));
            }
        }
        out.writeBytes(value);
        out.writeBytes(new byte[2]);
        return out.toByteArray();
    }

    private static Row drawn(String kind, Shape shape) {
        IntFunction<byte[]> message = switch (shape) {
            case REPEATED -> bytes -> multipart(bytes, file("x", picture(kind, 400, 400, false)));
            case NESTED, DEEP ->
                bytes -> multipart(bytes, file("x.zip", wrapped("ZIP", 20, "x", picture(kind, 300, 300, false))));
            case INFLATED ->
                bytes -> multipart(
                        bytes, file("x", picture(kind, (int) Math.sqrt(bytes), (int) Math.sqrt(bytes), false)));
            case WIDE, LONG_LINE ->
                bytes -> multipart(bytes, file("x", picture(kind, Math.min(60_000, bytes / 100), 30, false)));
            case MANY_SMALL -> bytes -> multipart(bytes, file("x", picture(kind, 30, 30, false)));
            case INTERLACED -> bytes -> multipart(bytes, file("x", picture(kind, 1000, 1000, true)));
            case EMPTY -> bytes -> multipart(bytes, file("x", Arrays.copyOf(picture(kind, 30, 30, false), 26)));
            case CUT_OFF -> bytes -> multipart(bytes, file("x", half(picture(kind, 1000, 1000, false))));
            case CROSS_REFERENCED, SELF_REFERRING -> bytes -> multipart(bytes, file("x", picture(kind, 30, 30, false)));
        };
        boolean refers = shape == Shape.CROSS_REFERENCED || shape == Shape.SELF_REFERRING;
        boolean plain = kind.equals("BMP") && (shape == Shape.INTERLACED || shape == Shape.INFLATED);
        String reason = refers ? NO_REFERENCES : plain ? NO_SUCH_FORM : "";
        return new Row(kind, shape, reason, message);
    }

    private static Row unread(String kind, String head, Shape shape) {
        boolean read = List.of(Shape.REPEATED, Shape.LONG_LINE, Shape.MANY_SMALL, Shape.EMPTY, Shape.CUT_OFF)
                .contains(shape);
        String start = "Content-Type: " + head;
        IntFunction<byte[]> message = switch (shape) {
            case LONG_LINE -> bytes -> filled(start, "x", bytes, "");
            case MANY_SMALL -> bytes -> multipart(bytes, start + "x\r\n");
            case EMPTY -> bytes -> multipart(bytes, start.substring(0, start.indexOf("\r\n\r\n") + 4));
            case CUT_OFF -> bytes -> filled(start, "%PDF-", bytes, "");
            default -> bytes -> filled(start, "\0http://h%d.example\u0001", bytes, "");
        };
        return new Row(kind, shape, read ? "" : NOT_READ, message);
    }

    /// Marks of QR codes in it.
    private static byte[] picture(String format, int width, int height, boolean interlaced) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int ring = Math.max(Math.abs(x / 2 % 8 - 3), Math.abs(y / 2 % 8 - 3));
                image.setRGB(x, y, ring <= 1 || ring == 3 ? 0 : 0xffffff);
            }
        }
        ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
        ImageWriteParam how = writer.getDefaultWriteParam();
        if (interlaced && how.canWriteProgressive()) {
            how.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), how);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] zipped(String head, String unit) {
        return filled(head, unit.replace("%d", "1"), INFLATED_BYTES, "");
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String file(String name, byte[] bytes) {
        return "Content-Type: application/octet-stream; name=" + name + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(bytes) + "\r\n";
    }

    private static byte[] multipart(int bytes, String part) {
        String each = "--b\r\n" + part;
        int times = Math.max(1, bytes / each.length());
        return bytes("Content-Type: multipart/mixed; boundary=b\r\n\r\n" + each.repeat(times) + "--b--\r\n");
    }

    private static byte[] filled(String head, String unit, int bytes, String tail) {
        StringBuilder message = new StringBuilder(bytes + 1024).append(head);
        boolean numbered = unit.contains("%d");
        for (int i = 0; message.length() < bytes; i++) {
            message.append(numbered ? unit.replace("%d", Integer.toString(i)) : unit);
        }
        return bytes(message + tail);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Writes the rows whose number leaves a remainder.
    ///
    /// @param args folder, bytes of each, divisor, remainder
    public static void main(String[] args) throws IOException {
        List<Row> rows = all().stream().filter(row -> row.reason().isEmpty()).toList();
        for (int i = Integer.parseInt(args[3]); i < rows.size(); i += Integer.parseInt(args[2])) {
            Row row = rows.get(i);
            Files.write(Path.of(args[0], row.name() + ".eml"), row.message().apply(Integer.parseInt(args[1])));
        }
    }
}
