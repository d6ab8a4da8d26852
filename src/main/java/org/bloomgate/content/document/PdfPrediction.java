package org.bloomgate.content.document;

import java.util.Arrays;
import java.util.Map;
import org.bloomgate.core.limit.Limit;

/// The prediction of a stream's rows before compression (ISO 32000-1, 7.4.4.4), read from its dictionary, and
/// its reversal. Parameters elsewhere in the file, or stated twice with different values, count as unknown,
/// which is the limit `pdfDamaged` if the stream is needed.
final class PdfPrediction {
    private static final String PREDICTOR = "Predictor";
    private static final String COLUMNS = "Columns";
    private static final String COLOURS = "Colors";
    private static final String BITS = "BitsPerComponent";

    /// Default values by key; the two keys that contain the other values have no number.
    private static final Map<String, Integer> DEFAULTS =
            Map.of(PREDICTOR, 1, COLUMNS, 1, COLOURS, 1, BITS, 8, "DecodeParms", 0, "DP", 0);

    private static final int TIFF = 2;
    private static final int FIRST_OF_PNG = 10;
    private static final int LAST_OF_PNG = 15;

    /// For a stream without parameters.
    static final PdfPrediction NONE = new PdfPrediction();

    private String key = "";
    private String given = "";
    private int predictor;
    private int columns;
    private int colours;
    private int bits;
    private boolean unknown;

    /// Resets the parameters.
    void begin() {
        key = "";
        given = "";
        predictor = 0;
        columns = 0;
        colours = 0;
        bits = 0;
        unknown = false;
    }

    /// A copy of the current parameters.
    PdfPrediction copy() {
        if (predictor <= 1 && !unknown) {
            return NONE;
        }
        PdfPrediction copy = new PdfPrediction();
        copy.predictor = predictor;
        copy.columns = columns;
        copy.colours = colours;
        copy.bits = bits;
        copy.unknown = unknown;
        return copy;
    }

    void name(String name) {
        key = DEFAULTS.containsKey(name) ? name : "";
        given = "";
    }

    void number(long number) {
        int value = Math.clamp(number, 1, Integer.MAX_VALUE);
        switch (key) {
            case PREDICTOR -> predictor = agreed(predictor, value);
            case COLUMNS -> columns = agreed(columns, value);
            case COLOURS -> colours = agreed(colours, value);
            case BITS -> bits = agreed(bits, value);
            default -> {}
        }
        given = key.isEmpty() ? given : key;
        key = "";
    }

    private int agreed(int before, int value) {
        unknown |= before != 0 && before != value;
        return value;
    }

    /// Called if the last number was the number of an object with the value, not the value itself.
    void reference() {
        unknown |= !given.isEmpty();
    }

    /// The bytes before the prediction.
    ///
    /// @param times number of compressions, one of them with a prediction
    byte[] undo(byte[] content, int times, LinkSink finds) {
        if (unknown || (predictor > 1 && times > 1)) {
            finds.reached(Limit.PDF_DAMAGED);
        }
        boolean plain = predictor <= 1 || !finds.spend(content.length);
        if (plain || !finds.allowance().takeHeap(Limit.PDF_INFLATED, 2L * content.length)) {
            return content;
        }
        long most = Math.max(1, content.length);
        long pixelBits = Math.min(8 * most, or(colours, COLOURS) * or(bits, BITS));
        int row = (int) Math.clamp((or(columns, COLUMNS) * pixelBits + 7) / 8, 1, most);
        int pixel = (int) Math.max(1, pixelBits / 8);
        if (predictor >= FIRST_OF_PNG && predictor <= LAST_OF_PNG) {
            return png(content, row, pixel);
        }
        if (predictor == TIFF && or(bits, BITS) == Byte.SIZE) {
            return tiff(content, row, pixel);
        }
        finds.reached(Limit.PDF_DAMAGED);
        return content;
    }

    private static long or(int value, String key) {
        return value == 0 ? DEFAULTS.getOrDefault(key, 1) : value;
    }

    /// Each sample is the difference to the sample of the pixel before.
    private static byte[] tiff(byte[] content, int row, int pixel) {
        byte[] plain = content.clone();
        for (int i = 0; i < plain.length; i++) {
            plain[i] += i % row < pixel ? 0 : plain[i - pixel];
        }
        return plain;
    }

    /// Each row begins with the type of its prediction (ISO 15948, 9.2).
    private static byte[] png(byte[] content, int row, int pixel) {
        byte[] plain = new byte[content.length];
        int length = 0;
        for (int start = 0; start < content.length; start += row + 1) {
            int end = Math.min(content.length, start + 1 + row);
            for (int i = start + 1; i < end; i++, length++) {
                boolean inside = i - start > pixel;
                int left = inside ? plain[length - pixel] & 0xff : 0;
                int above = start == 0 ? 0 : plain[length - row] & 0xff;
                int beside = start == 0 || !inside ? 0 : plain[length - row - pixel] & 0xff;
                plain[length] = (byte) (content[i] + predicted(content[start], left, above, beside));
            }
        }
        return Arrays.copyOf(plain, length);
    }

    /// The predicted byte.
    ///
    /// @param beside the byte above `left`
    static int predicted(int type, int left, int above, int beside) {
        return switch (type) {
            case 1 -> left;
            case 2 -> above;
            case 3 -> (left + above) / 2;
            case 4 -> nearest(left, above, beside);
            default -> 0;
        };
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
