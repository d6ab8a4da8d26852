package org.bloomgate.picture;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.DataFormatException;

/// A PNG as nearly all in mail are (ISO 15948): up to eight bits a sample, not interlaced, no colour that is
/// transparent but in a palette. The JDK's reader, which takes all others, spends four times as long on these: it makes
/// a picture of them first, and one of less than eight bits pixel by pixel.
///
/// Checksums are passed over, as by every program that shows a picture.
final class Png {
    /// Names of chunks, as octets of a number: IHDR, PLTE, tRNS, IDAT.
    static final int DATA = 0x49444154;

    private static final int HEADER = 0x49484452;
    private static final int COLOURS_OF_PALETTE = 0x504c5445;
    private static final int OPACITIES = 0x74524e53;

    private static final int FIRST_CHUNK = 8;
    private static final int HEADER_OCTETS = 13;

    /// Length and name of a chunk.
    private static final int CHUNK_HEAD = 8;

    /// Behind each chunk.
    private static final int CHECKSUM = 4;

    /// Kinds of colour, as the header has them.
    private static final int GREY = 0;

    private static final int COLOURS = 2;
    private static final int PLACES = 3;
    private static final int GREY_AND_OPACITY = 4;
    private static final int COLOURS_AND_OPACITY = 6;

    private final int width;
    private final int height;
    private final int bits;
    private final int kind;
    private Optional<ByteBuffer> data = Optional.empty();
    private Optional<Palette> palette = Optional.empty();

    /// False for one that the JDK's reader has to look at.
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

    /// Empty for a PNG of another kind, and for one that is cut off before its data or otherwise odd.
    ///
    /// @param octets that begin as a PNG does
    static Optional<Png> of(byte[] octets, int length) {
        ByteBuffer chunks = ByteBuffer.wrap(octets, 0, length).position(FIRST_CHUNK);
        if (chunks.remaining() < CHUNK_HEAD + HEADER_OCTETS
                || chunks.getInt() != HEADER_OCTETS
                || chunks.getInt() != HEADER) {
            return Optional.empty();
        }
        Png png = new Png(chunks);
        png.read(chunks.position(FIRST_CHUNK + CHUNK_HEAD + HEADER_OCTETS));
        return png.isWhole() ? Optional.of(png) : Optional.empty();
    }

    private boolean isWhole() {
        return plain && data.isPresent() && (kind != PLACES || palette.isPresent());
    }

    /// Up to the data.
    private void read(ByteBuffer chunks) {
        while (plain && data.isEmpty() && chunks.remaining() >= CHECKSUM + CHUNK_HEAD) {
            int start = chunks.position() + CHECKSUM;
            int octets = chunks.position(start).getInt();
            int name = chunks.getInt();
            if (name == DATA) {
                data = Optional.of(chunks.position(start));
            } else if (octets < 0 || octets > chunks.remaining()) {
                plain = false;
            } else {
                take(name, chunks.slice(chunks.position(), octets));
                chunks.position(chunks.position() + octets);
            }
        }
    }

    private void take(int name, ByteBuffer content) {
        switch (name) {
            case COLOURS_OF_PALETTE -> colours(content);
            case OPACITIES -> opacities(content);
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

    private void opacities(ByteBuffer content) {
        plain = palette.isPresent() && content.remaining() <= Palette.PLACES;
        if (plain) {
            for (int place = 0; content.hasRemaining(); place++) {
                palette.get().opacity(place, content.get() & 0xff);
            }
        }
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /// @throws DataFormatException when the data are damaged or end too soon
    Samples samples() throws DataFormatException {
        Samples samples = new Samples(width, height, bits < 8 ? palette.or(this::greys) : palette);
        int bands = bands();
        byte[] places = new byte[bits < 8 ? width : 0];
        try (PngRows rows = new PngRows(data.orElseThrow(), (width * bits * bands + 7) / 8, bands)) {
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
        return samples;
    }

    private Optional<Palette> greys() {
        return Optional.of(Palette.greys(1 << bits));
    }

    private int bands() {
        return switch (kind) {
            case COLOURS -> 3;
            case GREY_AND_OPACITY -> 2;
            case COLOURS_AND_OPACITY -> 4;
            default -> 1;
        };
    }

    /// From several pixels an octet, the first in its highest bits, to one.
    private void unpack(byte[] row, byte[] places) {
        int mask = (1 << bits) - 1;
        for (int x = 0, bit = 0; x < width; x++, bit += bits) {
            places[x] = (byte) ((row[PngRows.FIRST + bit / 8] >> (8 - bits - bit % 8)) & mask);
        }
    }
}
