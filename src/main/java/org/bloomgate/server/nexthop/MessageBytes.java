package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.InputStream;

/// The bytes of a received message, in memory or in a temporary file: CRLF line ends, no dot-stuffing, no final dot.
public interface MessageBytes {

    long sizeBytes();

    /// The whole message from its first byte; may be opened more than once.
    InputStream open() throws IOException;

    /// True if the last bytes are CRLF, or there are none.
    default boolean endsWithCrlf() throws IOException {
        try (InputStream bytes = open()) {
            bytes.skipNBytes(Math.max(sizeBytes() - 2, 0));
            byte[] last = bytes.readNBytes(2);
            return last.length == 0 || (last.length == 2 && last[0] == '\r' && last[1] == '\n');
        }
    }
}
