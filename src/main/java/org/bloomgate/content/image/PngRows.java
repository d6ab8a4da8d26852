package org.bloomgate.content.image;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Iterates over the rows of a PNG, with the filters reversed that store each byte as its difference from a
/// prediction by its neighbours (ISO 15948, 9).
final class PngRows implements AutoCloseable {
    /// The start of the row in the array that [#next()] returns.
    static final int FIRST = 1;

    private final PngChunks chunks;
    private final Inflater inflater = new Inflater();
    private final int step;
    private byte[] row;
    private byte[] above;

    /// @param chunks positioned at the first one with data
    /// @param bytes number of bytes of a row
    /// @param step bytes from a pixel to the next; 1 if several pixels share a byte
    PngRows(PngChunks chunks, int bytes, int step) {
        this.chunks = chunks;
        this.inflater.setInput(chunks.content());
        this.step = step;
        this.row = new byte[FIRST + bytes];
        this.above = new byte[FIRST + bytes];
    }

    /// The next row, from [#FIRST] on; its array is reused.
    ///
    /// @throws DataFormatException if the data is damaged or missing
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
                more();
            }
            filled += more;
        }
    }

    /// Continues with the data of the next chunk; fails if there is none.
    private void more() throws DataFormatException {
        if (!inflater.needsInput() || !chunks.next() || chunks.name() != PngChunks.DATA) {
            throw new DataFormatException("ends too soon");
        }
        inflater.setInput(chunks.content());
    }

    private void up() {
        for (int i = FIRST; i < row.length; i++) {
            row[i] += above[i];
        }
    }

    // The other filters handle one byte of all pixels, then the next one, so that the byte on the left need not be read
    // again.

    private void left() {
        for (int first = FIRST; first < FIRST + step; first++) {
            int left = 0;
            for (int i = first; i < row.length; i += step) {
                left += row[i];
                row[i] = (byte) left;
            }
        }
    }

    private void mean() {
        for (int first = FIRST; first < FIRST + step; first++) {
            int left = 0;
            for (int i = first; i < row.length; i += step) {
                left = (row[i] + ((left + (above[i] & 0xff)) >> 1)) & 0xff;
                row[i] = (byte) left;
            }
        }
    }

    /// Reverses the Paeth filter: the prediction is that of left, above and above left which is nearest to left
    /// plus above minus above left.
    private void nearest() {
        for (int first = FIRST; first < FIRST + step; first++) {
            int left = 0;
            int between = 0;
            for (int i = first; i < row.length; i += step) {
                int up = above[i] & 0xff;
                int toLeft = Math.abs(up - between);
                int toUp = Math.abs(left - between);
                int toBetween = Math.abs(left + up - 2 * between);
                int foretold = toLeft <= toUp && toLeft <= toBetween ? left : toUp <= toBetween ? up : between;
                left = (row[i] + foretold) & 0xff;
                row[i] = (byte) left;
                between = up;
            }
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
