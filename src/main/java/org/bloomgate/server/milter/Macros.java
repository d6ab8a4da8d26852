package org.bloomgate.server.milter;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Macros: values that the mail server sends with commands. Its operator chooses them, so all are optional: the
/// value of an absent macro is empty.
final class Macros {
    /// The mechanism of the login; absent for a client that has not logged in.
    static final String LOGIN = "{auth_type}";

    static final String QUEUE_ID = "i";
    static final String DAEMON = "{daemon_name}";
    static final String TLS_VERSION = "{tls_version}";
    static final String CIPHER = "{cipher}";

    /// The macros in use; others are ignored.
    static final Set<String> KNOWN = Set.of(LOGIN, QUEUE_ID, DAEMON, TLS_VERSION, CIPHER);

    /// The longest value.
    private static final int MAX_CHARACTERS = 255;

    /// The stages, by the letter of the command, in the order of SMTP.
    private static final String STAGES = "CHMRTE";

    private final Map<Character, Map<String, String>> byStage = new HashMap<>();

    /// Replaces the earlier values for this stage.
    void put(byte stage, Map<String, String> values) {
        char letter = (char) (stage & 0xff);
        if (STAGES.indexOf(letter) >= 0) {
            byStage.put(letter, values);
        }
    }

    /// Returns the value of the last stage that has one, in the order of SMTP; empty if there is none.
    String findValue(String name) {
        String value = "";
        for (int i = 0; i < STAGES.length(); i++) {
            value = byStage.getOrDefault(STAGES.charAt(i), Map.of()).getOrDefault(name, value);
        }
        return value.substring(0, Math.min(value.length(), MAX_CHARACTERS));
    }

    /// Removes the values of the stages after this one: they belong to an earlier message.
    void clearAfter(char stage) {
        for (int i = STAGES.indexOf(stage) + 1; i < STAGES.length(); i++) {
            byStage.remove(STAGES.charAt(i));
        }
    }

    void clear() {
        byStage.clear();
    }
}
