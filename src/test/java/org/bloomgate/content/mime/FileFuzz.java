package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// What holds for any bytes taken as an attached file, whose name and first bytes say how it is opened: what
/// [MessageFuzz] asks of a message. The length picks the name.
public final class FileFuzz {
    private static final List<String> NAMES = List.of(
            "x",
            "x.html",
            "x.ics",
            "x.vcf",
            "x.url",
            "x.eml",
            "x.mht",
            "x.rtf",
            "x.js",
            "x.svg",
            "x.docx",
            "x.p7m",
            "winmail.dat",
            "x.txt");

    private FileFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        byte[] header = header(NAMES.get(bytes.length % NAMES.size()));
        byte[] message = new byte[header.length + bytes.length];
        System.arraycopy(header, 0, message, 0, header.length);
        System.arraycopy(bytes, 0, message, header.length, bytes.length);
        MessageFuzz.fuzzerTestOneInput(message);
    }

    private static byte[] header(String name) {
        return ("Content-Disposition: attachment; filename=" + name
                        + "\r\nContent-Transfer-Encoding: binary\r\nContent-Type: a/b\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
