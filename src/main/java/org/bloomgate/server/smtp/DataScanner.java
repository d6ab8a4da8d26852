package org.bloomgate.server.smtp;

/// Finds the end of DATA and decodes the message: removes stuffed dots and converts bare CR and LF to CRLF (RFC
/// 5321 4.5.2, 4.1.1.4). Only CRLF.CRLF ends DATA, however it is split over blocks.
final class DataScanner implements BodyScanner {
    private static final byte[] CRLF = {'\r', '\n'};

    private enum State {
        /// After CRLF, or at the first byte.
        LINE_START,
        /// After a dot at the start of a line, not yet written.
        DOT,
        /// After dot and CR at the start of a line.
        DOT_CR,
        TEXT,
        /// After a CR, not yet written.
        CR,
        END
    }

    private final Sink sink;
    private State state = State.LINE_START;
    private boolean bareLineEnds;

    DataScanner(Sink sink) {
        this.sink = sink;
    }

    @Override
    public boolean ended() {
        return state == State.END;
    }

    @Override
    public boolean sawBareLineEnds() {
        return bareLineEnds;
    }

    @Override
    public int scan(byte[] bytes, int from, int to) {
        int at = from;
        int unwritten = from;
        while (at < to && state != State.END) {
            byte b = bytes[at];
            switch (state) {
                case LINE_START -> {
                    if (b == '.') {
                        sink.write(bytes, unwritten, at);
                        unwritten = ++at;
                        state = State.DOT;
                    } else {
                        state = State.TEXT;
                    }
                }
                case TEXT -> {
                    at = endOfText(bytes, at, to);
                    if (at < to && bytes[at] == '\r' && at + 1 < to && bytes[at + 1] == '\n') {
                        at += 2;
                        state = State.LINE_START;
                    } else if (at < to) {
                        sink.write(bytes, unwritten, at);
                        state = bytes[at] == '\r' ? State.CR : bareLineEnd();
                        unwritten = ++at;
                    }
                }
                case CR -> {
                    if (b == '\n') {
                        sink.write(CRLF, 0, CRLF.length);
                        state = State.LINE_START;
                        unwritten = ++at;
                    } else {
                        state = bareLineEnd();
                    }
                }
                case DOT -> {
                    if (b == '\r') {
                        state = State.DOT_CR;
                        unwritten = ++at;
                    } else {
                        state = State.TEXT;
                    }
                }
                case DOT_CR -> {
                    if (b == '\n') {
                        state = State.END;
                        unwritten = ++at;
                    } else {
                        state = bareLineEnd();
                    }
                }
                case END -> {}
            }
        }
        sink.write(bytes, unwritten, at);
        return at;
    }

    /// Writes a CRLF. A dot after it is text: clients stuff dots only after CRLF.
    private State bareLineEnd() {
        bareLineEnds = true;
        sink.write(CRLF, 0, CRLF.length);
        return State.TEXT;
    }

    private static int endOfText(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\r' && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    /// Receives the bytes of a message in order. A failure is recorded and reported at the end, since the bytes
    /// of the client must be read to the end anyway.
    interface Sink {

        void write(byte[] bytes, int from, int to);
    }
}
