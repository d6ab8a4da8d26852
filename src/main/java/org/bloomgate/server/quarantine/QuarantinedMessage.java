package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.server.nexthop.MessageBytes;

/// One message in the quarantine, with the fields that were added to it.
///
/// @param time of its arrival
/// @param envelope empty if it is lost or cannot be read
public record QuarantinedMessage(
        String token, Instant time, long sizeBytes, Optional<QuarantineEnvelope> envelope, Path file)
        implements MessageBytes {

    @Override
    public InputStream open() throws IOException {
        return StateFile.stream(file);
    }

    /// The audit event of a change to this message.
    ///
    /// @param to the address that got a copy instead of the recipients
    public AuditEvent event(Instant now, Actor by, What what, Optional<String> to) {
        Map<String, String> details = new HashMap<>();
        to.ifPresent(address -> details.put("to", address));
        envelope.ifPresent(original -> {
            details.put("mailFrom", original.mailFrom());
            details.put(
                    "recipients",
                    original.recipients().stream()
                            .map(QuarantineEnvelope.Recipient::address)
                            .collect(Collectors.joining(", ")));
        });
        return AuditEvent.of(now, by, what, token, details);
    }
}
