package org.bloomgate.base.audit;

import java.util.Map;
import org.bloomgate.base.config.Labelled;

/// The person or program that makes a change, and the way it is made.
///
/// @param who an operator named in the configuration, `admin` for the admin token, or the user of a command
/// @param from address of the client, or of the terminal; empty if unknown
public record Actor(String who, Way way, String from) {

    /// The ways to change something.
    public enum Way implements Labelled {
        COMMAND,
        HTTP,
        PAGE
    }

    /// The user of this process, as the operating system reports it, with the user who ran `sudo` and the
    /// client address of `sshd`. The last two come from the environment, so the user could have forged them.
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
