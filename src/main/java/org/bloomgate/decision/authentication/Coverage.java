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
/// @param identifiers covered by themselves, in a body that is not
public record Coverage(boolean everything, boolean body, Set<String> fields, Set<Identifier> identifiers) {
    public static final Coverage NOTHING = ofSigned(Set.of(), false);
    public static final Coverage EVERYTHING = new Coverage(true, true, Set.of(), Set.of());
    public static final Coverage BODY = ofSigned(Set.of(), true);

    private static final String HEADER = "header:";
    private static final String SUBJECT = "subject";

    public Coverage {
        fields = Set.copyOf(fields);
        identifiers = Set.copyOf(identifiers);
    }

    /// These fields, and perhaps the body.
    static Coverage ofSigned(Set<String> fields, boolean body) {
        return new Coverage(false, body, fields, Set.of());
    }

    static Coverage of(Set<Identifier> identifiers) {
        return new Coverage(false, false, Set.of(), identifiers);
    }

    /// The parts that either covers.
    Coverage and(Coverage other) {
        Set<String> all = new HashSet<>(fields);
        all.addAll(other.fields);
        Set<Identifier> both = new HashSet<>(identifiers);
        both.addAll(other.identifiers);
        return new Coverage(everything || other.everything, body || other.body, all, both);
    }

    /// Whether the place at which the identifier was found is covered.
    public boolean covers(Identifier identifier) {
        return everything
                || identifiers.contains(identifier)
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
