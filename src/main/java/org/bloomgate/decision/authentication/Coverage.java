package org.bloomgate.decision.authentication;

import java.util.HashSet;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.text.TextForms;

/// The parts of a message for which a name is authenticated. A valid signature does not cover the client that sends
/// the message, nor unsigned fields: a replayed message gains nothing beyond its signed text.
///
/// @param everything client, HELO, envelope, header and body
/// @param body the body
/// @param fields lower-case names of header fields all of whose instances are covered
public record Coverage(boolean everything, boolean body, Set<String> fields) {
    public static final Coverage NOTHING = new Coverage(false, false, Set.of());
    public static final Coverage EVERYTHING = new Coverage(true, true, Set.of());

    private static final String HEADER = "header:";
    private static final String SUBJECT = "subject";

    public Coverage {
        fields = Set.copyOf(fields);
    }

    /// These fields, and perhaps the body.
    static Coverage ofSigned(Set<String> fields, boolean body) {
        return new Coverage(false, body, fields);
    }

    /// The parts that either covers.
    Coverage and(Coverage other) {
        Set<String> all = new HashSet<>(fields);
        all.addAll(other.fields);
        return new Coverage(everything || other.everything, body || other.body, all);
    }

    /// Whether the place at which the identifier was found is covered.
    public boolean covers(Identifier identifier) {
        return everything
                || switch (identifier.place()) {
                    case CLIENT, HELO, ENVELOPE, RECEIVED, DKIM -> false;
                    // words of the subject and of the body
                    case CONTENT -> body && fields.contains(SUBJECT);
                    default -> coversSigned(identifier.where());
                };
    }

    /// Whether a place is covered, by its name for a reader.
    public boolean covers(String where) {
        return everything || coversSigned(where);
    }

    private boolean coversSigned(String where) {
        return where.startsWith(HEADER) ? fields.contains(TextForms.lowerCase(where.substring(HEADER.length()))) : body;
    }
}
