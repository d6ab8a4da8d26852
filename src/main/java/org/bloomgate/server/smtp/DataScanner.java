package org.bloomgate.server.smtp;

/// Finds the end of DATA and turns what came before it into the message: stuffed dots are removed, bare CR and LF
/// become CRLF (RFC 5321 4.5.2, 4.1.1.4). Only CRLF.CRLF ends DATA, whatever else looks like it, however it is split.
final class DataScanner implements BodyScanner {
    private static final byte[] CRLF = {'\r', '\n'};

    private enum State {
        /// After CRLF, or at the first byte.
        LINE_START,
        /// A dot at the start of a line, not yet passed on.
        DOT,
        /// Dot and CR at the start of a line.
        DOT_CR,
        TEXT,
        /// A CR, not yet passed on.
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
        int kept = from;
        while (at < to && state != State.END) {
            byte b = bytes[at];
            switch (state) {
                case LINE_START -> {
                    if (b == '.') {
                        sink.write(bytes, kept, at);
                        kept = ++at;
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
                        sink.write(bytes, kept, at);
                        state = bytes[at] == '\r' ? State.CR : bareLineEnd();
                        kept = ++at;
                    }
                }
                case CR -> {
                    if (b == '\n') {
                        sink.write(CRLF, 0, CRLF.length);
                        state = State.LINE_START;
                        kept = ++at;
                    } else {
                        state = bareLineEnd();
                    }
                }
                case DOT -> {
                    if (b == '\r') {
                        state = State.DOT_CR;
                        kept = ++at;
                    } else {
                        state = State.TEXT;
                    }
                }
                case DOT_CR -> {
                    if (b == '\n') {
                        state = State.END;
                        kept = ++at;
                    } else {
                        state = bareLineEnd();
                    }
                }
                case END -> {}
            }
        }
        sink.write(bytes, kept, at);
        return at;
    }

    /// A dot that follows is text: the client stuffs only after CRLF.
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

    /// Takes the bytes of a message in order. A failure is remembered and reported at the end, as the client's
    /// bytes have to be read to the end in any case.
    interface Sink {

        void write(byte[] bytes, int from, int to);
    }
}
