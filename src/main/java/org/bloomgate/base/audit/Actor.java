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

    /// The person who runs this process: the user of `sudo`, or who logged in before the launcher changed root
    /// to another user, otherwise the user of the process; with the client address of `sshd`. All but the user of
    /// the process come from the environment, so that user could have forged them.
    public static Actor ofCommand(String user, Map<String, String> environment) {
        String person = environment.getOrDefault("SUDO_USER", "");
        String connection = environment.getOrDefault("SSH_CONNECTION", "");
        int end = connection.indexOf(' ');
        return new Actor(person.isEmpty() ? user : person, Way.COMMAND, end < 0 ? "" : connection.substring(0, end));
    }
}
