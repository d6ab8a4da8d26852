package org.bloomgate.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.audit.Actor;
import org.bloomgate.audit.AuditTrail;
import org.bloomgate.audit.Deed;
import org.bloomgate.audit.Deed.What;
import org.bloomgate.gateway.Configuration;
import org.bloomgate.quarantine.Quarantined;

/// What commands leave in the trail of who changed what.
final class Trail {
    private Trail() {}

    static AuditTrail of(Configuration configuration) {
        return new AuditTrail(configuration.local().directory());
    }

    /// Who runs this command.
    static Actor user() {
        return Actor.ofCommand(System.getProperty("user.name", ""), System.getenv());
    }

    /// Before it is done.
    ///
    /// @throws IOException when it cannot be kept: then it is not done
    static void record(Configuration configuration, Quarantined message, What what) throws IOException {
        of(configuration).record(List.of(message.deed(Instant.now(), user(), what)));
    }

    /// What is done and must not wait for the trail, on a machine that may not keep one.
    ///
    /// @return what to say when it cannot be kept
    static Optional<String> tried(Configuration configuration, What what, String subject, Map<String, String> detail) {
        try {
            of(configuration).record(List.of(Deed.of(Instant.now(), user(), what, subject, detail)));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("warning: done, but not in the trail of changes: " + ExitStatus.describe(e));
        }
    }
}
