package org.bloomgate.content.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Zip files for tests.
public final class Zips {
    private Zips() {}

    /// @param namesAndTexts a name, its text, a name, ...
    public static byte[] deflated(String... namesAndTexts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < namesAndTexts.length; i += 2) {
                zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
                zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// The same without compression, one member.
    public static byte[] stored(String name, byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            CRC32 sum = new CRC32();
            sum.update(content);
            ZipEntry entry = new ZipEntry(name);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(content.length);
            entry.setCrc(sum.getValue());
            zip.putNextEntry(entry);
            zip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// Where a writer puts the length of a member: into its header, or behind its content with or without a
    /// signature (APPNOTE 4.3.9).
    enum Lengths {
        BEFORE,
        BEHIND,
        BEHIND_WITH_SIGNATURE
    }

    /// Members with the names 0, 1, ... as other writers than Java's write them.
    static byte[] of(int method, Lengths lengths, byte[]... contents) {
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        ByteArrayOutputStream directory = new ByteArrayOutputStream();
        int flags = lengths == Lengths.BEFORE ? 0 : 8;
        for (int i = 0; i < contents.length; i++) {
            byte[] packed = method == 0 ? contents[i] : deflate(contents[i]);
            CRC32 sum = new CRC32();
            sum.update(contents[i]);
            int crc = (int) sum.getValue();
            int header = zip.size();
            boolean before = lengths == Lengths.BEFORE;
            write(zip, "PK\3\4", 20, flags, method, 0, 0);
            fours(zip, before ? crc : 0, before ? packed.length : 0, before ? contents[i].length : 0);
            write(zip, "", 1, 0);
            zip.write('0' + i);
            zip.writeBytes(packed);
            if (!before) {
                write(zip, lengths == Lengths.BEHIND ? "" : "PK\7\10");
                fours(zip, crc, packed.length, contents[i].length);
            }
            write(directory, "PK\1\2", 20, 20, flags, method, 0, 0);
            fours(directory, crc, packed.length, contents[i].length);
            write(directory, "", 1, 0, 0, 0, 0, 0, 0);
            fours(directory, header);
            directory.write('0' + i);
        }
        int start = zip.size();
        zip.writeBytes(directory.toByteArray());
        write(zip, "PK\5\6", 0, 0, contents.length, contents.length);
        fours(zip, directory.size(), start);
        write(zip, "", 0);
        return zip.toByteArray();
    }

    private static byte[] deflate(byte[] content) {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(content);
            deflater.finish();
            byte[] packed = new byte[content.length + 64];
            return Arrays.copyOf(packed, deflater.deflate(packed));
        }
    }

    private static void write(ByteArrayOutputStream to, String signature, int... twos) {
        to.writeBytes(signature.getBytes(StandardCharsets.ISO_8859_1));
        for (int two : twos) {
            to.write(two);
            to.write(two >> 8);
        }
    }

    private static void fours(ByteArrayOutputStream to, int... fours) {
        for (int four : fours) {
            write(to, "", four, four >> 16);
        }
    }
}
