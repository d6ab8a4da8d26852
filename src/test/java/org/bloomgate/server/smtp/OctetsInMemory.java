package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.bloomgate.server.nexthop.MessageOctets;

/// A message that a test holds in memory.
public final class OctetsInMemory implements MessageOctets {
    private final byte[] octets;

    public OctetsInMemory(byte[] octets) {
        this.octets = octets;
    }

    public OctetsInMemory(String octets) {
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
