package org.bloomgate.base.audit;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Something that was changed: a line of the trail.
///
/// @param way `command`, `http` or `page`
/// @param from address of the client; empty when it is not known
/// @param what a label of [What]
/// @param subject the value, the token of the message or the layer that it was done to
/// @param detail the rest, by name; what is empty is left out
@JsonPropertyOrder({"time", "who", "way", "from", "what", "subject", "detail"})
public record AuditEvent(
        Instant time, String who, String way, String from, String what, String subject, Map<String, String> detail) {
    public AuditEvent {
        detail = Map.copyOf(detail);
    }

    /// Beyond what a reason, a user's name and a domain may have; URLs are cut.
    static final int MAX_CHARS = 600;

    /// The changes that are recorded.
    public enum What {
        LISTING_ADD("listing-add"),
        LISTING_REMOVE("listing-remove"),
        EXCEPTION_ADD("exception-add"),
        EXCEPTION_REMOVE("exception-remove"),
        QUARANTINE_SHOW("quarantine-show"),
        QUARANTINE_DOWNLOAD("quarantine-download"),
        QUARANTINE_RELEASE("quarantine-release"),
        QUARANTINE_DELETE("quarantine-delete"),
        ROLLBACK("rollback"),
        REBUILD("rebuild"),
        REBUILD_FORCE("rebuild-force"),
        OPERATOR_ADD("operator-add"),
        OPERATOR_REMOVE("operator-remove");

        private final String label;

        What(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /// One that is done now. Texts that are longer than [#MAX_CHARS] are cut.
    public static AuditEvent of(Instant now, Actor by, What what, String subject, Map<String, String> detail) {
        Map<String, String> kept = new HashMap<>();
        detail.forEach((name, text) -> {
            if (!text.isEmpty()) {
                kept.put(name, cut(text));
            }
        });
        return new AuditEvent(now, cut(by.who()), by.way().label(), cut(by.from()), what.label(), cut(subject), kept);
    }

    /// The detail in one order.
    @Override
    public Map<String, String> detail() {
        return new TreeMap<>(detail);
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "..";
    }
}
