package org.bloomgate.message;

import java.nio.charset.StandardCharsets;

/// What holds for any octets taken as an attached file, whose first octets say how it is opened: what
/// [MessageFuzz] asks of a message.
public final class FileFuzz {
    private static final byte[] HEADER =
            "Content-Disposition: attachment; filename=x\r\nContent-Transfer-Encoding: binary\r\nContent-Type: a/b\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private FileFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        byte[] message = new byte[HEADER.length + octets.length];
        System.arraycopy(HEADER, 0, message, 0, HEADER.length);
        System.arraycopy(octets, 0, message, HEADER.length, octets.length);
        MessageFuzz.fuzzerTestOneInput(message);
    }
}
