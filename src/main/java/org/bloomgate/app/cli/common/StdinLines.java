package org.bloomgate.app.cli.common;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.bloomgate.lists.fetch.PhysicalLines;

/// The lines of a stream as bytes, without their LF: a value may contain every other byte.
public final class StdinLines {
    /// A longer line is cut at this length; no rebuild lists such a value.
    static final int MAX_LINE_BYTES = PhysicalLines.MAX_BYTES;

    private final InputStream in;

    public StdinLines(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    public Optional<byte[]> next() throws IOException {
        int b = in.read();
        if (b < 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (; b >= 0 && b != '\n'; b = in.read()) {
            if (line.size() < MAX_LINE_BYTES) {
                line.write(b);
            }
        }
        return Optional.of(line.toByteArray());
    }
}
