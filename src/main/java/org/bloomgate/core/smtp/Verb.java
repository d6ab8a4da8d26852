package org.bloomgate.core.smtp;

import java.util.HashMap;
import java.util.Map;
import org.bloomgate.core.text.TextForms;

/// The commands of RFC 5321 and its extensions that get an answer of their own.
public enum Verb {
    EHLO,
    HELO,
    MAIL,
    RCPT,
    DATA,
    BDAT,
    RSET,
    NOOP,
    VRFY,
    EXPN,
    HELP,
    QUIT,
    STARTTLS,
    XCLIENT,
    XFORWARD,
    /// Whatever else a client sends.
    UNKNOWN;

    private static final Map<String, Verb> BY_NAME = new HashMap<>();

    static {
        for (Verb verb : values()) {
            BY_NAME.put(verb.name(), verb);
        }
    }

    /// The verb that a whole word of a command line is, in any case.
    public static Verb of(String word) {
        return BY_NAME.getOrDefault(TextForms.upperCase(word), UNKNOWN);
    }
}
