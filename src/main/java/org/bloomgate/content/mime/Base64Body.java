package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// The content of a base64 body as the most forgiving client decodes it: other characters within are passed over, and
/// what follows padding is decoded too (bodies put together of several), until text begins. That text, a list's
/// footer or a link made to be overlooked, is kept for a raw scan.
final class Base64Body extends BlockStream {
    /// Bytes kept of the previous block, so that the scheme of a link, all of which is base64, is still there
    /// before its colon.
    private static final int CARRIED_BYTES = 128;

    private static final byte[] DIGITS = digits();
    private static final byte BLANK = -1;
    private static final byte PADDING = -2;
    private static final byte FOREIGN = -3;

    private final InputStream encoded;
    private final int mostStray;
    private final byte[] block;
    private final ByteArrayOutputStream stray = new ByteArrayOutputStream(0);
    private int at;
    private int end;
    private int kept;
    private boolean inStrayLine;
    private boolean cut;
    private int bits;
    private int held;
    private boolean padded;
    private boolean over;

    /// @param encoded with its transfer encoding on
    /// @param mostStray bytes of text that are kept
    /// @param block to read through, whatever is in it
    Base64Body(InputStream encoded, int mostStray, byte[] block) {
        this.encoded = encoded;
        this.mostStray = mostStray;
        this.block = block;
    }

    private static byte[] digits() {
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
    public int read(byte[] target, int offset, int wanted) throws IOException {
        int to = offset + wanted;
        int i = offset;
        while (i < to && !over) {
            if (at == end && !fill()) {
                break;
            }
            i = decode(target, i, to);
        }
        return i > offset || wanted == 0 ? i - offset : -1;
    }

    private boolean fill() throws IOException {
        int carried = Math.min(CARRIED_BYTES, end);
        int gone = end - carried;
        System.arraycopy(block, gone, block, 0, carried);
        kept = Math.max(0, kept - gone);
        at = carried;
        end = carried + Math.max(0, encoded.read(block, carried, block.length - carried));
        if (inStrayLine && end > at) {
            keep(at, endOfLine(at));
        }
        return end > at;
    }

    private int endOfLine(int from) {
        int behind = from;
        while (behind < end && (over || block[behind] != '\n')) {
            behind++;
        }
        return behind;
    }

    /// @return where in `target` to go on
    private int decode(byte[] target, int from, int to) {
        int i = from;
        while (i < to && at < end && !over) {
            if (held == 0) {
                i = decodeFours(target, i, to);
                if (i == to || at == end) {
                    break;
                }
            }
            int digit = DIGITS[block[at++] & 0xff];
            if (digit >= 0) {
                bits = bits << 6 | digit;
                held += 6;
                if (held >= Byte.SIZE) {
                    held -= Byte.SIZE;
                    target[i++] = (byte) (bits >>> held);
                }
            } else if (digit == PADDING) {
                padded = true;
                held = 0;
            } else if (digit == FOREIGN) {
                foreign();
            }
        }
        return i;
    }

    /// As long as four digits stand together, which is nearly always.
    private int decodeFours(byte[] target, int from, int to) {
        int i = from;
        int next = at;
        for (int fours = Math.min((to - from) / 3, (end - at) / 4); fours > 0; fours--) {
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
        at = next;
        return i;
    }

    /// Keeps the line around the byte before `at`. Behind padding it ends the base64.
    private void foreign() {
        over = padded;
        if (at <= kept) {
            return;
        }
        int line = at - 1;
        while (line > kept && block[line - 1] != '\n') {
            line--;
        }
        keep(line, endOfLine(at));
    }

    private void keep(int from, int to) {
        int room = mostStray - stray.size();
        cut |= room < to - from;
        stray.write(block, from, Math.min(to - from, room));
        kept = to;
        inStrayLine = to == end && !over;
    }

    /// True when there was more text than is kept.
    boolean isCut() {
        return cut;
    }

    /// True when there is text that is no base64, as far as the body was read.
    boolean holdsText() {
        return stray.size() > 0;
    }

    /// That text. Reads on to the end of the body where the base64 has ended.
    InputStream text() throws IOException {
        while (over && !cut && fill()) {
            keep(at, end);
        }
        return new ByteArrayInputStream(stray.toByteArray());
    }
}
