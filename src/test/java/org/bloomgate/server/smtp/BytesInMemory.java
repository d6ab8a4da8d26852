package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.bloomgate.server.nexthop.MessageBytes;

/// A message that a test holds in memory.
public final class BytesInMemory implements MessageBytes {
    private final byte[] bytes;

    public BytesInMemory(byte[] bytes) {
        this.bytes = bytes;
    }

    public BytesInMemory(String bytes) {
        this(bytes.getBytes(ISO_8859_1));
    }

    @Override
    public long sizeBytes() {
        return bytes.length;
    }

    @Override
    public InputStream open() {
        return new ByteArrayInputStream(bytes);
    }
}
