package org.bloomgate.picture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Plain PNG beside the reader of the JDK. Octets of random rows are differences, so pixels are as random.
class PngOracleTest {
    private static final int PICTURES = 200;

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2", "0, 4", "0, 8", "2, 8", "3, 1", "3, 2", "3, 4", "3, 8", "4, 8", "6, 8"})
    void everyKindIsReadAsByTheJdk(int kind, int bits) throws Exception {
        SplittableRandom random = new SplittableRandom(15L * kind + bits);
        for (int i = 0; i < PICTURES; i++) {
            int opacities = kind == StoredPng.PLACES && i % 2 == 1 ? random.nextInt(1 << bits) : 0;
            alike(new StoredPng(random, kind, bits).octets(1 << bits, opacities));
        }
    }

    private static void alike(byte[] file) throws Exception {
        List<byte[]> read = pages(Png.of(file, file.length).orElseThrow().samples());
        List<byte[]> oracle = pages(oracle(file));
        assertEquals(oracle.size(), read.size());
        for (int page = 0; page < oracle.size(); page++) {
            assertArrayEquals(oracle.get(page), read.get(page));
        }
    }

    private static List<byte[]> pages(Samples samples) {
        List<byte[]> pages = new ArrayList<>();
        samples.onPages(shades -> pages.add(shades.values().clone()));
        return pages;
    }

    private static Samples oracle(byte[] file) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
        Optional<IndexColorModel> palette =
                image.getColorModel() instanceof IndexColorModel indexed ? Optional.of(indexed) : Optional.empty();
        return RasterSamples.of(image.getRaster(), palette);
    }

    @Test
    void placesBeyondThePaletteAreBlack() throws Exception {
        byte[] file = new StoredPng(new SplittableRandom(7), StoredPng.PLACES, 8).octets(1, 0);
        byte[] page = pages(Png.of(file, file.length).orElseThrow().samples()).getFirst();
        Arrays.sort(page);
        assertEquals(0, page[page.length / 2]);
    }

    @Test
    void whatIsNotPlainIsLeftToTheJdk() {
        byte[] transparentColour = new StoredPng(new SplittableRandom(1), StoredPng.COLOURS, 8).octets(0, 6);
        assertEquals(Optional.empty(), Png.of(transparentColour, transparentColour.length));
        byte[] plain = new StoredPng(new SplittableRandom(1), StoredPng.COLOURS, 8).octets(0, 0);
        int bits = 24;
        int interlaced = 28;
        for (int at : new int[] {bits, bits + 1, bits + 2, bits + 3, interlaced}) {
            byte[] other = plain.clone();
            other[at] = 16;
            assertEquals(Optional.empty(), Png.of(other, other.length));
        }
    }

    /// Wherever it is cut: left to the JDK, or known not to be whole.
    @Test
    void aPictureCutOffIsNotReadAsIfItWereWhole() {
        byte[] whole = new StoredPng(new SplittableRandom(3), StoredPng.COLOURS_AND_OPACITY, 8).octets(0, 0);
        int end = 16;
        for (int length = 8; length < whole.length - end; length++) {
            Optional<Png> cut = Png.of(Arrays.copyOf(whole, length), length);
            cut.ifPresent(png -> assertThrows(DataFormatException.class, png::samples));
        }
    }

    @Test
    void anUnknownFilterIsDamage() throws Exception {
        byte[] whole = new StoredPng(new SplittableRandom(4), StoredPng.GREY, 8).octets(0, 0);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(41, damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Optional<Png> png = Png.of(damaged, damaged.length);
            if (png.isPresent()) {
                readOrRefused(png.get());
            }
        }
    }

    private static void readOrRefused(Png png) {
        try {
            assertEquals(png.width() * png.height(), pages(png.samples()).getFirst().length);
        } catch (DataFormatException refused) {
            assertTrue(refused.getMessage() == null || !refused.getMessage().isEmpty());
        }
    }
}
