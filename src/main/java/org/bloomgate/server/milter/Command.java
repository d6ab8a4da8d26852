package org.bloomgate.server.milter;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;

/// A command of the milter protocol. Texts hold one byte a character.
sealed interface Command {

    /// @param actions edits it would carry out
    /// @param protocol steps it could leave out, replies it could do without
    record Negotiate(int version, int actions, int protocol) implements Command {}

    /// @param address empty of a client without one
    /// @param port 0 when it has none: no SMTP client
    record Connect(String host, Optional<InetAddress> address, int port) implements Command {}

    record Helo(String name) implements Command {}

    /// @param path the reverse-path as received, usually in brackets
    /// @param parameters those without which the message could not be sent on as it is, each after a
    ///     blank: ` BODY=8BITMIME SMTPUTF8`
    record Mail(String path, String parameters) implements Command {}

    /// @param path the forward-path as received, usually in brackets
    record Rcpt(String path) implements Command {}

    record Data() implements Command {}

    /// @param value its lines are parted by LF
    record Field(String name, String value) implements Command {}

    record EndOfHeader() implements Command {}

    /// A piece of the body, gone with the next command.
    record Body(Frame piece) implements Command {}

    /// @param piece of the body, mostly empty
    record EndOfMessage(Frame piece) implements Command {}

    /// @param stage the letter of the command that is to follow
    record MacroValues(byte stage, Map<String, String> values) implements Command {}

    record Abort() implements Command {}

    record Quit() implements Command {}

    /// The client has gone and another one follows on this connection.
    record QuitNewConnection() implements Command {}

    /// An SMTP command that the mail server does not know.
    record UnknownVerb() implements Command {}
}
