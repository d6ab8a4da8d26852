package org.bloomgate.content.image;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.bloomgate.core.limit.Limit;

/// Decodes a stored picture: at most the pixels stated in its header, after the allowance permits them. Except
/// for a plain [Png], it uses the decoders of the JDK, which need no display and here no file.
final class PictureFile {
    /// The number of scans of a JPEG: a progressive one has about ten, and each costs as much as a whole
    /// picture.
    static final int MAX_PASSES = 16;

    /// The bytes in which the segments of a JPEG are searched for.
    private static final int HEAD_BYTES = 1 << 16;

    /// The position of the bits of a sample, and of the colour type, in the header of a PNG.
    private static final int BITS_AT = 24;

    private static final int KIND_AT = 25;

    /// A shade and an opacity for each pixel, and the picture on a page.
    private static final int BYTES_OF_SHADES = 3;

    private final PictureFormat format;
    private final byte[] bytes;
    private final int length;
    private final ImageVisitor looking;

    PictureFile(PictureFormat format, byte[] bytes, int length, ImageVisitor looking) {
        this.format = format;
        this.bytes = bytes;
        this.length = length;
        this.looking = looking;
    }

    /// Reads the picture. If it is damaged, it is not read, which is the limit `pictureFormat`.
    void read() {
        if (format == PictureFormat.OTHER || (format == PictureFormat.JPEG && passes() > MAX_PASSES)) {
            looking.reached(Limit.PICTURE_FORMAT);
            return;
        }
        long before = looking.allowance().heap();
        try {
            switch (format) {
                case PNG -> png();
                case JPEG, GIF, BMP, OTHER -> byReader(bytes, length);
            }
        } catch (IOException | RuntimeException damaged) {
            looking.allowance().draw(Limit.PICTURES, 1);
            looking.reached(Limit.PICTURE_FORMAT);
        } finally {
            looking.allowance().heapBackTo(before);
        }
    }

    /// Takes heap for a picture that is about to be decoded.
    private boolean takesHeap(long width, long height, int bytesOfPixel) {
        return looking.allowance().takeHeap(Limit.PICTURE_PIXELS, width * height * bytesOfPixel);
    }

    /// Bytes of a pixel in the JDK's reader: for a PNG, to which opacities may be added, and a JPEG by the
    /// header; otherwise the maximum.
    private int bytesOfPixel() {
        return switch (format) {
            case PNG -> (Png.samples(bytes[KIND_AT]) + 1) * Math.ceilDiv(Math.max(0, bytes[BITS_AT]), Byte.SIZE);
            case JPEG -> inks();
            case GIF, BMP, OTHER -> 4;
        };
    }

    /// Reads the first picture of an animated PNG.
    private void png() throws IOException {
        if (PngChunks.isAnimated(bytes, length)) {
            looking.reached(Limit.PICTURE_FORMAT);
        }
        Optional<Png> png = Png.of(bytes, length);
        if (png.isPresent()) {
            plain(png.get());
        } else {
            byte[] essential = PngChunks.essential(bytes, length);
            byReader(essential, essential.length);
        }
    }

    private void plain(Png png) {
        if (Pictures.mayHoldCode(png.width(), png.height())
                && looking.take(length, png.width(), png.height())
                && takesHeap(png.width(), png.height(), BYTES_OF_SHADES)) {
            onPages(png.samples(looking));
        }
    }

    private void byReader(byte[] stored, int end) throws IOException {
        ImageReader reader = ImageIO.getImageReadersByFormatName(format.label()).next();
        try (ImageInputStream stream = new MemoryCacheImageInputStream(new ByteArrayInputStream(stored, 0, end))) {
            reader.setInput(stream, false, true);
            frames(reader);
        } finally {
            reader.dispose();
        }
    }

    /// Reads the frames. Of a JPEG that needs more heap than is left, only every second sample of every second
    /// row is read.
    private void frames(ImageReader reader) throws IOException {
        int frames = format == PictureFormat.GIF ? reader.getNumImages(true) : 1;
        for (int frame = 0; frame < frames; frame++) {
            int width = reader.getWidth(frame);
            int height = reader.getHeight(frame);
            if (!Pictures.mayHoldCode(width, height)) {
                continue;
            }
            long before = looking.allowance().heap();
            boolean jpeg = format == PictureFormat.JPEG;
            int bytesOfPixel = bytesOfPixel() + (jpeg ? 1 : BYTES_OF_SHADES);
            boolean large =
                    (long) width * height * bytesOfPixel > looking.allowance().heapLeft();
            int step = jpeg && large ? 2 : 1;
            if (!looking.take(frame == 0 ? length : 0, width, height)
                    || !takesHeap(Math.ceilDiv(width, step), Math.ceilDiv(height, step), bytesOfPixel)) {
                return;
            }
            if (jpeg) {
                ImageReadParam sampling = reader.getDefaultReadParam();
                sampling.setSourceSubsampling(step, step, 0, 0);
                Raster stored = reader.readRaster(frame, sampling);
                onPages(isPlainColour() ? RasterSamples.of(stored, Optional.empty()) : RasterSamples.ofJpeg(stored));
            } else {
                image(reader.read(frame));
            }
            looking.allowance().heapBackTo(before);
        }
    }

    private void image(BufferedImage image) {
        Optional<IndexColorModel> palette =
                image.getColorModel() instanceof IndexColorModel indexed ? Optional.of(indexed) : Optional.empty();
        onPages(RasterSamples.of(image.getRaster(), palette));
    }

    /// Searches the picture on light and dark pages. For some clients, opacities of a PNG count only if their
    /// checksum is right, and only the first of several.
    private void onPages(Samples samples) {
        samples.onPages(format == PictureFormat.PNG, shades -> Codes.read(shades, looking));
    }

    /// Whether the three bands of a JPEG are red, green and blue, by its Adobe segment.
    private boolean isPlainColour() {
        String head = new String(bytes, 0, Math.min(length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
        int adobe = head.indexOf("\u00ff\u00ee\0\u000eAdobe");
        return adobe >= 0 && adobe + 15 < head.length() && head.charAt(adobe + 15) == 0;
    }

    /// The number of samples of a pixel of a JPEG: 4 if a frame header (0xFF, 0xC0 to 0xCF, length 8 + 3 x 4)
    /// states 4.
    private int inks() {
        for (int i = 0; i + 9 < length; i++) {
            boolean frame = bytes[i] == (byte) 0xff && (bytes[i + 1] & 0xf0) == 0xc0;
            if (frame && bytes[i + 2] == 0 && bytes[i + 3] == 20 && bytes[i + 9] == 4) {
                return 4;
            }
        }
        return 3;
    }

    /// The number of scans of a JPEG. In coded data, 0xFF is followed by zero or a restart number.
    private int passes() {
        int passes = 0;
        for (int i = 0; i + 1 < length; i++) {
            if (bytes[i] == (byte) 0xff && bytes[i + 1] == (byte) 0xda) {
                passes++;
            }
        }
        return passes;
    }
}
