package org.bloomgate.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/// A message that a test holds in memory.
final class OctetsInMemory implements MessageOctets {
    private final byte[] octets;

    OctetsInMemory(byte[] octets) {
        this.octets = octets;
    }

    OctetsInMemory(String octets) {
        this(octets.getBytes(ISO_8859_1));
    }

    @Override
    public long sizeBytes() {
        return octets.length;
    }

    @Override
    public InputStream open() {
        return new ByteArrayInputStream(octets);
    }
}
