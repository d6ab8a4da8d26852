package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.OutputStream;

/// Writes one message as the last chunk of BDAT (RFC 3030 2): its bytes as they are, since their number ends it. One
/// byte too few or too many would be made up for with commands, so either is a fault. Not thread-safe.
final class LastChunk implements MessageBody {
    private static final byte[] CRLF = {'\r', '\n'};

    private final OutputStream out;
    private final byte[] end;
    private long left;

    /// @param bytes of the message; it gets a line end besides when it lacks one
    LastChunk(OutputStream out, long bytes, boolean endsLine) {
        this.out = out;
        this.left = bytes;
        this.end = endsLine ? new byte[0] : CRLF;
    }

    /// The size that the command states.
    long bytes() {
        return left + end.length;
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        if (to - from > left) {
            throw new IOException("the message is longer than it was said to be");
        }
        left -= to - from;
        out.write(bytes, from, to - from);
    }

    @Override
    public boolean complete() {
        return left == 0 && end.length == 0;
    }

    @Override
    public void finish() throws IOException {
        if (left > 0) {
            throw new IOException("the message is shorter than it was said to be");
        }
        out.write(end);
    }
}
