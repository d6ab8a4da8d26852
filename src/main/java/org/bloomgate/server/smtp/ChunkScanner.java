package org.bloomgate.server.smtp;

/// Reads chunks of BDAT (RFC 3030 2), which end by their length: dots have no meaning. Bare CR and LF become
/// CRLF as in DATA, since BINARYMIME is not offered; a CRLF may be split over two chunks.
final class ChunkScanner implements BodyScanner {
    private static final byte[] CRLF = {'\r', '\n'};

    private final DataScanner.Sink sink;
    private long left;
    private boolean afterCr;
    private boolean bareLineEnds;

    ChunkScanner(DataScanner.Sink sink) {
        this.sink = sink;
    }

    /// Begins a chunk of this many bytes.
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
        int unwritten = from;
        for (int at = from; at < end; at++) {
            byte b = bytes[at];
            if (b == '\r' && !afterCr && at + 1 < end && bytes[at + 1] == '\n') {
                at++;
            } else if (afterCr || b == '\n' || b == '\r') {
                sink.write(bytes, unwritten, at);
                unwritten = writeLineEnd(b) ? at + 1 : at;
                afterCr = b == '\r';
            }
        }
        sink.write(bytes, unwritten, end);
        return end;
    }

    /// Writes the line end that the last byte and this one make. A CR is written once the next byte is known.
    ///
    /// @return whether this byte is part of it
    private boolean writeLineEnd(byte b) {
        if (b == '\n' || afterCr) {
            sink.write(CRLF, 0, CRLF.length);
            bareLineEnds |= afterCr != (b == '\n');
        }
        return b == '\n' || b == '\r';
    }

    /// Called after the last chunk.
    void finish() {
        if (afterCr) {
            bareLineEnds = true;
            afterCr = false;
            sink.write(CRLF, 0, CRLF.length);
        }
    }
}
