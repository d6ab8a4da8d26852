package org.bloomgate.content.image;

import java.awt.image.ComponentSampleModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.util.Optional;

/// Converts a picture that a reader of the JDK has decoded to samples of one byte.
final class RasterSamples {
    private final Raster raster;
    private final int width;
    private final int bands;

    private RasterSamples(Raster raster) {
        this.raster = raster;
        this.width = raster.getWidth();
        this.bands = raster.getNumBands();
    }

    /// @param colours the palette of a picture whose one band consists of palette indexes
    static Samples of(Raster raster, Optional<IndexColorModel> colours) {
        RasterSamples from = new RasterSamples(raster);
        Samples to = new Samples(raster.getWidth(), raster.getHeight(), colours.map(RasterSamples::palette));
        if (colours.isPresent() || from.isBytes()) {
            from.bytes(to);
        } else {
            from.scaled(to);
        }
        return to;
    }

    /// The samples of a JPEG in its stored form: in colour pictures the first band is the brightness; four
    /// bands are inks.
    static Samples ofJpeg(Raster raster) {
        Samples to = new Samples(raster.getWidth(), raster.getHeight(), Optional.empty());
        if (raster.getNumBands() == 4) {
            new RasterSamples(raster).inks(to);
        } else {
            new RasterSamples(raster).brightness(to);
        }
        return to;
    }

    private static Palette palette(IndexColorModel colours) {
        Palette palette = new Palette();
        for (int i = 0; i < Math.min(Palette.PLACES, colours.getMapSize()); i++) {
            palette.colour(i, colours.getRed(i), colours.getGreen(i), colours.getBlue(i));
            palette.opacity(i, colours.getAlpha(i));
        }
        return palette;
    }

    private boolean isBytes() {
        return raster.getTransferType() == DataBuffer.TYPE_BYTE
                && raster.getSampleModel() instanceof ComponentSampleModel;
    }

    /// Copies samples that are bytes; palette indexes are bytes too, however many share one in the raster.
    private void bytes(Samples to) {
        byte[] row = new byte[width * bands];
        for (int y = 0; y < raster.getHeight(); y++) {
            take(y, row);
            to.row(y, row, 0, bands);
        }
    }

    private void take(int y, byte[] row) {
        raster.getDataElements(raster.getMinX(), raster.getMinY() + y, width, 1, row);
    }

    /// Scales samples of any size to bytes.
    private void scaled(Samples to) {
        int[] row = new int[width * bands];
        byte[] bytes = new byte[row.length];
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
            for (int band = 0; band < bands; band++) {
                long most = (1L << raster.getSampleModel().getSampleSize(band)) - 1;
                for (int i = band; i < row.length; i += bands) {
                    bytes[i] = (byte) (255L * row[i] / most);
                }
            }
            to.row(y, bytes, 0, bands);
        }
    }

    private void brightness(Samples to) {
        byte[] row = new byte[width * bands];
        byte[] first = new byte[width];
        for (int y = 0; y < raster.getHeight(); y++) {
            take(y, row);
            for (int x = 0; x < width; x++) {
                first[x] = row[x * bands];
            }
            to.row(y, first, 0, 1);
        }
    }

    /// Half of the brightness comes from magenta, half from black.
    private void inks(Samples to) {
        byte[] row = new byte[width * bands];
        byte[] mean = new byte[width];
        for (int y = 0; y < raster.getHeight(); y++) {
            take(y, row);
            for (int x = 0; x < width; x++) {
                mean[x] = (byte) (((row[x * 4 + 1] & 0xff) + (row[x * 4 + 3] & 0xff)) / 2);
            }
            to.row(y, mean, 0, 1);
        }
    }
}
