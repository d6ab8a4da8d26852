package org.bloomgate.core.smtp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Converts every line end of a message to CRLF, as it is relayed by SMTP: a single CR or LF is a line end too
/// (RFC 5321 2.3.8 forbids both, and readers differ). Every listener evaluates messages in this form. Used by
/// one thread.
public final class LineEnds {
    private static final byte[] CRLF = {'\r', '\n'};

    private boolean afterCr;

    /// Receives the converted message.
    @FunctionalInterface
    public interface Sink {
        void write(byte[] bytes, int from, int to);
    }

    /// Converts the next piece of a message; [#finish] ends it.
    public void write(byte[] bytes, int from, int to, Sink sink) {
        int unwritten = from;
        for (int at = from; at < to; at++) {
            byte b = bytes[at];
            boolean ended = afterCr;
            afterCr = false;
            if (ended) {
                sink.write(CRLF, 0, CRLF.length);
                unwritten = b == '\n' ? at + 1 : at;
            }
            if (b == '\r') {
                sink.write(bytes, unwritten, at);
                afterCr = true;
                unwritten = at + 1;
            } else if (b == '\n' && !ended) {
                sink.write(bytes, unwritten, at);
                sink.write(CRLF, 0, CRLF.length);
                unwritten = at + 1;
            }
        }
        sink.write(bytes, unwritten, Math.max(unwritten, to));
    }

    /// Ends the message after its last piece.
    public void finish(Sink sink) {
        if (afterCr) {
            afterCr = false;
            sink.write(CRLF, 0, CRLF.length);
        }
    }

    /// A stream with converted line ends.
    public static InputStream normalised(InputStream in) {
        return new Normalised(in);
    }

    private static final class Normalised extends FilterInputStream {
        private static final int BUFFER_BYTES = 8 * 1024;

        private final LineEnds ends = new LineEnds();
        private final byte[] raw = new byte[BUFFER_BYTES];

        /// Every byte may become two, and one may be left from the piece before.
        private final byte[] ready = new byte[2 * BUFFER_BYTES + 2];

        private int position;
        private int limit;
        private boolean ended;

        Normalised(InputStream in) {
            super(in);
        }

        private void keep(byte[] bytes, int from, int to) {
            System.arraycopy(bytes, from, ready, limit, to - from);
            limit += to - from;
        }

        private boolean fill() throws IOException {
            while (position == limit && !ended) {
                position = 0;
                limit = 0;
                int count = in.read(raw, 0, raw.length);
                if (count < 0) {
                    ended = true;
                    ends.finish(this::keep);
                } else {
                    ends.write(raw, 0, count, this::keep);
                }
            }
            return position < limit;
        }

        @Override
        public int read() throws IOException {
            return fill() ? ready[position++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, limit - position);
            System.arraycopy(ready, position, into, offset, count);
            position += count;
            return count;
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = 0;
            while (skipped < count && fill()) {
                int step = (int) Math.min(count - skipped, limit - position);
                position += step;
                skipped += step;
            }
            return skipped;
        }

        @Override
        public int available() {
            return limit - position;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
