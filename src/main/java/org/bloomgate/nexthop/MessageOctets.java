package org.bloomgate.nexthop;

import java.io.IOException;
import java.io.InputStream;

/// The octets of a received message, in memory or in a temporary file: CRLF line ends, no dot-stuffing, no final dot.
public interface MessageOctets {

    long sizeBytes();

    /// The whole message from its first octet; may be opened more than once.
    InputStream open() throws IOException;
}
