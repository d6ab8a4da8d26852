package org.bloomgate.content.image;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.bloomgate.core.limit.Limit;

/// A PNG of the form that nearly all in mail have (ISO 15948): up to eight bits a sample, not interlaced,
/// transparent colours only in a palette. The JDK's reader, which is used for all others, takes four times as
/// long for these: it creates a picture first, and one with less than eight bits pixel by pixel.
final class Png {
    private static final int HEADER_BYTES = 13;

    /// The position of the colour type, after the signature.
    private static final int KIND_AT = 25;

    /// Colour types in the header.
    private static final int GREY = 0;

    private static final int COLOURS = 2;
    private static final int PLACES = 3;
    private static final int GREY_AND_OPACITY = 4;
    private static final int COLOURS_AND_OPACITY = 6;

    private final int width;
    private final int height;
    private final int bits;
    private final int kind;
    private Optional<PngChunks> data = Optional.empty();
    private Optional<Palette> palette = Optional.empty();

    /// False for a PNG that only the JDK's reader can read.
    private boolean plain = true;

    private Png(ByteBuffer header) {
        width = header.getInt();
        height = header.getInt();
        bits = header.get();
        kind = header.get();
        int compression = header.get();
        int filters = header.get();
        int interlaced = header.get();
        plain = width > 0 && height > 0 && compression == 0 && filters == 0 && interlaced == 0 && isPlainDepth();
    }

    private boolean isPlainDepth() {
        return switch (kind) {
            case GREY, PLACES -> bits == 1 || bits == 2 || bits == 4 || bits == 8;
            case COLOURS, GREY_AND_OPACITY, COLOURS_AND_OPACITY -> bits == 8;
            default -> false;
        };
    }

    /// The PNG; empty if it has another form, is cut off before its data, or is otherwise unusual.
    ///
    /// @param bytes that begin like a PNG
    static Optional<Png> of(byte[] bytes, int length) {
        PngChunks chunks = new PngChunks(bytes, length);
        if (!chunks.next()
                || chunks.name() != PngChunks.HEADER
                || chunks.content().remaining() != HEADER_BYTES) {
            return Optional.empty();
        }
        Png png = new Png(chunks.content());
        png.read(chunks);
        return png.isWhole() ? Optional.of(png) : Optional.empty();
    }

    /// Whether a palette of this many bytes is valid here.
    ///
    /// @param file a PNG with at least one chunk
    static boolean fitsPalette(byte[] file, int bytes) {
        return file[KIND_AT] == PLACES && bytes > 0 && bytes % 3 == 0 && bytes <= 3 * Palette.PLACES;
    }

    /// Whether this many bytes of opacities are valid here: one transparent colour, or a byte for each palette
    /// index.
    ///
    /// @param colours number of colours in the palette before
    static boolean fitOpacities(byte[] file, int colours, int bytes) {
        return switch (file[KIND_AT]) {
            case GREY -> bytes == 2;
            case COLOURS -> bytes == 6;
            case PLACES -> bytes > 0 && bytes <= colours;
            default -> false;
        };
    }

    private boolean isWhole() {
        return plain && data.isPresent() && (kind != PLACES || palette.isPresent());
    }

    /// Reads the chunks up to the data.
    private void read(PngChunks chunks) {
        while (plain && data.isEmpty() && chunks.next()) {
            if (chunks.name() == PngChunks.DATA) {
                data = Optional.of(chunks);
            } else {
                take(chunks);
            }
        }
    }

    private void take(PngChunks chunk) {
        switch (chunk.name()) {
            case PngChunks.COLOURS -> colours(chunk.content());
            case PngChunks.OPACITIES -> opacities(chunk.content());
            default -> {}
        }
    }

    private void colours(ByteBuffer content) {
        if (kind != PLACES) {
            return;
        }
        int count = content.remaining() / 3;
        plain = palette.isEmpty() && count > 0 && count <= Palette.PLACES;
        if (plain) {
            Palette colours = new Palette();
            for (int place = 0; place < count; place++) {
                colours.colour(place, content.get() & 0xff, content.get() & 0xff, content.get() & 0xff);
            }
            palette = Optional.of(colours);
        }
    }

    /// Reads opacities. All clients ignore a chunk that is not valid here or too long.
    private void opacities(ByteBuffer content) {
        switch (kind) {
            case GREY, COLOURS -> plain = false;
            case PLACES ->
                palette.filter(colours -> content.remaining() <= Palette.PLACES)
                        .ifPresent(colours -> opacities(colours, content));
            default -> {}
        }
    }

    private static void opacities(Palette palette, ByteBuffer content) {
        for (int place = 0; content.hasRemaining(); place++) {
            palette.opacity(place, content.get() & 0xff);
        }
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /// The samples, as far as the rows can be read, which is what clients show; if not all can, the limit
    /// `pictureFormat` is recorded. May be called once.
    Samples samples(ImageVisitor looking) {
        Samples samples = new Samples(width, height, bits < 8 ? palette.or(this::greys) : palette);
        int bands = bands();
        try (PngRows rows = new PngRows(data.orElseThrow(), (width * bits * bands + 7) / 8, bands)) {
            fill(samples, rows, bands);
        } catch (DataFormatException damaged) {
            looking.reached(Limit.PICTURE_FORMAT);
        }
        return samples;
    }

    private void fill(Samples samples, PngRows rows, int bands) throws DataFormatException {
        byte[] places = new byte[bits < 8 ? width : 0];
        for (int y = 0; y < height; y++) {
            byte[] row = rows.next();
            if (bits < 8) {
                unpack(row, places);
                samples.row(y, places, 0, bands);
            } else {
                samples.row(y, row, PngRows.FIRST, bands);
            }
        }
    }

    private Optional<Palette> greys() {
        return Optional.of(Palette.greys(1 << bits));
    }

    private int bands() {
        return samples(kind);
    }

    /// The number of samples of a pixel of a colour type.
    static int samples(int kind) {
        return switch (kind) {
            case COLOURS -> 3;
            case GREY_AND_OPACITY -> 2;
            case COLOURS_AND_OPACITY -> 4;
            default -> 1;
        };
    }

    /// Unpacks a row with several pixels a byte, the first in the highest bits, to one pixel a byte.
    private void unpack(byte[] row, byte[] places) {
        int mask = (1 << bits) - 1;
        for (int x = 0, bit = 0; x < width; x++, bit += bits) {
            places[x] = (byte) ((row[PngRows.FIRST + bit / 8] >> (8 - bits - bit % 8)) & mask);
        }
    }
}
