package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;

/// What holds for any bytes taken as a PDF: what [MessageFuzz] asks of a message, without the way through
/// MIME.
public final class PdfFuzz {
    private static final byte[] HEADER = "Content-Type: application/pdf\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private PdfFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        byte[] message = new byte[HEADER.length + bytes.length];
        System.arraycopy(HEADER, 0, message, 0, HEADER.length);
        System.arraycopy(bytes, 0, message, HEADER.length, bytes.length);
        MessageFuzz.fuzzerTestOneInput(message);
    }
}
