package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Limit;

/// Unpacks RTF that Exchange has compressed (MS-OXRTFCP): runs are copied from the last 4,096 bytes, which
/// initially contain a text of common words.
final class CompressedRtf {
    private static final int HEADER_BYTES = 16;
    private static final String STORED = "MELA";
    private static final String PACKED = "LZFu";
    private static final int WINDOW = 4096;

    /// Unpacked bytes: the limit `archiveBytes`. A run of 17 bytes takes two.
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final byte[] WORDS = ("{\\r"
                    + "tf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript"
                    + " \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\r"
                    + "ed0\\green0\\blue0\r\n"
                    + "\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx")
            .getBytes(StandardCharsets.US_ASCII);

    private CompressedRtf() {}

    /// The RTF; empty, with the limit `opaque`, if it is neither stored nor packed.
    static byte[] read(byte[] packed, LinkSink sink) {
        if (LittleEndian.isAt(packed, packed.length, 8, STORED)) {
            return Arrays.copyOfRange(packed, HEADER_BYTES, packed.length);
        }
        if (LittleEndian.isAt(packed, packed.length, 8, PACKED)) {
            return unpack(packed, sink);
        }
        sink.reached(Limit.OPAQUE);
        return new byte[0];
    }

    private static byte[] unpack(byte[] packed, LinkSink sink) {
        byte[] window = Arrays.copyOf(WORDS, WINDOW);
        byte[] out = new byte[Math.min(MAX_BYTES, packed.length * 9)];
        int write = WORDS.length;
        int length = 0;
        int at = HEADER_BYTES;
        while (at < packed.length && sink.spend(16)) {
            int kinds = packed[at++];
            for (int bit = 0; bit < Byte.SIZE && at < packed.length; bit++) {
                boolean run = (kinds >> bit & 1) != 0;
                int first = packed[at++] & 0xff;
                int second = run ? LittleEndian.at(packed, packed.length, at++) : 0;
                int read = first << 4 | second >> 4;
                if (run && read == write % WINDOW) {
                    return Arrays.copyOf(out, length);
                }
                int count = run ? (second & 15) + 2 : 1;
                for (int i = 0; i < count; i++) {
                    if (length == out.length) {
                        sink.reached(Limit.ARCHIVE_BYTES);
                        return out;
                    }
                    byte b = run ? window[(read + i) % WINDOW] : (byte) first;
                    out[length++] = b;
                    window[write++ % WINDOW] = b;
                }
            }
        }
        return Arrays.copyOf(out, length);
    }
}
