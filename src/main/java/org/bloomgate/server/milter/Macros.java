package org.bloomgate.server.milter;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Values that the mail server sends with commands. Its operator chooses which are sent, so all of them are
/// optional: an absent one is empty.
final class Macros {
    /// How a client logged in; set for those who did.
    static final String LOGIN = "{auth_type}";

    static final String QUEUE_ID = "i";
    static final String DAEMON = "{daemon_name}";
    static final String TLS_VERSION = "{tls_version}";
    static final String CIPHER = "{cipher}";

    /// Those that are kept.
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

    /// The last value sent, in the order of SMTP; empty if there is none.
    String value(String name) {
        String found = "";
        for (int i = 0; i < STAGES.length(); i++) {
            found = byStage.getOrDefault(STAGES.charAt(i), Map.of()).getOrDefault(name, found);
        }
        return found.substring(0, Math.min(found.length(), MAX_CHARACTERS));
    }

    /// Forgets the values for later commands: they belong to an earlier message.
    void forgetBehind(char stage) {
        for (int i = STAGES.indexOf(stage) + 1; i < STAGES.length(); i++) {
            byStage.remove(STAGES.charAt(i));
        }
    }

    void clear() {
        byStage.clear();
    }
}
