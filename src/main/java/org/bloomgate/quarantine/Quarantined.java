package org.bloomgate.quarantine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.nexthop.MessageOctets;

/// One message in the quarantine, with the fields that were put on top of it.
///
/// @param token its name
/// @param time when it came
/// @param envelope empty when it is lost or cannot be read
public record Quarantined(String token, Instant time, long sizeBytes, Optional<QuarantineEnvelope> envelope, Path file)
        implements MessageOctets {

    @Override
    public InputStream open() throws IOException {
        return Files.newInputStream(file);
    }
}
