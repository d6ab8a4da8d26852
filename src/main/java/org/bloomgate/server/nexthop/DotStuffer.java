package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.OutputStream;

/// Writes one message as the body of DATA (RFC 5321 4.5.2): a dot at the start of a line is doubled, and a line
/// with a single dot ends the message. Each message needs a new object: with the state of an earlier message a
/// dot at the start of the first line might not be doubled, and the next hop would read the rest as commands.
///
/// A bare CR or LF is rejected anywhere: a lenient next hop could take it as part of the end of data. Not
/// thread-safe.
public final class DotStuffer implements MessageBody {
    private static final byte[] DOT = {'.', '\r', '\n'};
    private static final byte[] CRLF_DOT = {'\r', '\n', '.', '\r', '\n'};

    private final OutputStream out;
    private boolean lineStart = true;
    private boolean afterCr;

    public DotStuffer(OutputStream out) {
        this.out = out;
    }

    /// The message has a bare CR or LF. The part already written must not be ended with a dot.
    static final class BareLineEndException extends IOException {
        private static final long serialVersionUID = 1;

        BareLineEndException() {
            super("the message has a bare CR or LF");
        }
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        int written = from;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (afterCr != (b == '\n')) {
                throw new BareLineEndException();
            }
            if (lineStart && b == '.') {
                out.write(bytes, written, i - written);
                out.write('.');
                written = i;
            }
            lineStart = afterCr;
            afterCr = b == '\r';
        }
        out.write(bytes, written, to - written);
    }

    /// Writes the last line end if the message has none, and the final dot, in one write. Does not flush.
    @Override
    public void finish() throws IOException {
        if (afterCr) {
            throw new BareLineEndException();
        }
        out.write(lineStart ? DOT : CRLF_DOT);
    }
}
