package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What holds for any bytes taken as an attached script: what [MessageFuzz] asks of a message. The first byte picks
/// the language.
public final class ScriptFuzz {
    private static final String[] ENDINGS = {"ps1", "bat", "sh", "js", "vbs", "hta"};

    private ScriptFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length > 0) {
            byte[] header = header(ENDINGS[Math.floorMod(bytes[0] - 'a', ENDINGS.length)]);
            byte[] message = Arrays.copyOf(header, header.length + bytes.length - 1);
            System.arraycopy(bytes, 1, message, header.length, bytes.length - 1);
            MessageFuzz.fuzzerTestOneInput(message);
        }
    }

    private static byte[] header(String ending) {
        return ("Content-Disposition: attachment; filename=x." + ending
                        + "\r\nContent-Transfer-Encoding: binary\r\nContent-Type: a/b\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
