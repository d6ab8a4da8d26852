package org.bloomgate.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;

/// A message of the quarantine with the beginning of its text, as it is kept; nothing in it does anything where text is
/// shown.
record OpenedMessage(QuarantineSummary message, String text, boolean complete) {
    static final int MAX_TEXT_BYTES = 64 * 1024;

    static OpenedMessage of(QuarantinedMessage message) throws IOException {
        try (InputStream bytes = message.open()) {
            byte[] start = bytes.readNBytes(MAX_TEXT_BYTES);
            String text = new String(start, StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}&&[^\t\n]]", "");
            return new OpenedMessage(QuarantineSummary.of(message), text, message.sizeBytes() <= MAX_TEXT_BYTES);
        }
    }
}
