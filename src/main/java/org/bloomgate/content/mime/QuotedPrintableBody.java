package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// The content of a quoted-printable body (RFC 2045 6.7), block by block. Malformed input is decoded as Mime4j
/// does leniently: an invalid escape is kept, a line end becomes CRLF, blanks before it are dropped, and a soft
/// line break may have blanks after its `=` or be written `==`.
final class QuotedPrintableBody extends BlockStream {
    /// Blanks kept until the next character tells whether they count. Hides nothing: a longer run only loses
    /// blanks.
    static final int MAX_BLANKS = 64 * 1024;

    /// The bytes needed to understand an equals sign: `==` and a line end.
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

    /// Not yet known to count; those behind an equals sign begin with it.
    private byte[] blanks = new byte[16];
    private int held;
    private boolean afterCr;

    private byte[] target = {};
    private int next;
    private int to;

    /// Decoded bytes for which the target had no space.
    private byte[] over = new byte[16];
    private int overFrom;
    private int overTo;

    /// @param encoded with its transfer encoding on
    /// @param block to read through, whatever is in it
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
    public int read(byte[] into, int offset, int wanted) throws IOException {
        target = into;
        next = offset;
        to = offset + wanted;
        takeOver();
        while (next < to && available(LOOKAHEAD_BYTES)) {
            decode();
        }
        return next > offset || wanted == 0 ? next - offset : -1;
    }

    private void takeOver() {
        int count = Math.min(overTo - overFrom, to - next);
        System.arraycopy(over, overFrom, target, next, count);
        next += count;
        overFrom += count;
        if (overFrom == overTo) {
            overFrom = 0;
            overTo = 0;
        }
    }

    /// Reads on until this many bytes are there or none follow. False when nothing is left.
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

    /// The byte at hand, or a run of plain ones.
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

    /// Blanks within the run, too.
    private void plain() {
        putBlanks();
        int behind = endOfRun(Math.min(end, at + to - next));
        System.arraycopy(block, at, target, next, behind - at);
        next += behind - at;
        at = behind;
    }

    private int endOfRun(int most) {
        byte[] bytes = block;
        byte[] classes = CLASSES;
        int behind = at;
        while (behind < most && classes[bytes[behind] & 0xff] <= BLANK) {
            behind++;
        }
        while (behind > at && classes[bytes[behind - 1] & 0xff] == BLANK) {
            behind--;
        }
        return behind;
    }

    private void lineEnd() {
        at++;
        boolean soft = held > 0 && blanks[0] == '=';
        if (!soft) {
            put('\r');
            put('\n');
        }
        held = 0;
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

    /// Some encoders write `==` for the soft line break.
    private void doubled() {
        putBlanks();
        put('=');
        at += 2;
        if (b(at) == '\n' || (b(at) == '\r' && b(at + 1) == '\n')) {
            hold((byte) '=');
        }
    }

    /// Unless something follows the blanks.
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

    /// [#NONE] behind the end of the body.
    private int b(int index) {
        return index < end ? block[index] & 0xff : NONE;
    }

    private void hold(byte blank) {
        if (held == MAX_BLANKS) {
            return;
        }
        if (held == blanks.length) {
            blanks = Arrays.copyOf(blanks, held * 4);
        }
        blanks[held++] = blank;
    }

    private void putBlanks() {
        for (int i = 0; i < held; i++) {
            put(blanks[i]);
        }
        held = 0;
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
        if (overTo == over.length) {
            over = Arrays.copyOf(over, overTo * 4);
        }
        over[overTo++] = (byte) b;
    }
}
