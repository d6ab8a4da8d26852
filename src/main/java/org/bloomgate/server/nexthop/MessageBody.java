package org.bloomgate.server.nexthop;

import java.io.IOException;

/// How the bytes of one message go out. Its state is one message's: a new one is made for each.
interface MessageBody {

    void write(byte[] bytes, int from, int to) throws IOException;

    /// Whether nothing is left to be written, so that the next hop may have all of it and answer.
    default boolean complete() {
        return false;
    }

    /// The line end that the message may lack and whatever ends it, in one piece. Nothing is flushed.
    void finish() throws IOException;
}
