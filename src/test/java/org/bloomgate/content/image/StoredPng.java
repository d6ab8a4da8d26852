package org.bloomgate.content.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Writes a PNG of random pixels (ISO 15948) as no writer would: every filter by turns, the data in pieces.
final class StoredPng {
    static final int GREY = 0;
    static final int COLOURS = 2;
    static final int PLACES = 3;
    static final int GREY_AND_OPACITY = 4;
    static final int COLOURS_AND_OPACITY = 6;

    /// Of a chunk, besides its content.
    static final int CHUNK_BYTES = 12;

    private final RandomGenerator random;
    private final int width;
    private final int height;
    private final int kind;
    private final int bits;
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    StoredPng(RandomGenerator random, int kind, int bits) {
        this.random = random;
        this.kind = kind;
        this.bits = bits;
        this.width = random.nextInt(1, 40);
        this.height = random.nextInt(1, 40);
    }

    /// @param colours in the palette; places may lie beyond it
    /// @param opacities of the palette's first colours
    byte[] bytes(int colours, int opacities) {
        file.writeBytes(new byte[] {(byte) 137, 'P', 'N', 'G', '\r', '\n', 26, '\n'});
        put(
                "IHDR",
                ByteBuffer.allocate(13)
                        .putInt(width)
                        .putInt(height)
                        .put((byte) bits)
                        .put((byte) kind)
                        .array());
        put("prVt", random(random.nextInt(20)));
        if (kind == PLACES) {
            put("PLTE", random(3 * colours));
        }
        if (opacities > 0) {
            put("tRNS", random(opacities));
        }
        byte[] data = data();
        for (int from = 0; from < data.length; ) {
            int to = Math.min(data.length, from + random.nextInt(60));
            put("IDAT", Arrays.copyOfRange(data, from, to));
            from = to;
        }
        put("IEND", new byte[0]);
        return file.toByteArray();
    }

    private void put(String name, byte[] content) {
        file.writeBytes(chunk(name, content));
    }

    private byte[] random(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] data() {
        int bands = switch (kind) {
            case COLOURS -> 3;
            case GREY_AND_OPACITY -> 2;
            case COLOURS_AND_OPACITY -> 4;
            default -> 1;
        };
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        for (int y = 0; y < height; y++) {
            rows.write(random.nextInt(5));
            rows.writeBytes(random((width * bits * bands + 7) / 8));
        }
        Deflater deflater = new Deflater();
        deflater.setInput(rows.toByteArray());
        deflater.finish();
        byte[] deflated = new byte[rows.size() + 1000];
        int length = deflater.deflate(deflated);
        deflater.end();
        return Arrays.copyOf(deflated, length);
    }

    static byte[] chunk(String name, byte[] content) {
        byte[] named = ByteBuffer.allocate(4 + content.length)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .put(content)
                .array();
        CRC32 checksum = new CRC32();
        checksum.update(named);
        return ByteBuffer.allocate(CHUNK_BYTES + content.length)
                .putInt(content.length)
                .put(named)
                .putInt((int) checksum.getValue())
                .array();
    }
}
