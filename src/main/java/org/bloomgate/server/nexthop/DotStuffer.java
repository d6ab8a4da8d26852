package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.OutputStream;

/// Writes one message as the body of DATA (RFC 5321 4.5.2): a dot that begins a line is doubled, and a line with a
/// single dot ends it. Its state is one message's: a new one is made for each, because a stuffer that remembers how
/// the message before it ended leaves a first-line dot alone, and the next hop then reads the rest as commands.
///
/// A bare CR or LF is refused anywhere: a lenient next hop could take it for part of an end of data. Not
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

    /// A bare CR or LF in a message that should have none. What was written so far must not be ended with a dot.
    static final class BareLineEndException extends IOException {
        private static final long serialVersionUID = 1;

        BareLineEndException() {
            super("the message holds a bare CR or LF");
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

    /// The line end that the message may lack, and the final dot, in one piece. Nothing is flushed.
    @Override
    public void finish() throws IOException {
        if (afterCr) {
            throw new BareLineEndException();
        }
        out.write(lineStart ? DOT : CRLF_DOT);
    }
}
