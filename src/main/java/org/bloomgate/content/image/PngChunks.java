package org.bloomgate.content.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Iterates over the chunks of a PNG (ISO 15948, 5), and selects those that a reader needs. Checksums are
/// ignored, because some clients check them and some do not.
final class PngChunks {
    /// Names of chunks, as the bytes of a number.
    static final int HEADER = 0x49484452; // IHDR

    static final int COLOURS = 0x504c5445; // PLTE
    static final int OPACITIES = 0x74524e53; // tRNS
    static final int DATA = 0x49444154; // IDAT
    private static final int END = 0x49454e44; // IEND
    private static final int ANIMATION = 0x6163544c; // acTL

    /// The position of the first chunk.
    private static final int FIRST = 8;

    /// The size of the length and the name of a chunk.
    private static final int HEAD = 8;

    private static final int CHECKSUM = 4;

    private final ByteBuffer rest;
    private int start;
    private int name;
    private int bytes;

    /// @param bytes that begin like a PNG
    PngChunks(byte[] bytes, int length) {
        this.rest = ByteBuffer.wrap(bytes, 0, length).position(Math.min(FIRST, length));
    }

    /// Moves to the next chunk; false if there is none. A chunk that is cut off or longer than the file ends
    /// with the file.
    boolean next() {
        if (rest.remaining() < HEAD) {
            return false;
        }
        start = rest.position();
        int said = rest.getInt();
        name = rest.getInt();
        bytes = Math.min(said, rest.remaining());
        if (said >= 0) {
            rest.position(rest.position() + bytes + Math.min(CHECKSUM, rest.remaining() - bytes));
        }
        return said >= 0;
    }

    int name() {
        return name;
    }

    /// The content of the current chunk.
    ByteBuffer content() {
        return rest.slice(start + HEAD, bytes);
    }

    /// Whether the PNG contains further pictures, which are shown one after the other.
    static boolean isAnimated(byte[] bytes, int length) {
        PngChunks chunks = new PngChunks(bytes, length);
        while (chunks.next() && chunks.name != DATA) {
            if (chunks.name == ANIMATION) {
                return true;
            }
        }
        return false;
    }

    /// The file with only the chunks that are needed for the picture. The JDK's reader rejects a file with a
    /// malformed text, and reads the content of a misplaced palette, or of one with a wrong length, as chunks.
    static byte[] essential(byte[] bytes, int length) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream(length);
        kept.write(bytes, 0, Math.min(FIRST, length));
        PngChunks chunks = new PngChunks(bytes, length);
        int colours = 0;
        boolean transparent = false;
        while (chunks.next()) {
            boolean palette = chunks.name == COLOURS && colours == 0 && Png.fitsPalette(bytes, chunks.bytes);
            boolean opacities =
                    chunks.name == OPACITIES && !transparent && Png.fitOpacities(bytes, colours, chunks.bytes);
            boolean header = chunks.name == HEADER && chunks.start == FIRST;
            if (header || palette || opacities || chunks.name == DATA || chunks.name == END) {
                kept.write(bytes, chunks.start, chunks.rest.position() - chunks.start);
            }
            colours = palette ? chunks.bytes / 3 : colours;
            transparent |= opacities;
        }
        return kept.toByteArray();
    }
}
