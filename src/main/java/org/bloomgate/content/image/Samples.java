package org.bloomgate.content.image;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/// A decoded picture, filled row by row: the palette index of each pixel, or its brightness and opacity. No
/// opacities are stored if all pixels are opaque.
final class Samples {
    /// Shades of the pages on which a picture is shown.
    private static final int LIGHT = 255;

    private static final int DARK = 0;

    private final int width;
    private final int height;
    private final Optional<Palette> palette;
    private final byte[] bytes;
    private byte[] opacities = {};

    /// @param palette of a picture whose rows are palette indexes, one byte each
    Samples(int width, int height, Optional<Palette> palette) {
        this.width = width;
        this.height = height;
        this.palette = palette;
        this.bytes = new byte[width * height];
    }

    /// Sets a row.
    ///
    /// @param from start of the row's bytes in `row`
    /// @param bands bytes of a pixel: grey, or an index; grey and opacity; red, green and blue; these and
    /// opacity
    void row(int y, byte[] row, int from, int bands) {
        int to = y * width;
        switch (bands) {
            case 1 -> System.arraycopy(row, from, bytes, to, width);
            case 2 -> greyAndOpacity(row, from, to);
            case 3 -> colours(row, from, to);
            default -> coloursAndOpacity(row, from, to);
        }
    }

    private void greyAndOpacity(byte[] row, int from, int to) {
        for (int x = 0, at = from; x < width; x++, at += 2) {
            bytes[to + x] = row[at];
            opacity(to + x, row[at + 1]);
        }
    }

    private void colours(byte[] row, int from, int to) {
        for (int x = 0, at = from; x < width; x++, at += 3) {
            bytes[to + x] = shade(row, at);
        }
    }

    private void coloursAndOpacity(byte[] row, int from, int to) {
        for (int x = 0, at = from; x < width; x++, at += 4) {
            bytes[to + x] = shade(row, at);
            opacity(to + x, row[at + 3]);
        }
    }

    private static byte shade(byte[] row, int at) {
        return (byte) Shades.ofColour(row[at] & 0xff, row[at + 1] & 0xff, row[at + 2] & 0xff);
    }

    private void opacity(int at, byte opacity) {
        if (opacity != Palette.OPAQUE) {
            if (opacities.length == 0) {
                opacities = new byte[bytes.length];
                Arrays.fill(opacities, Palette.OPAQUE);
            }
            opacities[at] = opacity;
        }
    }

    /// Passes on the picture on a light page and, if that makes a difference, on a dark one. May be called
    /// once.
    ///
    /// @param doubtful whether clients differ in which opacities of a palette count; then it is also passed on
    /// without any
    void onPages(boolean doubtful, Consumer<Shades> look) {
        Optional<Palette> transparent = palette.filter(Palette::isTransparent);
        if (doubtful) {
            transparent.ifPresent(colours -> look.accept(inColours(colours.shades())));
        }
        boolean mixed = opacities.length > 0 || transparent.isPresent();
        if (mixed) {
            look.accept(onPage(LIGHT, new byte[bytes.length]));
        }
        look.accept(onPage(mixed ? DARK : LIGHT, bytes));
    }

    private Shades inColours(byte[] colours) {
        byte[] shades = new byte[bytes.length];
        look(colours, shades);
        return new Shades(width, height, shades);
    }

    private Shades onPage(int page, byte[] shades) {
        palette.ifPresentOrElse(colours -> look(colours.on(page), shades), () -> mix(page, shades));
        return new Shades(width, height, shades);
    }

    private void look(byte[] colours, byte[] shades) {
        for (int i = 0; i < shades.length; i++) {
            shades[i] = colours[bytes[i] & 0xff];
        }
    }

    private void mix(int page, byte[] shades) {
        for (int i = 0; i < opacities.length; i++) {
            shades[i] = (byte) Shades.mixed(bytes[i] & 0xff, opacities[i] & 0xff, page);
        }
    }
}
