package org.bloomgate.content.document;

import java.util.List;
import java.util.Set;
import org.bloomgate.core.limit.Limit;

/// A picture of a PDF (ISO 32000-1, 8.9.5), from its dictionary to its samples. How many colours a pixel has
/// and whether rows are predicted from one another follows from how many bytes there are, not from colour
/// spaces, which may stand anywhere in the file. JPEG is handed on as the file it is.
final class PdfPicture {
    private static final Set<String> JPEG = Set.of("DCTDecode", "DCT");

    /// Picture filters that are not read.
    private static final Set<String> UNREAD = Set.of("JPXDecode", "JBIG2Decode", "CCITTFaxDecode", "CCF");

    private static final Set<Integer> DEPTHS = Set.of(1, 2, 4, 8, 16);

    /// Bytes that may stand between the samples and the end of the stream.
    private static final int END_OF_LINE = 2;

    private final LinkSink finds;
    private final PdfStreams streams;
    private String key = "";
    private String given = "";
    private boolean picture;
    private boolean remoteEntries;
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
        remoteEntries = false;
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

    /// The number was the number of an object that holds the value.
    void reference() {
        remoteEntries |= !given.isEmpty();
    }

    boolean isPicture() {
        return picture;
    }

    void read(byte[] pdf, int from, int to, List<String> filters) {
        String last = filters.isEmpty() ? "" : filters.getLast();
        if (remoteEntries || UNREAD.contains(last)) {
            if (remoteEntries || finds.wantsPicture(width, height)) {
                finds.reached(Limit.PICTURE_FORMAT);
            }
        } else if (JPEG.contains(last)) {
            List<String> before = filters.subList(0, filters.size() - 1);
            byte[] file = streams.decode(pdf, from, to, before);
            finds.file("", file, file.length);
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
                    finds.picture(width, height, colours, bytes(content, (int) row, predicted ? 1 : 0, colours));
                }
                return;
            }
        }
        finds.reached(Limit.PICTURE_FORMAT);
    }

    /// A byte a sample.
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

    /// Takes the prediction of PNG (ISO 15948, 9.2) off each row.
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
                content[start + x] += (byte)
                        switch (type) {
                            case 1 -> left;
                            case 2 -> above;
                            case 3 -> (left + above) / 2;
                            case 4 -> nearest(left, above, beside);
                            default -> 0;
                        };
            }
        }
    }

    private static int nearest(int left, int above, int beside) {
        int fromLeft = Math.abs(above - beside);
        int fromAbove = Math.abs(left - beside);
        int fromBeside = Math.abs(left + above - 2 * beside);
        if (fromLeft <= fromAbove && fromLeft <= fromBeside) {
            return left;
        }
        return fromAbove <= fromBeside ? above : beside;
    }
}
