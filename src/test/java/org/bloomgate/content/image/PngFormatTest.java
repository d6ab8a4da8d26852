package org.bloomgate.content.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.bloomgate.core.limit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// PNG that break the rules (ISO 15948): what clients show of them is looked at, and what is not is named.
class PngFormatTest {
    private static final String LINK = "https://phish.example/login";
    private static final DrawnCode CODE = DrawnCode.of(LINK, 4);
    private static final int SIDE = CODE.image().getWidth();
    private static final byte[] BLACK_AND_WHITE = {0, 0, 0, -1, -1, -1};
    private static final byte[] NO_TEXT = {};
    private static final byte[] TEXT_WITHOUT_KEYWORD = new byte[9];

    /// Chunks of a file, in their order.
    private final ByteArrayOutputStream chunks = new ByteArrayOutputStream();

    private static Seen named(Limit... limits) {
        Seen seen = new Seen();
        seen.codes.add(LINK);
        List.of(limits).forEach(seen::reached);
        return seen;
    }

    private static void assertSeen(Seen expected, byte[] file) {
        Seen seen = Seen.in(file);
        assertEquals(expected.codes, seen.codes);
        assertEquals(expected.limits(), seen.limits());
    }

    private PngFormatTest with(String name, byte[] content) {
        chunks.writeBytes(StoredPng.chunk(name, content));
        return this;
    }

