package org.bloomgate.picture;

import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.util.Optional;

/// The samples of a decoded picture as shades of grey. Of one band they are grey or places in a palette, of two grey
/// and opacity, of three colours, of four colours and opacity.
final class Samples {
    private final Raster raster;
    private final Optional<IndexColorModel> palette;
    private final int bands;
    private final int[] most;
    private final int[] paletteShades = new int[256];
    private boolean transparent;

    Samples(Raster raster, Optional<IndexColorModel> palette) {
        this.raster = raster;
        this.palette = palette;
        this.bands = raster.getNumBands();
        this.most = new int[bands];
        for (int band = 0; band < bands; band++) {
            most[band] = (1 << Math.min(30, raster.getSampleModel().getSampleSize(band))) - 1;
        }
    }

    /// Of a JPEG as it is stored: brightness stands first where there is colour; four bands are inks.
    static Shades ofJpeg(Raster raster) {
        int width = raster.getWidth();
        byte[] values = new byte[width * raster.getHeight()];
        int[] row = new int[width];
        int[] key = new int[width];
        boolean inks = raster.getNumBands() == 4;
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getSamples(0, y, width, 1, inks ? 1 : 0, row);
            raster.getSamples(0, y, width, 1, inks ? 3 : 0, key);
            for (int x = 0; x < width; x++) {
                values[y * width + x] = (byte) (inks ? (row[x] + key[x]) / 2 : row[x]);
            }
        }
        return new Shades(width, raster.getHeight(), values);
    }

    /// Of a row after the other, an octet a sample.
    static Shades of(int width, int height, int colours, byte[] samples) {
        byte[] values = new byte[width * height];
        for (int pixel = 0; pixel < values.length; pixel++) {
            int at = pixel * colours;
            int first = samples[at] & 0xff;
            values[pixel] = (byte)
                    switch (colours) {
                        case 1 -> first;
                        case 3 -> Shades.ofColour(first, samples[at + 1] & 0xff, samples[at + 2] & 0xff);
                        default -> 255 - Math.min(255, (samples[at + 1] & 0xff) + (samples[at + 3] & 0xff));
                    };
        }
        return new Shades(width, height, values);
    }

    /// True when anything that was read lets the page through.
    boolean transparent() {
        return transparent;
    }

    /// @param page shade behind the picture
    Shades on(int page) {
        int width = raster.getWidth();
        int height = raster.getHeight();
        palette.ifPresent(colours -> read(colours, page));
        byte[] values = new byte[width * height];
        int[] row = new int[width * bands];
        for (int y = 0; y < height; y++) {
            raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
            for (int x = 0; x < width; x++) {
                values[y * width + x] = (byte) shade(row, x * bands, page);
            }
        }
        return new Shades(width, height, values);
    }

    private void read(IndexColorModel colours, int page) {
        for (int i = 0; i < Math.min(paletteShades.length, colours.getMapSize()); i++) {
            int shade = Shades.ofColour(colours.getRed(i), colours.getGreen(i), colours.getBlue(i));
            paletteShades[i] = mixed(shade, colours.getAlpha(i), page);
        }
    }

    private int shade(int[] row, int at, int page) {
        if (palette.isPresent()) {
            return paletteShades[row[at] & 0xff];
        }
        int shade = bands < 3
                ? scaled(row, at, 0)
                : Shades.ofColour(scaled(row, at, 0), scaled(row, at, 1), scaled(row, at, 2));
        return bands % 2 == 0 ? mixed(shade, scaled(row, at, bands - 1), page) : shade;
    }

    private int scaled(int[] row, int at, int band) {
        return most[band] == 255 ? row[at + band] : (int) (255L * row[at + band] / most[band]);
    }

    private int mixed(int shade, int opacity, int page) {
        if (opacity == 255) {
            return shade;
        }
        transparent = true;
        return (shade * opacity + page * (255 - opacity)) / 255;
    }
}
