package org.bloomgate.app.cli.common;

import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import org.bloomgate.base.audit.AuditEvent;

/// Formats an audit event as one line for a terminal.
public final class AuditEventText {
    private AuditEventText() {}

    /// `TIME  WHO by WAY from FROM  WHAT  SUBJECT  NAME VALUE, ..`
    public static String of(AuditEvent event) {
        String from = event.from().isEmpty() ? "" : " from " + Printable.of(event.from());
        return event.time().truncatedTo(ChronoUnit.SECONDS) + "  " + Printable.of(event.who()) + " by " + event.way()
                + from
                + "  " + Printable.of(event.what()) + "  " + Printable.of(event.subject()) + "  "
                + event.detail().entrySet().stream()
                        .map(detail -> detail.getKey() + " " + Printable.of(detail.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
