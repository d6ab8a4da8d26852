package org.bloomgate.picture;

import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.util.Optional;

/// The samples of a decoded picture as shades of grey. Of one band they are grey or places in a palette, of two grey
/// and opacity, of three colours, of four colours and opacity.
final class Samples {
    /// Colours in a palette, at most.
    private static final int PALETTE = 256;

    private final Raster raster;
    private final Optional<IndexColorModel> palette;
    private final int bands;
    private final int[] most;
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
        byte[] values = new byte[raster.getWidth() * raster.getHeight()];
        palette.ifPresentOrElse(colours -> look(shades(colours, page), values), () -> shade(values, page));
        return new Shades(raster.getWidth(), raster.getHeight(), values);
    }

    private byte[] shades(IndexColorModel colours, int page) {
        byte[] shades = new byte[PALETTE];
        for (int i = 0; i < Math.min(PALETTE, colours.getMapSize()); i++) {
            int shade = Shades.ofColour(colours.getRed(i), colours.getGreen(i), colours.getBlue(i));
            shades[i] = (byte) mixed(shade, colours.getAlpha(i), page);
        }
        return shades;
    }

    /// Places in a palette are octets, however many share one in the raster.
    private void look(byte[] shades, byte[] values) {
        int width = raster.getWidth();
        byte[] row = new byte[width];
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getDataElements(raster.getMinX(), raster.getMinY() + y, width, 1, row);
            for (int x = 0; x < width; x++) {
                values[y * width + x] = shades[row[x] & 0xff];
            }
        }
    }

    private void shade(byte[] values, int page) {
        int width = raster.getWidth();
        int[] row = new int[width * bands];
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
            shade(row, values, y * width, page);
        }
    }

    /// One kind of work after the other, each a loop without a choice in it: most of a picture's time goes here.
    private void shade(int[] row, byte[] values, int from, int page) {
        scale(row);
        if (bands < 3) {
            for (int i = 0, to = from; i < row.length; i += bands, to++) {
                values[to] = (byte) row[i];
            }
        } else {
            for (int i = 0, to = from; i < row.length; i += bands, to++) {
                values[to] = (byte) Shades.ofColour(row[i], row[i + 1], row[i + 2]);
            }
        }
        if (bands % 2 == 0) {
            for (int i = bands - 1, to = from; i < row.length; i += bands, to++) {
                values[to] = (byte) mixed(values[to] & 0xff, row[i], page);
            }
        }
    }

    /// To an octet a sample.
    private void scale(int[] row) {
        for (int band = 0; band < bands; band++) {
            if (most[band] != 255) {
                for (int i = band; i < row.length; i += bands) {
                    row[i] = (int) (255L * row[i] / most[band]);
                }
            }
        }
    }

    private int mixed(int shade, int opacity, int page) {
        if (opacity == 255) {
            return shade;
        }
        transparent = true;
        return (shade * opacity + page * (255 - opacity)) / 255;
    }
}
