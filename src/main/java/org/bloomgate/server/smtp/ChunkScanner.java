package org.bloomgate.server.smtp;

/// Takes chunks of BDAT (RFC 3030 2). Their length alone ends them: a dot is a dot. Bare CR and LF become CRLF as in
/// DATA, since BINARYMIME is not offered; a CRLF may lie in two chunks.
final class ChunkScanner implements BodyScanner {
    private static final byte[] CRLF = {'\r', '\n'};

    private final DataScanner.Sink sink;
    private long left;
    private boolean afterCr;
    private boolean bareLineEnds;

    ChunkScanner(DataScanner.Sink sink) {
        this.sink = sink;
    }

    /// @param bytes of the chunk that comes next
    void expect(long bytes) {
        left = bytes;
    }

    @Override
    public boolean ended() {
        return left == 0;
    }

    @Override
    public boolean sawBareLineEnds() {
        return bareLineEnds;
    }

    @Override
    public int scan(byte[] bytes, int from, int to) {
        int end = (int) Math.min(to, from + left);
        left -= end - from;
        int kept = from;
        for (int at = from; at < end; at++) {
            byte b = bytes[at];
            if (b == '\r' && !afterCr && at + 1 < end && bytes[at + 1] == '\n') {
                at++;
            } else if (afterCr || b == '\n' || b == '\r') {
                sink.write(bytes, kept, at);
                kept = lineEnd(b) ? at + 1 : at;
                afterCr = b == '\r';
            }
        }
        sink.write(bytes, kept, end);
        return end;
    }

    /// A CR is passed on when it is known what follows.
    ///
    /// @return whether the byte is used up
    private boolean lineEnd(byte b) {
        if (b == '\n' || afterCr) {
            sink.write(CRLF, 0, CRLF.length);
            bareLineEnds |= afterCr != (b == '\n');
        }
        return b == '\n' || b == '\r';
    }

    /// Behind the last chunk.
    void finish() {
        if (afterCr) {
            bareLineEnds = true;
            afterCr = false;
            sink.write(CRLF, 0, CRLF.length);
        }
    }
}
