package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.bloomgate.base.io.BlockStream;

/// The content of a base64 body as the most tolerant client decodes it: other characters are skipped, and
/// base64 after padding is decoded too (bodies joined from several), until text begins. That text, such as the
/// footer of a mailing list or a hidden link, is kept for a raw scan.
final class Base64Body extends BlockStream {
    /// Bytes kept of the previous block, so that the scheme of a link, whose letters are base64 too, is still
    /// there when its colon is read.
    private static final int CARRIED_BYTES = 128;

    private static final byte[] DIGITS = createDigits();
    private static final byte BLANK = -1;
    private static final byte PADDING = -2;
    private static final byte FOREIGN = -3;

    private final InputStream encoded;
    private final int maxStrayBytes;
    private final byte[] block;
    private final ByteArrayOutputStream stray = new ByteArrayOutputStream(0);
    private int position;
    private int end;
    /// The text before this position in the block is in `stray` already.
    private int strayEnd;
    private boolean inStrayLine;
    private boolean isCut;
    private int bits;
    private int bitCount;
    private boolean hasPadding;
    private boolean hasTextBegun;

    /// @param encoded the encoded body
    /// @param maxStrayBytes the most bytes of text that are kept
    /// @param block a buffer to read through
    Base64Body(InputStream encoded, int maxStrayBytes, byte[] block) {
        this.encoded = encoded;
        this.maxStrayBytes = maxStrayBytes;
        this.block = block;
    }

    private static byte[] createDigits() {
        byte[] digits = new byte[256];
        Arrays.fill(digits, FOREIGN);
        Arrays.fill(digits, 0, ' ' + 1, BLANK);
        digits['='] = PADDING;
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            digits[alphabet.charAt(i)] = (byte) i;
        }
        return digits;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        int to = offset + count;
        int i = offset;
        while (i < to && !hasTextBegun) {
            if (position == end && !fill()) {
                break;
            }
            i = decode(target, i, to);
        }
        return i > offset || count == 0 ? i - offset : -1;
    }

    private boolean fill() throws IOException {
        int carriedBytes = Math.min(CARRIED_BYTES, end);
        int droppedBytes = end - carriedBytes;
        System.arraycopy(block, droppedBytes, block, 0, carriedBytes);
        strayEnd = Math.max(0, strayEnd - droppedBytes);
        position = carriedBytes;
        end = carriedBytes + Math.max(0, encoded.read(block, carriedBytes, block.length - carriedBytes));
        if (inStrayLine && end > position) {
            keep(position, findLineEnd(position));
        }
        return end > position;
    }

    private int findLineEnd(int from) {
        int lineEnd = from;
        while (lineEnd < end && (hasTextBegun || block[lineEnd] != '\n')) {
            lineEnd++;
        }
        return lineEnd;
    }

    /// @return where in `target` to continue
    private int decode(byte[] target, int from, int to) {
        int i = from;
        while (i < to && position < end && !hasTextBegun) {
            if (bitCount == 0) {
                i = decodeFours(target, i, to);
                if (i == to || position == end) {
                    break;
                }
            }
            int digit = DIGITS[block[position++] & 0xff];
            if (digit >= 0) {
                bits = bits << 6 | digit;
                bitCount += 6;
                if (bitCount >= Byte.SIZE) {
                    bitCount -= Byte.SIZE;
                    target[i++] = (byte) (bits >>> bitCount);
                }
            } else if (digit == PADDING) {
                hasPadding = true;
                bitCount = 0;
            } else if (digit == FOREIGN) {
                keepForeignLine();
            }
        }
        return i;
    }

    /// Decodes groups of four digits, the fast path for nearly all content.
    private int decodeFours(byte[] target, int from, int to) {
        int i = from;
        int next = position;
        for (int fours = Math.min((to - from) / 3, (end - position) / 4); fours > 0; fours--) {
            int three = DIGITS[block[next] & 0xff] << 18
                    | DIGITS[block[next + 1] & 0xff] << 12
                    | DIGITS[block[next + 2] & 0xff] << 6
                    | DIGITS[block[next + 3] & 0xff];
            if (three < 0) {
                break;
            }
            target[i] = (byte) (three >> 16);
            target[i + 1] = (byte) (three >> 8);
            target[i + 2] = (byte) three;
            i += 3;
            next += 4;
        }
        position = next;
        return i;
    }

    /// Keeps the line of the foreign byte that was just read. After padding, such a line ends the base64.
    private void keepForeignLine() {
        hasTextBegun = hasPadding;
        if (position <= strayEnd && !hasTextBegun) {
            return;
        }
        int line = Math.max(position - 1, strayEnd);
        while (line > strayEnd && block[line - 1] != '\n') {
            line--;
        }
        keep(line, findLineEnd(position));
    }

    private void keep(int from, int to) {
        int room = maxStrayBytes - stray.size();
        isCut |= room < to - from;
        stray.write(block, from, Math.min(to - from, room));
        strayEnd = to;
        inStrayLine = to == end && !hasTextBegun;
    }

    /// Whether there was more text than is kept.
    boolean isCut() {
        return isCut;
    }

    /// Whether there is text that is not base64, as far as the body was read.
    boolean hasStrayText() {
        return stray.size() > 0;
    }

    /// Returns the text that is not base64. Reads to the end of the body if the base64 has ended.
    InputStream readStrayText() throws IOException {
        while (hasTextBegun && !isCut && fill()) {
            keep(position, end);
        }
        return new ByteArrayInputStream(stray.toByteArray());
    }
}
