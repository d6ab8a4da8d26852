package org.bloomgate.server.nexthop;

import java.io.IOException;

/// Writes the bytes of one message, header and body, to a next hop. Each message needs a new object.
interface MessageBody {

    void write(byte[] bytes, int from, int to) throws IOException;

    /// True if all bytes are written, so that a reply may arrive before [#finish()].
    default boolean isComplete() {
        return false;
    }

    /// Writes the last line end if the message has none, and the end-of-data mark (`.` CRLF, or the
    /// last BDAT chunk), in one write. Does not
    /// flush.
    void finish() throws IOException;
}
