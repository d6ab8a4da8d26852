package org.bloomgate.picture;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The rows of a PNG one after the other, as they were before each octet was stored as its difference to what
/// neighbours foretell (ISO 15948, 9).
final class PngRows implements AutoCloseable {
    /// Where a row begins in what [#next()] returns.
    static final int FIRST = 1;

    private final Iterator<ByteBuffer> data;
    private final Inflater inflater = new Inflater();
    private final int step;
    private byte[] row;
    private byte[] above;

    /// @param octets of a row
    /// @param step octets from a pixel to the next; 1 where several share one
    PngRows(List<ByteBuffer> data, int octets, int step) {
        this.data = data.iterator();
        this.step = step;
        this.row = new byte[FIRST + octets];
        this.above = new byte[FIRST + octets];
    }

    /// The next row, from [#FIRST] on; its array is used again.
    ///
    /// @throws DataFormatException when it is damaged or there is none
    byte[] next() throws DataFormatException {
        byte[] last = row;
        row = above;
        above = last;
        fill();
        switch (row[0]) {
            case 0 -> {}
            case 1 -> left();
            case 2 -> up();
            case 3 -> mean();
            case 4 -> nearest();
            default -> throw new DataFormatException("filter " + row[0]);
        }
        return row;
    }

    private void fill() throws DataFormatException {
        int filled = 0;
        while (filled < row.length) {
            int more = inflater.inflate(row, filled, row.length - filled);
            if (more == 0) {
                if (!inflater.needsInput() || !data.hasNext()) {
                    throw new DataFormatException("ends too soon");
                }
                inflater.setInput(data.next());
            }
            filled += more;
        }
    }

    private void left() {
        for (int i = FIRST + step; i < row.length; i++) {
            row[i] += row[i - step];
        }
    }

    private void up() {
        for (int i = FIRST; i < row.length; i++) {
            row[i] += above[i];
        }
    }

    private void mean() {
        for (int i = FIRST; i < row.length; i++) {
            int left = i < FIRST + step ? 0 : row[i - step] & 0xff;
            row[i] += (byte) ((left + (above[i] & 0xff)) >> 1);
        }
    }

    /// By Paeth's choice: which of left, above and the one between them is nearest to left plus above less that one.
    private void nearest() {
        for (int i = FIRST; i < Math.min(row.length, FIRST + step); i++) {
            row[i] += above[i];
        }
        for (int i = FIRST + step; i < row.length; i++) {
            int left = row[i - step] & 0xff;
            int up = above[i] & 0xff;
            int between = above[i - step] & 0xff;
            int toLeft = Math.abs(up - between);
            int toUp = Math.abs(left - between);
            int toBetween = Math.abs(left + up - 2 * between);
            row[i] += (byte) (toLeft <= toUp && toLeft <= toBetween ? left : toUp <= toBetween ? up : between);
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
