package org.bloomgate.content.document;

import java.util.List;
import java.util.Set;
import org.bloomgate.core.limit.Limit;

/// Reads a picture in a PDF (ISO 32000-1, 8.9.5), from its dictionary to its samples. The number of colours of
/// a pixel, and whether rows are predicted, is derived from the number of bytes, not from color spaces, which
/// may be anywhere in the file. JPEG is passed on as a file.
final class PdfPicture {
    private static final Set<String> JPEG = Set.of("DCTDecode", "DCT");

    /// Picture filters that are not read.
    private static final Set<String> UNREAD = Set.of("JPXDecode", "JBIG2Decode", "CCITTFaxDecode", "CCF");

    private static final Set<Integer> DEPTHS = Set.of(1, 2, 4, 8, 16);

    /// Bytes that may follow the samples in the stream.
    private static final int END_OF_LINE = 2;

    private final LinkSink finds;
    private final PdfStreams streams;
    private String key = "";
    private String given = "";
    private boolean picture;
    private boolean byReference;
    private int width;
    private int height;
    private int bits;

    PdfPicture(LinkSink finds) {
        this.finds = finds;
        this.streams = new PdfStreams(finds, PdfStreams.MAX_INFLATED_BYTES);
    }

    /// Resets the parameters.
    void begin() {
        key = "";
        given = "";
        picture = false;
        byReference = false;
        width = 0;
        height = 0;
        bits = 8;
    }

    void name(String name) {
        picture |= name.equals("Image");
        bits = name.equals("ImageMask") ? 1 : bits;
        key = name;
        given = "";
    }

    void number(long number) {
        int value = (int) Math.min(number, Integer.MAX_VALUE);
        switch (key) {
            case "Width" -> width = value;
            case "Height" -> height = value;
            case "BitsPerComponent" -> bits = value;
            default -> {
                return;
            }
        }
        given = key;
        key = "";
    }

    /// Called if the last number was the number of an object with the value, not the value itself.
    void reference() {
        byReference |= !given.isEmpty();
    }

    boolean isPicture() {
        return picture;
    }

    void read(byte[] pdf, int from, int to, List<String> filters) {
        String last = filters.isEmpty() ? "" : filters.getLast();
        if (byReference || UNREAD.contains(last)) {
            if (byReference || finds.wantsPicture(width, height)) {
                finds.reached(Limit.PICTURE_FORMAT);
            }
        } else if (JPEG.contains(last)) {
            List<String> before = filters.subList(0, filters.size() - 1);
            byte[] file = streams.decode(pdf, from, to, before);
            finds.addFile("", file, file.length);
        } else if (finds.wantsPicture(width, height)) {
            samples(streams.decode(pdf, from, to, filters));
        }
    }

    private void samples(byte[] content) {
        for (int colours : new int[] {1, 3, 4}) {
            long row = ((long) width * colours * bits + 7) / 8;
            long beyond = content.length - row * height;
            boolean predicted = beyond >= height && beyond <= height + END_OF_LINE;
            if (DEPTHS.contains(bits) && (predicted || (beyond >= 0 && beyond <= END_OF_LINE))) {
                if (predicted) {
                    unpredict(content, (int) row, Math.max(1, colours * bits / 8));
                }
                // The samples, and a shade of each pixel.
                if (finds.allowance().takeHeap(Limit.PICTURE_PIXELS, (long) width * height * (colours + 1))) {
                    finds.addPicture(width, height, colours, bytes(content, (int) row, predicted ? 1 : 0, colours));
                }
                return;
            }
        }
        finds.reached(Limit.PICTURE_FORMAT);
    }

    /// Converts samples to one byte each.
    ///
    /// @param ahead bytes before each row
    private byte[] bytes(byte[] content, int row, int ahead, int colours) {
        int samples = width * colours;
        byte[] bytes = new byte[samples * height];
        int most = (1 << Math.min(Byte.SIZE, bits)) - 1;
        for (int y = 0; y < height; y++) {
            int start = y * (row + ahead) + ahead;
            for (int i = 0; i < samples; i++) {
                int sample = bits >= Byte.SIZE
                        ? content[start + i * (bits / 8)] & 0xff
                        : (content[start + i * bits / 8] >> (8 - bits - i * bits % 8) & most) * 255 / most;
                bytes[y * samples + i] = (byte) sample;
            }
        }
        return bytes;
    }

    /// Reverses the prediction of PNG (ISO 15948, 9.2) in each row.
    ///
    /// @param back bytes of a pixel
    private void unpredict(byte[] content, int row, int back) {
        for (int y = 0; y < height; y++) {
            int start = y * (row + 1) + 1;
            int type = content[start - 1];
            for (int x = 0; x < row; x++) {
                int left = x < back ? 0 : content[start + x - back] & 0xff;
                int above = y == 0 ? 0 : content[start + x - row - 1] & 0xff;
                int beside = y == 0 || x < back ? 0 : content[start + x - back - row - 1] & 0xff;
                content[start + x] += (byte) PdfPrediction.predicted(type, left, above, beside);
            }
        }
    }
}
