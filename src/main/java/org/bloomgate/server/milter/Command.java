package org.bloomgate.server.milter;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;

/// A command of the milter protocol. Texts have one byte for each character.
sealed interface Command {

    /// @param actions edits that the mail server supports
    /// @param protocol steps that it can omit, and commands for which it needs no response
    record Negotiate(int version, int actions, int protocol) implements Command {}

    /// @param address empty if the client has none
    /// @param port 0 if the client has none, so it is not an SMTP client
    record Connect(String host, Optional<InetAddress> address, int port) implements Command {}

    record Helo(String name) implements Command {}

    /// @param path the reverse-path as received, usually in brackets
    /// @param parameters the parameters needed to relay the message unchanged, each after a blank:
    ///     ` BODY=8BITMIME SMTPUTF8`
    record Mail(String path, String parameters) implements Command {}

    /// @param path the forward-path as received, usually in brackets
    record Rcpt(String path) implements Command {}

    record Data() implements Command {}

    /// @param value with LF between its lines
    record Field(String name, String value) implements Command {}

    record EndOfHeader() implements Command {}

    /// A piece of the body, valid until the next command is read.
    record Body(Frame piece) implements Command {}

    /// @param piece of the body, mostly empty
    record EndOfMessage(Frame piece) implements Command {}

    /// @param stage the letter of the command that follows
    record MacroValues(byte stage, Map<String, String> values) implements Command {}

    record Abort() implements Command {}

    record Quit() implements Command {}

    /// The client has disconnected; another one follows on this connection.
    record QuitNewConnection() implements Command {}

    /// An SMTP command that the mail server does not know.
    record UnknownVerb() implements Command {}
}
