package org.bloomgate.decision.authentication;

import java.io.IOException;
import java.io.InputStream;

/// The bytes of a message that can be read more than once.
public interface MessageSource {

    /// Opens the message at its first byte. Lines end in CRLF; the header ends with an empty line.
    InputStream open() throws IOException;
}
