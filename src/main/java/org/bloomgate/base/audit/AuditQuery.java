package org.bloomgate.base.audit;

import java.time.Instant;
import java.util.Locale;

/// A query for audit events: all criteria must match, without regard to case.
///
/// @param who a part of the name; empty for all
/// @param what the beginning of its label, for example `quarantine`; empty for any
/// @param value a part of the subject or of a detail; empty for any
/// @param since inclusive
/// @param limit the most events to return, the newest
public record AuditQuery(String who, String what, String value, Instant since, int limit) {
    public static final int MAX_LIMIT = 100_000;

    /// @throws IllegalArgumentException if the limit is out of bounds
    public AuditQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit: 1 to " + MAX_LIMIT);
        }
    }

    boolean matches(AuditEvent event) {
        return !event.time().isBefore(since)
                && contains(event.who(), who)
                && event.what().startsWith(what.toLowerCase(Locale.ROOT))
                && (contains(event.subject(), value)
                        || event.detail().values().stream().anyMatch(text -> contains(text, value)));
    }

    private static boolean contains(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
