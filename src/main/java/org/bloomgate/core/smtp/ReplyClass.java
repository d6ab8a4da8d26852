package org.bloomgate.core.smtp;

import java.util.Optional;
import org.bloomgate.base.config.Labelled;

/// The outcome that a reply states, by the first digit of its code (RFC 5321 4.2.1).
public enum ReplyClass implements Labelled {
    /// Accepted.
    POSITIVE("2xx"),
    /// Deferred: the client tries again later.
    TRANSIENT("4xx"),
    /// Rejected permanently.
    PERMANENT("5xx");

    private static final int CODE_DIGITS = 3;

    private final String label;

    ReplyClass(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }

    /// The class of a reply.
    ///
    /// @param reply code and text, as stored in a decision
    /// @return empty if the text is not a final reply, for example a response of the milter protocol
    public static Optional<ReplyClass> of(String reply) {
        if (!beginsWithCode(reply)) {
            return Optional.empty();
        }
        return switch (reply.charAt(0)) {
            case '2' -> Optional.of(POSITIVE);
            case '4' -> Optional.of(TRANSIENT);
            case '5' -> Optional.of(PERMANENT);
            default -> Optional.empty();
        };
    }

    private static boolean beginsWithCode(String reply) {
        for (int i = 0; i < CODE_DIGITS; i++) {
            if (i >= reply.length() || reply.charAt(i) < '0' || reply.charAt(i) > '9') {
                return false;
            }
        }
        return reply.length() == CODE_DIGITS || reply.charAt(CODE_DIGITS) == ' ';
    }
}
