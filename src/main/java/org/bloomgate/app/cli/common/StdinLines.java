package org.bloomgate.app.cli.common;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.bloomgate.lists.fetch.Unpacking;

/// The lines of a stream as bytes, without their LF: a value may contain every other byte. A stream in gzip is
/// unpacked, and text in UTF-16, as PowerShell writes it, becomes UTF-8.
public final class StdinLines {
    /// A longer line is cut at this length; no rebuild lists such a value.
    static final int MAX_LINE_BYTES = PhysicalLines.MAX_BYTES;

    private static final long MAX_UNPACKED_BYTES = 1L << 32;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP = 0x1f8b;

    private final InputStream in;
    private final boolean wide;
    private final boolean bigEndian;

    public StdinLines(InputStream stdin) throws IOException {
        InputStream plain = new BufferedInputStream(stdin, BUFFER_BYTES);
        int head = head(plain);
        if (head == GZIP) {
            plain = new BufferedInputStream(Unpacking.open(plain, MAX_UNPACKED_BYTES), BUFFER_BYTES);
            head = head(plain);
        }
        in = plain;
        bigEndian = head == 0xfeff || (head > 0 && head < 0x100);
        wide = bigEndian || head == 0xfffe || (head > 0 && (head & 0xff) == 0);
    }

    /// The first two bytes; -1 if there are none, or if the first line is empty, as a client that waits for an answer
    /// sends no more.
    private static int head(InputStream in) throws IOException {
        in.mark(2);
        int first = in.read();
        int second = first < 0 || first == '\n' ? -1 : in.read();
        in.reset();
        return second < 0 ? -1 : first << 8 | second;
    }

    public Optional<byte[]> next() throws IOException {
        int unit = read();
        if (unit < 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (; unit >= 0 && unit != '\n'; unit = read()) {
            if (line.size() < MAX_LINE_BYTES) {
                if (wide) {
                    line.write(unit >> 8);
                }
                line.write(unit);
            }
        }
        byte[] bytes = line.toByteArray();
        return Optional.of(wide ? narrow(new String(bytes, StandardCharsets.UTF_16BE)) : bytes);
    }

    private static byte[] narrow(String line) {
        return line.replace("\ufeff", "").getBytes(StandardCharsets.UTF_8);
    }

    /// A byte, or two of them in UTF-16; -1 at the end.
    private int read() throws IOException {
        int first = in.read();
        if (!wide || first < 0) {
            return first;
        }
        int second = in.read();
        return second < 0 ? -1 : bigEndian ? first << 8 | second : second << 8 | first;
    }
}
