package org.bloomgate.content.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Plain PNG beside the reader of the JDK. Bytes of random rows are differences, so pixels are as random.
class PngOracleTest {
    private static final int PICTURES = 200;

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2", "0, 4", "0, 8", "2, 8", "3, 1", "3, 2", "3, 4", "3, 8", "4, 8", "6, 8"})
    void everyKindIsReadAsByTheJdk(int kind, int bits) throws Exception {
        SplittableRandom random = new SplittableRandom(15L * kind + bits);
        for (int i = 0; i < PICTURES; i++) {
            int opacities = kind == StoredPng.PLACES && i % 2 == 1 ? random.nextInt(1 << bits) : 0;
            alike(new StoredPng(random, kind, bits).bytes(1 << bits, opacities));
        }
    }

    private static void alike(byte[] file) throws Exception {
        List<byte[]> read = pages(read(file));
        List<byte[]> oracle = pages(oracle(file));
        assertEquals(oracle.size(), read.size());
        for (int page = 0; page < oracle.size(); page++) {
            assertArrayEquals(oracle.get(page), read.get(page));
        }
    }

    private static List<byte[]> pages(Samples samples) {
        List<byte[]> pages = new ArrayList<>();
        samples.onPages(true, shades -> pages.add(shades.values().clone()));
        return pages;
    }

    /// One that is whole.
    private static Samples read(byte[] file) {
        Seen seen = new Seen();
        Samples samples = Png.of(file, file.length).orElseThrow().samples(seen);
        assertEquals(Set.of(), seen.limits());
        return samples;
    }

    private static Samples oracle(byte[] file) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
        Optional<IndexColorModel> palette =
                image.getColorModel() instanceof IndexColorModel indexed ? Optional.of(indexed) : Optional.empty();
        return RasterSamples.of(image.getRaster(), palette);
    }

    @Test
    void placesBeyondThePaletteAreBlack() throws Exception {
        byte[] file = new StoredPng(new SplittableRandom(7), StoredPng.PLACES, 8).bytes(1, 0);
        byte[] page = pages(read(file)).getFirst();
        Arrays.sort(page);
        assertEquals(0, page[page.length / 2]);
    }

    @Test
    void whatIsNotPlainIsLeftToTheJdk() {
        byte[] transparentColour = new StoredPng(new SplittableRandom(1), StoredPng.COLOURS, 8).bytes(0, 6);
        assertEquals(Optional.empty(), Png.of(transparentColour, transparentColour.length));
        byte[] plain = new StoredPng(new SplittableRandom(1), StoredPng.COLOURS, 8).bytes(0, 0);
        int bits = 24;
        int interlaced = 28;
        for (int at : new int[] {bits, bits + 1, bits + 2, bits + 3, interlaced}) {
            byte[] other = plain.clone();
            other[at] = 16;
            assertEquals(Optional.empty(), Png.of(other, other.length));
        }
    }

    /// Wherever it is cut: left to the JDK, named, or all of its rows are there.
    @Test
    void aPictureCutOffIsNotReadAsIfItWereWhole() throws Exception {
        byte[] whole = new StoredPng(new SplittableRandom(3), StoredPng.COLOURS_AND_OPACITY, 8).bytes(0, 0);
        for (int length = 8; length < whole.length; length++) {
            namedOr(pages(read(whole)), Arrays.copyOf(whole, length));
        }
    }

    /// Bits of palette and data.
    @ParameterizedTest
    @CsvSource({"0, 1", "0, 8", "2, 8", "3, 4", "6, 8"})
    void damagedDataThrowNothing(int kind, int bits) throws Exception {
        byte[] whole = new StoredPng(new SplittableRandom(4), kind, bits).bytes(1 << bits, 0);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(41, damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Png.of(damaged, damaged.length).ifPresent(png -> pages(png.samples(new Seen())));
        }
    }

    private static void namedOr(List<byte[]> whole, byte[] file) {
        Seen seen = new Seen();
        Optional<Samples> samples = Png.of(file, file.length).map(png -> png.samples(seen));
        if (samples.isPresent() && seen.limits().isEmpty()) {
            List<byte[]> pages = pages(samples.get());
            assertEquals(whole.size(), pages.size());
            for (int page = 0; page < pages.size(); page++) {
                assertArrayEquals(whole.get(page), pages.get(page));
            }
        }
    }
}
