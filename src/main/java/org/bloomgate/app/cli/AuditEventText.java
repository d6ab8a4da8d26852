package org.bloomgate.app.cli;

import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import org.bloomgate.base.audit.AuditEvent;

/// A change of the trail for a reader, in one line.
public final class AuditEventText {
    private AuditEventText() {}

    /// `TIME  WHO by WAY from FROM  WHAT  SUBJECT  NAME VALUE, ..`
    public static String of(AuditEvent deed) {
        String from = deed.from().isEmpty() ? "" : " from " + Printable.of(deed.from());
        return deed.time().truncatedTo(ChronoUnit.SECONDS) + "  " + Printable.of(deed.who()) + " by " + deed.way()
                + from
                + "  " + Printable.of(deed.what()) + "  " + Printable.of(deed.subject()) + "  "
                + deed.detail().entrySet().stream()
                        .map(one -> one.getKey() + " " + Printable.of(one.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
