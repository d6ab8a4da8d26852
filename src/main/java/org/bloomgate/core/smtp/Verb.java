package org.bloomgate.core.smtp;

import java.util.HashMap;
import java.util.Map;
import org.bloomgate.core.text.TextForms;

/// The commands of RFC 5321 and its extensions that have a reply of their own.
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
    /// Any other command.
    UNKNOWN;

    private static final Map<String, Verb> BY_NAME = new HashMap<>();

    static {
        for (Verb verb : values()) {
            BY_NAME.put(verb.name(), verb);
        }
    }

    /// The verb for a word of a command line, in any case.
    public static Verb of(String word) {
        return BY_NAME.getOrDefault(TextForms.upperCase(word), UNKNOWN);
    }
}
