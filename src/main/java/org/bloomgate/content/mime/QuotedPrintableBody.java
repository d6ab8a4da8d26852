package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.bloomgate.base.io.BlockStream;

/// The content of a quoted-printable body (RFC 2045 6.7), block by block. Malformed input is decoded as in the
/// lenient mode of Mime4j: an invalid escape is kept, a line end becomes CRLF, blanks before it are dropped,
/// and a soft line break may have blanks after its `=` or be written `==`.
final class QuotedPrintableBody extends BlockStream {
    /// The most bytes held back until the next character shows whether they end the line. Hides nothing: of a longer
    /// run, only blanks are lost.
    static final int MAX_PENDING_BYTES = 64 * 1024;

    /// The bytes needed to decode an equals sign: `==` and a line end.
    private static final int LOOKAHEAD_BYTES = 4;

    private static final int NONE = -1;
    private static final byte PLAIN = 0;
    private static final byte BLANK = 1;
    private static final byte CR = 2;
    private static final byte LF = 3;
    private static final byte EQUALS = 4;
    private static final byte[] CLASSES = createClasses();

    private final InputStream encoded;
    private final byte[] block;
    private int at;
    private int end;
    private boolean inputEnded;

    /// Blanks held back because they are dropped if a line end follows. After an equals sign, the first byte is that
    /// sign.
    private byte[] pendingBytes = new byte[16];
    private int pendingCount;
    private boolean afterCr;

    private byte[] target = {};
    private int targetAt;
    private int targetEnd;

    /// Decoded bytes for which the target had no space.
    private byte[] surplus = new byte[16];
    private int surplusFrom;
    private int surplusTo;

    /// @param encoded the encoded body
    /// @param block a buffer to read through
    QuotedPrintableBody(InputStream encoded, byte[] block) {
        this.encoded = encoded;
        this.block = block;
    }

    private static byte[] createClasses() {
        byte[] classes = new byte[256];
        for (int b = 0; b < classes.length; b++) {
            classes[b] = Character.isWhitespace(b) ? BLANK : PLAIN;
        }
        classes['\r'] = CR;
        classes['\n'] = LF;
        classes['='] = EQUALS;
        return classes;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        target = into;
        targetAt = offset;
        targetEnd = offset + count;
        putSurplus();
        while (targetAt < targetEnd && fill(LOOKAHEAD_BYTES)) {
            decode();
        }
        return targetAt > offset || count == 0 ? targetAt - offset : -1;
    }

    private void putSurplus() {
        int count = Math.min(surplusTo - surplusFrom, targetEnd - targetAt);
        System.arraycopy(surplus, surplusFrom, target, targetAt, count);
        targetAt += count;
        surplusFrom += count;
        if (surplusFrom == surplusTo) {
            surplusFrom = 0;
            surplusTo = 0;
        }
    }

    /// Reads until this many bytes are available or the body ends; false if no byte is left.
    private boolean fill(int minBytes) throws IOException {
        while (end - at < minBytes && !inputEnded) {
            System.arraycopy(block, at, block, 0, end - at);
            end -= at;
            at = 0;
            int read = encoded.read(block, end, block.length - end);
            inputEnded = read < 0;
            end += Math.max(read, 0);
        }
        return at < end;
    }

    /// Decodes the next byte, or a run of plain bytes.
    private void decode() {
        byte kind = CLASSES[block[at] & 0xff];
        if (afterCr && kind != LF) {
            put('\r');
        }
        afterCr = kind == CR;
        switch (kind) {
            case PLAIN -> copyPlain();
            case BLANK -> holdBack(block[at++]);
            case CR -> at++;
            case LF -> decodeLineEnd();
            default -> decodeEscape();
        }
    }

    /// Copies a run of plain bytes with the blanks between them.
    private void copyPlain() {
        putPending();
        int runEnd = findRunEnd(Math.min(end, at + targetEnd - targetAt));
        System.arraycopy(block, at, target, targetAt, runEnd - at);
        targetAt += runEnd - at;
        at = runEnd;
    }

    private int findRunEnd(int bound) {
        byte[] bytes = block;
        byte[] classes = CLASSES;
        int runEnd = at;
        while (runEnd < bound && classes[bytes[runEnd] & 0xff] <= BLANK) {
            runEnd++;
        }
        while (runEnd > at && classes[bytes[runEnd - 1] & 0xff] == BLANK) {
            runEnd--;
        }
        return runEnd;
    }

    private void decodeLineEnd() {
        at++;
        boolean soft = pendingCount > 0 && pendingBytes[0] == '=';
        if (!soft) {
            put('\r');
            put('\n');
        }
        pendingCount = 0;
    }

    private void decodeEscape() {
        int first = byteAt(at + 1);
        if (first == '=') {
            decodeDoubleEquals();
        } else if (first != NONE && CLASSES[first] != PLAIN) {
            decodeSoftBreak(first);
        } else {
            decodeHex(first, byteAt(at + 2));
        }
    }

    /// Decodes `==`, which some encoders write for a soft line break.
    private void decodeDoubleEquals() {
        putPending();
        put('=');
        at += 2;
        if (byteAt(at) == '\n' || (byteAt(at) == '\r' && byteAt(at + 1) == '\n')) {
            holdBack((byte) '=');
        }
    }

    /// Decodes a soft line break. If another character follows the blanks, it is not a soft line break.
    private void decodeSoftBreak(int first) {
        putPending();
        at += 2;
        if (first != '\n') {
            holdBack((byte) '=');
            holdBack((byte) first);
        }
    }

    private void decodeHex(int first, int second) {
        putPending();
        int high = Character.digit(first, 16);
        int low = Character.digit(second, 16);
        if (high >= 0 && low >= 0) {
            put(high << 4 | low);
        } else {
            put('=');
            putIfAny(first);
            putIfAny(second);
        }
        at = Math.min(at + 3, end);
    }

    /// The byte at this index; [#NONE] after the end of the body.
    private int byteAt(int index) {
        return index < end ? block[index] & 0xff : NONE;
    }

    private void holdBack(byte b) {
        if (pendingCount == MAX_PENDING_BYTES) {
            return;
        }
        if (pendingCount == pendingBytes.length) {
            pendingBytes = Arrays.copyOf(pendingBytes, pendingCount * 4);
        }
        pendingBytes[pendingCount++] = b;
    }

    private void putPending() {
        for (int i = 0; i < pendingCount; i++) {
            put(pendingBytes[i]);
        }
        pendingCount = 0;
    }

    private void putIfAny(int b) {
        if (b != NONE) {
            put(b);
        }
    }

    private void put(int b) {
        if (targetAt < targetEnd) {
            target[targetAt++] = (byte) b;
            return;
        }
        if (surplusTo == surplus.length) {
            surplus = Arrays.copyOf(surplus, surplusTo * 4);
        }
        surplus[surplusTo++] = (byte) b;
    }
}
