package org.bloomgate.base.audit;

import java.util.Locale;
import java.util.Map;

/// Who changes something, and by which way.
///
/// @param who an operator named in the configuration, `admin` for the admin token, or the user of a command
/// @param from address of the client, or of the terminal; empty if unknown
public record Actor(String who, Way way, String from) {

    /// The ways to change something.
    public enum Way {
        COMMAND,
        HTTP,
        PAGE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The user of this process, whom the system vouches for, with the one whom `sudo` ran it for and the address
    /// that `sshd` names, which the user could have made up.
    public static Actor ofCommand(String user, Map<String, String> environment) {
        String sudo = environment.getOrDefault("SUDO_USER", "");
        String connection = environment.getOrDefault("SSH_CONNECTION", "");
        int end = connection.indexOf(' ');
        return new Actor(
                sudo.isEmpty() || sudo.equals(user) ? user : user + " (sudo " + sudo + ")",
                Way.COMMAND,
                end < 0 ? "" : connection.substring(0, end));
    }
}
