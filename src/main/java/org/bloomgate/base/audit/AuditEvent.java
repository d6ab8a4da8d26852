package org.bloomgate.base.audit;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.base.config.Labelled;

/// One change by an operator: a line of the audit log.
///
/// @param way `command`, `http` or `page`
/// @param from address of the client; empty when it is not known
/// @param what a label of [What]
/// @param subject the key, the token of the message, the layer or the operator that was changed
/// @param detail further fields by name; empty ones are left out
@JsonPropertyOrder({"time", "who", "way", "from", "what", "subject", "detail"})
public record AuditEvent(
        Instant time, String who, String way, String from, String what, String subject, Map<String, String> detail) {
    public AuditEvent {
        detail = Map.copyOf(detail);
    }

    /// Longer than any reason, user name or domain; longer URLs are cut.
    static final int MAX_CHARS = 600;

    /// The changes that are recorded.
    public enum What implements Labelled {
        LISTING_ADD,
        LISTING_REMOVE,
        EXCEPTION_ADD,
        EXCEPTION_REMOVE,
        QUARANTINE_SHOW,
        QUARANTINE_DOWNLOAD,
        QUARANTINE_RELEASE,
        QUARANTINE_DELETE,
        ROLLBACK,
        REBUILD,
        REBUILD_FORCE,
        OPERATOR_ADD,
        OPERATOR_REMOVE,
        REPORT_DECIDE
    }

    /// An event of this moment. Texts longer than [#MAX_CHARS] are cut.
    public static AuditEvent of(Instant now, Actor by, What what, String subject, Map<String, String> detail) {
        Map<String, String> fields = new HashMap<>();
        detail.forEach((name, text) -> {
            if (!text.isEmpty()) {
                fields.put(name, cut(text));
            }
        });
        return new AuditEvent(now, cut(by.who()), by.way().label(), cut(by.from()), what.label(), cut(subject), fields);
    }

    /// The detail, sorted by name.
    @Override
    public Map<String, String> detail() {
        return new TreeMap<>(detail);
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "..";
    }
}