    private byte[] file() {
        byte[] mark = {(byte) 137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
        byte[] all = chunks.toByteArray();
        chunks.reset();
        return ByteBuffer.allocate(mark.length + all.length).put(mark).put(all).array();
    }

    private PngFormatTest begun(int kind, int bits) {
        byte[] header = ByteBuffer.allocate(13)
                .putInt(SIDE)
                .putInt(SIDE)
                .put((byte) bits)
                .put((byte) kind)
                .array();
        return with("IHDR", header);
    }

    private PngFormatTest ended(byte[] data) {
        return with("IDAT", data).with("IEND", NO_TEXT);
    }

    /// Rows of the code, or white ones.
    ///
    /// @param pixel bytes of a black one and of a white one, one after the other
    private static byte[] rows(byte[] pixel, boolean blank) {
        int bytes = pixel.length / 2;
        ByteBuffer rows = ByteBuffer.allocate(SIDE * (1 + SIDE * bytes));
        for (int y = 0; y < SIDE; y++) {
            rows.put((byte) 0);
            for (int x = 0; x < SIDE; x++) {
                boolean white = blank || (CODE.image().getRGB(x, y) & 0xff) != 0;
                rows.put(pixel, white ? bytes : 0, bytes);
            }
        }
        return rows.array();
    }

    private static byte[] deflated(byte[] rows) {
        Deflater deflater = new Deflater();
        deflater.setInput(rows);
        deflater.finish();
        byte[] deflated = new byte[rows.length + 1000];
        int length = deflater.deflate(deflated);
        deflater.end();
        return Arrays.copyOf(deflated, length);
    }

    private static byte[] greys() {
        return rows(new byte[] {0, -1}, false);
    }

    private static byte[] places() {
        return deflated(rows(new byte[] {0, 1}, false));
    }

    private static byte[] coloursAndOpacity(int bits) {
        byte[] pixel = new byte[bits];
        Arrays.fill(pixel, bits / 2, bits, (byte) -1);
        Arrays.fill(pixel, bits / 2 - bits / 8, bits / 2, (byte) -1);
        return pixel;
    }

    /// A reader that takes the content of the first chunk for chunks finds a blank picture in it.
    @ParameterizedTest
    @ValueSource(ints = {8, 16})
    void misplacedOpacities_hideNoImage(int bits) {
        byte[] pixel = coloursAndOpacity(bits);
        byte[] blank = StoredPng.chunk("IDAT", deflated(rows(pixel, true)));
        byte[] hiding = ByteBuffer.allocate(4 + blank.length)
                .put(new byte[4])
                .put(blank)
                .array();
        begun(StoredPng.COLOURS_AND_OPACITY, bits).with("tRNS", hiding);
        assertSeen(named(), ended(deflated(rows(pixel, false))).file());
    }

    /// Of 16 bits, so that the JDK's reader has to look at it.
    @Test
    void misplacedOrMissizedChunk_hidesNoImage() {
        byte[] pixel = {0, 0, -1, -1};
        byte[] blank = StoredPng.chunk("IDAT", deflated(rows(pixel, true)));
        for (int before : new int[] {4, 6}) {
            byte[] hiding = ByteBuffer.allocate(before + blank.length)
                    .put(new byte[before])
                    .put(blank)
                    .array();
            for (String name : new String[] {"PLTE", "tRNS"}) {
                begun(StoredPng.GREY, 16).with(name, hiding);
                assertSeen(named(), ended(deflated(rows(pixel, false))).file());
            }
        }
    }

    /// Two palettes are left to the JDK's reader, which takes the second for chunks.
    @Test
    void firstOfTwoPalettes_isUsed() {
        begun(StoredPng.PLACES, 8).with("PLTE", BLACK_AND_WHITE).with("PLTE", new byte[100]);
        assertSeen(named(), ended(places()).file());
    }

    @Test
    void paletteOpacities_hideNothingThatAClientShows() {
        byte[] transparent = new byte[2];
        byte[] opaque = {-1, -1};
        begun(StoredPng.PLACES, 8).with("PLTE", BLACK_AND_WHITE).with("tRNS", transparent);
        assertSeen(named(), ended(places()).file());
        begun(StoredPng.PLACES, 8).with("PLTE", BLACK_AND_WHITE).with("tRNS", new byte[3]);
        assertSeen(named(), ended(places()).file());
        begun(StoredPng.PLACES, 8)
                .with("PLTE", BLACK_AND_WHITE)
                .with("tRNS", opaque)
                .with("tRNS", transparent);
        assertSeen(named(), ended(places()).file());
        begun(StoredPng.PLACES, 8).with("tRNS", transparent).with("PLTE", BLACK_AND_WHITE);
        assertSeen(named(), ended(places()).file());
        begun(StoredPng.PLACES, 8).with("PLTE", BLACK_AND_WHITE).with("tRNS", new byte[Palette.PLACES + 1]);
        assertSeen(named(), ended(places()).file());
    }

    @Test
    void furtherFramesOfAnAnimation_nameTheLimit() {
        begun(StoredPng.GREY, 8).with("acTL", new byte[8]);
        assertSeen(named(Limit.PICTURE_FORMAT), ended(deflated(greys())).file());
        begun(StoredPng.COLOURS_AND_OPACITY, 16).with("acTL", new byte[8]);
        assertSeen(
                named(Limit.PICTURE_FORMAT),
                ended(deflated(rows(coloursAndOpacity(16), false))).file());
        begun(StoredPng.GREY, 8).with("IDAT", deflated(greys())).with("acTL", new byte[8]);
        assertSeen(named(), file());
    }

    /// Shown by every client, though the text has no keyword: plain, and one that the JDK's reader has to look at.
    @Test
    void invalidTextChunk_hidesNoImage() throws IOException {
        begun(StoredPng.PLACES, 8).with("tEXt", TEXT_WITHOUT_KEYWORD).with("PLTE", BLACK_AND_WHITE);
        assertSeen(named(), ended(places()).file());
        byte[] interlaced = interlaced();
        assertEquals(Optional.empty(), Png.of(interlaced, interlaced.length));
        int header = 33;
        byte[] text = StoredPng.chunk("tEXt", TEXT_WITHOUT_KEYWORD);
        byte[] file = ByteBuffer.allocate(interlaced.length + text.length)
                .put(interlaced, 0, header)
                .put(text)
                .put(interlaced, header, interlaced.length - header)
                .array();
        assertSeen(named(), file);
    }

    private static byte[] interlaced() throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ImageOutputStream stream = ImageIO.createImageOutputStream(file)) {
            ImageWriteParam interlaced = writer.getDefaultWriteParam();
            interlaced.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
            writer.setOutput(stream);
            writer.write(null, new IIOImage(CODE.image(), null, null), interlaced);
        } finally {
            writer.dispose();
        }
        return file.toByteArray();
    }

    @Test
    void chunkLengthBeyondTheFile_isCutToTheFile() {
        byte[] data = deflated(greys());
        byte[] file = begun(StoredPng.GREY, 8).with("IDAT", data).file();
        int length = 33;
        ByteBuffer.wrap(file).putInt(length, data.length + 16);
        assertSeen(named(), file);
    }

    @Test
    void rowsBeforeDamage_areRead() {
        byte[] data = deflated(greys());
        data[data.length - 1] ^= 1;
        assertSeen(
                named(Limit.PICTURE_FORMAT),
                begun(StoredPng.GREY, 8).ended(data).file());
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 255})
    void unknownFilter_isDamage(int filter) {
        byte[] last = greys();
        last[last.length - 1 - SIDE] = (byte) filter;
        assertSeen(
                named(Limit.PICTURE_FORMAT),
                begun(StoredPng.GREY, 8).ended(deflated(last)).file());
        byte[] first = greys();
        first[0] = (byte) filter;
        Seen none = new Seen();
        none.reached(Limit.PICTURE_FORMAT);
        assertSeen(none, begun(StoredPng.GREY, 8).ended(deflated(first)).file());
    }

    @Test
    void imageData_endsAtAnotherChunk() {
        byte[] data = deflated(greys());
        begun(StoredPng.GREY, 8).with("IDAT", Arrays.copyOf(data, 40)).with("prVt", NO_TEXT);
        Seen none = new Seen();
        none.reached(Limit.PICTURE_FORMAT);
        assertSeen(none, ended(Arrays.copyOfRange(data, 40, data.length)).file());
    }

    @Test
    void oddPalette_isLeftToTheJdk() {
        for (int bytes : new int[] {0, 2, 3 * (Palette.PLACES + 1)}) {
            leftToTheJdk(begun(StoredPng.PLACES, 8).with("PLTE", new byte[bytes]));
        }
        leftToTheJdk(begun(StoredPng.PLACES, 8));
        leftToTheJdk(begun(StoredPng.PLACES, 8).with("PLTE", BLACK_AND_WHITE).with("PLTE", BLACK_AND_WHITE));
    }

    private static void leftToTheJdk(PngFormatTest begun) {
        byte[] file = begun.ended(places()).file();
        assertEquals(Optional.empty(), Png.of(file, file.length));
    }
}
