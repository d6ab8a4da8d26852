package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.OutputStream;

/// Writes one message as the last chunk of BDAT (RFC 3030 2): its bytes unchanged, since their number marks the
/// end. A byte too few or too many would make the server read commands as message or message as commands, so
/// both are faults. Not thread-safe.
final class LastChunk implements MessageBody {
    private static final byte[] CRLF = {'\r', '\n'};

    private final OutputStream out;
    private final byte[] end;
    private long left;

    /// @param bytes size of the message
    /// @param endsLine whether the message ends with CRLF; otherwise this writes one
    LastChunk(OutputStream out, long bytes, boolean endsLine) {
        this.out = out;
        this.left = bytes;
        this.end = endsLine ? new byte[0] : CRLF;
    }

    /// The size of the chunk, for the command.
    long bytes() {
        return left + end.length;
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        if (to - from > left) {
            throw new IOException("the message is longer than its stated size");
        }
        left -= to - from;
        out.write(bytes, from, to - from);
    }

    @Override
    public boolean isComplete() {
        return left == 0 && end.length == 0;
    }

    @Override
    public void finish() throws IOException {
        if (left > 0) {
            throw new IOException("the message is shorter than its stated size");
        }
        out.write(end);
    }
}
