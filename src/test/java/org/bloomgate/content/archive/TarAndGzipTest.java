package org.bloomgate.content.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;

class TarAndGzipTest {
    private static byte[] tar(String... namesAndTexts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
            for (int i = 0; i < namesAndTexts.length; i += 2) {
                TarArchiveEntry entry = new TarArchiveEntry(namesAndTexts[i]);
                byte[] content = namesAndTexts[i + 1].getBytes(ISO_8859_1);
                entry.setSize(content.length);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(ISO_8859_1));
        }
        return bytes.toByteArray();
    }

    @Test
    void membersOfATarAreReadLongNamesToo() throws IOException {
        String name = "x".repeat(150) + ".html";
        byte[] tar = tar("a.txt", "hello", name, "<a>");
        Opened opened = new Opened();
        TarWalk.read(tar, tar.length, opened);
        assertEquals(List.of("a.txt=hello", name + "=<a>"), opened.members);
        assertEquals(Set.of(), opened.limits());
    }

    @Test
    void membersBehindTheZerosThatEndATarAreReadToo() throws IOException {
        byte[] tar = joined(tar("a.txt", "one"), tar("b.txt", "two"));
        Opened opened = new Opened();
        TarWalk.read(tar, tar.length, opened);
        assertEquals(List.of("a.txt=one", "b.txt=two"), opened.members);
        assertEquals(Set.of(), opened.limits());
    }

    /// A length in a field of POSIX, which is not heeded, makes a header of what is content.
    @Test
    void aBlockThatHasNotTheSumOfAHeaderIsOpaque() throws IOException {
        byte[] tar = tar("a.txt", "one");
        tar[1]++;
        Opened opened = new Opened();
        TarWalk.read(tar, tar.length, opened);
        assertEquals(1, opened.members.size());
        assertEquals(Set.of("opaque"), opened.limits());
    }

    @Test
    void aMemberOfUnknownTypeIsAFile() throws IOException {
        byte[] tar = tar("a.txt", "one");
        tar[156] = 'Z';
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += i >= 148 && i < 156 ? ' ' : tar[i] & 0xff;
        }
        System.arraycopy(String.format("%06o\0 ", sum).getBytes(ISO_8859_1), 0, tar, 148, 8);
        Opened opened = new Opened();
        TarWalk.read(tar, tar.length, opened);
        assertEquals(List.of("a.txt=one"), opened.members);
        assertEquals(Set.of(), opened.limits());
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void aTarThatEndsWithinAMemberIsOpaque() throws IOException {
        byte[] tar = Arrays.copyOf(tar("a.txt", "x".repeat(2000)), 1024);
        Opened opened = new Opened();
        TarWalk.read(tar, tar.length, opened);
        assertEquals(1, opened.members.size());
        assertEquals(Set.of("opaque"), opened.limits());
    }

    @Test
    void everyMemberOfAGzipIsReadUnderTheNameOfItsFile() throws IOException {
        byte[] both = joined(gzip("one"), gzip("two"));
        Opened opened = new Opened();
        GzipWalk.read("page.html.gz", both, both.length, opened);
        assertEquals(List.of("page.html=one", "page.html=two"), opened.members);
        assertEquals(Set.of(), opened.limits());
    }

    @Test
    void aGzipThatEndsInItsHeaderIsOpaque() {
        byte[] header = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0, 'x'};
        Opened opened = new Opened();
        GzipWalk.read("x.gz", header, header.length, opened);
        assertEquals(Set.of("opaque"), opened.limits());
    }
}
