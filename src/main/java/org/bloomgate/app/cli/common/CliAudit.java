package org.bloomgate.app.cli.common;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.audit.AuditQuery;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.server.quarantine.QuarantinedMessage;

/// The audit events of commands.
public final class CliAudit {
    private CliAudit() {}

    public static AuditLog of(Configuration configuration) {
        return new AuditLog(configuration.local().directory());
    }

    /// The user who runs this command.
    public static Actor user() {
        return Actor.ofCommand(System.getProperty("user.name", ""), System.getenv());
    }

    /// Records an event before its change is made.
    ///
    /// @throws IOException if it cannot be recorded; then the change must not be made
    public static void record(Configuration configuration, QuarantinedMessage message, What what) throws IOException {
        record(configuration, message, what, Optional.empty());
    }

    /// @param to recipient of a copy
    public static void record(Configuration configuration, QuarantinedMessage message, What what, Optional<String> to)
            throws IOException {
        of(configuration).record(List.of(message.event(Instant.now(), user(), what, to)));
    }

    /// The audit events about a message since its decision, and about the exceptions to what listed it, oldest
    /// first.
    public static List<AuditEvent> since(Decision decision, Configuration configuration) throws IOException {
        Set<String> values = decision.content().lookup().found().stream()
                .flatMap(found -> Stream.of(found.key(), found.value()))
                .collect(Collectors.toSet());
        AuditQuery all = new AuditQuery("", "", "", decision.time(), AuditQuery.MAX_LIMIT);
        return of(configuration).find(all).events().reversed().stream()
                .filter(event -> event.subject().equals(decision.token())
                        || (event.what().startsWith("exception") && values.contains(event.subject())))
                .toList();
    }

    /// Records an event whose change must not wait for the audit log, on a machine that may have none.
    ///
    /// @return a warning if it cannot be recorded
    public static Optional<String> recordIfPossible(
            Configuration configuration, What what, String subject, Map<String, String> detail) {
        try {
            of(configuration).record(List.of(AuditEvent.of(Instant.now(), user(), what, subject, detail)));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("warning: done, but not recorded in the audit log: " + IoText.describe(e));
        }
    }
}
