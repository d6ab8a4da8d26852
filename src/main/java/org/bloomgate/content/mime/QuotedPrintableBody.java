package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.bloomgate.base.io.BlockStream;

/// The content of a quoted-printable body (RFC 2045 6.7), block by block. Malformed input is decoded as Mime4j
/// does leniently: an invalid escape is kept, a line end becomes CRLF, blanks before it are dropped, and a soft
/// line break may have blanks after its `=` or be written `==`.
final class QuotedPrintableBody extends BlockStream {
    /// Blanks kept until the next character shows whether they count. Hides nothing: a longer run only loses
    /// blanks.
    static final int MAX_BLANKS = 64 * 1024;

    /// The bytes needed to decode an equals sign: `==` and a line end.
    private static final int LOOKAHEAD_BYTES = 4;

    private static final int NONE = -1;
    private static final byte PLAIN = 0;
    private static final byte BLANK = 1;
    private static final byte CR = 2;
    private static final byte LF = 3;
    private static final byte EQUALS = 4;
    private static final byte[] CLASSES = classes();

    private final InputStream encoded;
    private final byte[] block;
    private int at;
    private int end;
    private boolean ended;

    /// Blanks of which it is not known yet whether they count; blanks after an equals sign begin with that
    /// sign.
    private byte[] blanks = new byte[16];
    private int blankCount;
    private boolean afterCr;

    private byte[] target = {};
    private int next;
    private int to;

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

    private static byte[] classes() {
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
        next = offset;
        to = offset + count;
        putSurplus();
        while (next < to && available(LOOKAHEAD_BYTES)) {
            decode();
        }
        return next > offset || count == 0 ? next - offset : -1;
    }

    private void putSurplus() {
        int count = Math.min(surplusTo - surplusFrom, to - next);
        System.arraycopy(surplus, surplusFrom, target, next, count);
        next += count;
        surplusFrom += count;
        if (surplusFrom == surplusTo) {
            surplusFrom = 0;
            surplusTo = 0;
        }
    }

    /// Reads until this many bytes are available or the body ends; false if no byte is left.
    private boolean available(int bytes) throws IOException {
        while (end - at < bytes && !ended) {
            System.arraycopy(block, at, block, 0, end - at);
            end -= at;
            at = 0;
            int read = encoded.read(block, end, block.length - end);
            ended = read < 0;
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
            case PLAIN -> plain();
            case BLANK -> hold(block[at++]);
            case CR -> at++;
            case LF -> lineEnd();
            default -> escape();
        }
    }

    /// Copies a run of plain bytes with the blanks between them.
    private void plain() {
        putBlanks();
        int runEnd = endOfRun(Math.min(end, at + to - next));
        System.arraycopy(block, at, target, next, runEnd - at);
        next += runEnd - at;
        at = runEnd;
    }

    private int endOfRun(int bound) {
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

    private void lineEnd() {
        at++;
        boolean soft = blankCount > 0 && blanks[0] == '=';
        if (!soft) {
            put('\r');
            put('\n');
        }
        blankCount = 0;
    }

    private void escape() {
        int first = b(at + 1);
        if (first == '=') {
            doubled();
        } else if (first != NONE && CLASSES[first] != PLAIN) {
            softBreak(first);
        } else {
            hexadecimal(first, b(at + 2));
        }
    }

    /// Decodes `==`, which some encoders write for a soft line break.
    private void doubled() {
        putBlanks();
        put('=');
        at += 2;
        if (b(at) == '\n' || (b(at) == '\r' && b(at + 1) == '\n')) {
            hold((byte) '=');
        }
    }

    /// Decodes a soft line break; it is none if another character follows the blanks.
    private void softBreak(int first) {
        putBlanks();
        at += 2;
        if (first != '\n') {
            hold((byte) '=');
            hold((byte) first);
        }
    }

    private void hexadecimal(int first, int second) {
        putBlanks();
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
    private int b(int index) {
        return index < end ? block[index] & 0xff : NONE;
    }

    private void hold(byte blank) {
        if (blankCount == MAX_BLANKS) {
            return;
        }
        if (blankCount == blanks.length) {
            blanks = Arrays.copyOf(blanks, blankCount * 4);
        }
        blanks[blankCount++] = blank;
    }

    private void putBlanks() {
        for (int i = 0; i < blankCount; i++) {
            put(blanks[i]);
        }
        blankCount = 0;
    }

    private void putIfAny(int b) {
        if (b != NONE) {
            put(b);
        }
    }

    private void put(int b) {
        if (next < to) {
            target[next++] = (byte) b;
            return;
        }
        if (surplusTo == surplus.length) {
            surplus = Arrays.copyOf(surplus, surplusTo * 4);
        }
        surplus[surplusTo++] = (byte) b;
    }
}
