package org.bloomgate.content.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.limit.Allowance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PicturesTest {
    /// Bytes of a PNG up to the end of its first chunk.
    private static final int PNG_HEADER = 33;

    private static final String LINK = "https://a.example/login?user=somebody@dest.example";
    private static final DrawnCode CODE = DrawnCode.of(LINK, 4);

    private static void isRead(DrawnCode drawn) {
        Seen seen = Seen.in(drawn.as("png"));
        assertEquals(Set.of(LINK), seen.codes);
        assertEquals(Set.of(), seen.limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg", "gif", "bmp"})
    void codeInEachFormat_isRead(String format) {
        Seen seen = Seen.in(CODE.as(format));
        assertEquals(Set.of(LINK), seen.codes);
        assertEquals(Set.of(), seen.limits());
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                BufferedImage.TYPE_BYTE_BINARY,
                BufferedImage.TYPE_BYTE_INDEXED,
                BufferedImage.TYPE_BYTE_GRAY,
                BufferedImage.TYPE_USHORT_GRAY,
                BufferedImage.TYPE_USHORT_565_RGB,
                BufferedImage.TYPE_3BYTE_BGR,
                BufferedImage.TYPE_4BYTE_ABGR
            })
    void codeInEachSampleType_isRead(int type) {
        isRead(new DrawnCode(copied(
                CODE, new BufferedImage(CODE.image().getWidth(), CODE.image().getHeight(), type))));
    }

    @ParameterizedTest
    @ValueSource(doubles = {7, 15, 30, 45, 60, 90, 133, 180, 270, 345})
    void turnedCode_isRead(double degrees) {
        isRead(CODE.turned(degrees));
    }

    @Test
    void reservedBytes_areIgnored() {
        byte[] bmp = CODE.as("bmp");
        Arrays.fill(bmp, 6, 10, (byte) 7);
        Seen seen = Seen.in(bmp);
        assertEquals(Set.of(LINK), seen.codes);
        assertEquals(Set.of(), seen.limits());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 16})
    void modulesOfEachSize_areRead(int module) {
        isRead(DrawnCode.of(LINK, module));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "a longer text that says much ", "much more "})
    void longText_isRead(String text) {
        String much = text.repeat(text.length() == 1 ? 1 : 25);
        assertEquals(Set.of(much), Seen.in(DrawnCode.of(much, 2).as("png")).codes);
    }

    @ParameterizedTest
    @CsvSource({
        "FFFFFF, 000000",
        "202020, 404040",
        "0000AA, FFFF00",
        "B0B0B0, FFFFFF",
        "8B0000, F0E0D0",
        "000000, 30A030"
    })
    void codeInColours_isRead(String dark, String light) {
        isRead(DrawnCode.of(LINK, 4, new Color(Integer.parseInt(dark, 16)), new Color(Integer.parseInt(light, 16))));
    }

    @Test
    void transparentCode_isReadOnLightAndDark() {
        Color nothing = new Color(0, 0, 0, 0);
        isRead(DrawnCode.of(LINK, 4, Color.BLACK, nothing));
        isRead(DrawnCode.of(LINK, 4, Color.WHITE, nothing));
    }

    /// The two colours have the same shade: without heed to the one that is transparent there is nothing to
    /// see.
    @Test
    void transparentColour_showsThePage() {
        BufferedImage page = copied(
                DrawnCode.of(LINK, 4, Color.BLACK, new Color(0, 0, 1)),
                new BufferedImage(CODE.image().getWidth(), CODE.image().getHeight(), BufferedImage.TYPE_3BYTE_BGR));
        byte[] png = new DrawnCode(page).as("png");
        assertEquals(Set.of(), Seen.in(png).codes);
        assertEquals(Set.of(LINK), Seen.in(withTransparentColour(png, 0, 0, 1)).codes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void paletteOfSharedBytes_isRead(int bits) {
        byte[] light = new byte[1 << bits];
        light[light.length - 1] = (byte) 0xff;
        IndexColorModel palette = new IndexColorModel(bits, light.length, light, light, light);
        int type = bits == 8 ? BufferedImage.TYPE_BYTE_INDEXED : BufferedImage.TYPE_BYTE_BINARY;
        BufferedImage page =
                new BufferedImage(CODE.image().getWidth(), CODE.image().getHeight(), type, palette);
        isRead(new DrawnCode(copied(CODE, page)));
    }

    private static BufferedImage copied(DrawnCode drawn, BufferedImage page) {
        page.getGraphics().drawImage(drawn.image(), 0, 0, null);
        return page;
    }

    /// With a tRNS chunk (PNG 11.3.1.1).
    private static byte[] withTransparentColour(byte[] png, int red, int green, int blue) {
        return withChunk(png, "tRNS", new byte[] {0, (byte) red, 0, (byte) green, 0, (byte) blue});
    }

    /// Behind the header.
    private static byte[] withChunk(byte[] png, String name, byte[] content) {
        return ByteBuffer.allocate(png.length + StoredPng.CHUNK_BYTES + content.length)
                .put(png, 0, PNG_HEADER)
                .put(StoredPng.chunk(name, content))
                .put(png, PNG_HEADER, png.length - PNG_HEADER)
                .array();
    }

    @Test
    void codeWithoutMargin_isRead() {
        isRead(DrawnCode.of(DrawnCode.modules(LINK, 0), 5, Color.BLACK, Color.WHITE));
        isRead(DrawnCode.of(DrawnCode.modules(LINK, 0), 5, Color.WHITE, Color.BLACK));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noisyCode_isRead(long seed) {
        isRead(DrawnCode.of(LINK, 8).noisy(0.15, seed));
    }

    @ParameterizedTest
    @CsvSource({"0.63, 0.63", "1.37, 1.37", "1, 1.3", "1.25, 1"})
    void scaledCode_isRead(double wide, double high) {
        isRead(CODE.scaled(wide, high));
    }

    /// As a page shows it in width and height of its own.
    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 1", "8, 1", "1, 2", "1, 3", "1, 4", "0.5, 1", "1, 0.5", "1.5, 1", "1, 1.7"})
    void squeezedCode_isRead(double wide, double high) {
        isRead(CODE.scaled(wide, high));
        isRead(CODE.scaled(wide, high).on(1500, 1300, 90, 50, new Color(0xE8E8F0)));
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "1, 4"})
    void squeezedCode_isReadWhateverItsText(double wide, double high) {
        for (int i = 0; i < 25; i++) {
            String text = "https://h" + i + ".example/";
            assertEquals(
                    Set.of(text),
                    Seen.in(DrawnCode.of(text, 3).scaled(wide, high).as("png")).codes);
        }
    }

    @Test
    void codeInALargePage_isFound() {
        isRead(CODE.on(1800, 1200, 1400, 900, new Color(0xE8E8F0)));
    }

    @Test
    void severalCodes_areAllRead() {
        BufferedImage page = DrawnCode.page(900, 700, Color.WHITE);
        Graphics2D pen = page.createGraphics();
        Set<String> texts = new TreeSet<>();
        for (int i = 0; i < 12; i++) {
            String text = "https://h" + i + ".example/";
            texts.add(text);
            pen.drawImage(DrawnCode.of(text, 4 + i % 3).image(), i % 4 * 220, i / 4 * 220, null);
        }
        pen.dispose();
        assertEquals(texts, Seen.in(new DrawnCode(page).as("png")).codes);
    }

    @Test
    void imagesTooSmallForACode_areNotCounted() {
        Seen seen = new Seen();
        byte[] dot = new DrawnCode(DrawnCode.page(20, 2000, Color.WHITE)).as("gif");
        for (int i = 0; i < 100; i++) {
            seen.look(dot);
        }
        seen.look(CODE.as("png"));
        assertEquals(Set.of(LINK), seen.codes);
        assertEquals(Set.of(), seen.limits());
    }

    @Test
    void imagesBeyondTheBound_nameTheLimit() {
        Seen seen = new Seen();
        byte[] page = new DrawnCode(DrawnCode.page(30, 30, Color.WHITE)).as("png");
        for (int i = 0; i < Allowance.MAX_PICTURES; i++) {
            seen.look(page);
        }
        assertEquals(Set.of(), seen.limits());
        seen.look(page);
        assertEquals(Set.of("pictures"), seen.limits());
    }

    @Test
    void damagedImages_areCounted() {
        Seen seen = new Seen();
        byte[] damaged = Arrays.copyOf(CODE.as("png"), 8);
        for (int i = 0; i < Allowance.MAX_PICTURES; i++) {
            seen.look(damaged);
        }
        assertEquals(Set.of("pictureFormat"), seen.limits());
        seen.look(damaged);
        assertEquals(Set.of("pictureFormat", "pictures"), seen.limits());
    }

    @Test
    void bytesBeyondTheBound_nameTheLimit() {
        byte[] full = Arrays.copyOf(CODE.as("png"), Allowance.MAX_PICTURE_BYTES);
        Seen seen = Seen.in(full);
        assertEquals(Set.of(), seen.limits());
        seen.look(CODE.as("png"));
        assertEquals(Set.of("pictureBytes"), seen.limits());
    }

    @Test
    void pixels_areBoundedByTheHeader() {
        assertEquals(Set.of("pictureFormat"), Seen.in(headed(6000, 3000)).limits());
        assertEquals(Set.of("picturePixels"), Seen.in(headed(6000, 3001)).limits());
        assertEquals(Set.of("picturePixels"), Seen.in(headed(30_000, 30_000)).limits());
        assertEquals(
                Set.of("picturePixels"),
                Seen.in(headed(Integer.MAX_VALUE, Integer.MAX_VALUE)).limits());
    }

    @Test
    void sampleBytes_areBoundedByTheHeader() {
        byte[] deep = headed(4000, 4000);
        deep[24] = 16;
        deep[25] = 6;
        assertEquals(Set.of("picturePixels"), Seen.in(deep).limits());
    }

    /// A PNG that says it is so wide and high.
    private static byte[] headed(int width, int height) {
        byte[] png = CODE.as("png");
        ByteBuffer.wrap(png).putInt(16, width).putInt(20, height);
        return png;
    }

    @Test
    void damagedOrUnknownImage_namesTheLimit() {
        assertEquals(
                Set.of("pictureFormat"),
                Seen.in(Arrays.copyOf(CODE.as("png"), 60)).limits());
        byte[] webp = "RIFF\0\0\0\0WEBPVP8 ".getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Set.of("pictureFormat"), Seen.in(webp).limits());
        byte[] icon = "\0\0\1\0\1\0\20\20\0\0\1\0\40\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Set.of("pictureFormat"), Seen.in(icon).limits());
    }

    @Test
    void imageFullOfMarks_endsWithItsLimit() {
        BufferedImage page = DrawnCode.page(1800, 1800, Color.WHITE);
        Graphics2D pen = page.createGraphics();
        BufferedImage mark = CODE.image().getSubimage(16, 16, 28, 28);
        for (int at = 0; at < 60 * 60; at++) {
            pen.drawImage(mark, at % 60 * 30, at / 60 * 30, null);
        }
        pen.dispose();
        assertEquals(Set.of("qrMarks"), Seen.in(new DrawnCode(page).as("png")).limits());
    }

    /// Its samples take more than the heap of a message: every second of every second row is read.
    @Test
    void photoOf17MillionPixels_isRead() {
        DrawnCode code = DrawnCode.of(LINK, 40);
        BufferedImage photo = new BufferedImage(4_700, 3_600, BufferedImage.TYPE_BYTE_GRAY);
        Graphics2D graphics = photo.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, photo.getWidth(), photo.getHeight());
        graphics.drawImage(code.image(), 100, 100, null);
        graphics.dispose();
        Seen seen = Seen.in(new DrawnCode(photo).as("jpeg"));
        assertEquals(Set.of(), seen.limits());
        assertEquals(Set.of(LINK), seen.codes);
    }
}
