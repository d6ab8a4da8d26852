package org.bloomgate.server.nexthop;

import java.io.IOException;

/// Writes the bytes of one message to a next hop. Each message needs a new object.
interface MessageBody {

    void write(byte[] bytes, int from, int to) throws IOException;

    /// True if all bytes are written, so that the next hop may answer already.
    default boolean complete() {
        return false;
    }

    /// Writes the last line end if the message has none, and the mark that ends it, in one write. Does not
    /// flush.
    void finish() throws IOException;
}
