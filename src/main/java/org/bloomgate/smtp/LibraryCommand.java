package org.bloomgate.smtp;

import org.bloomgate.envelope.Verb;
import org.subethamail.smtp.internal.server.Command;
import org.subethamail.smtp.internal.server.CommandHandler;
import org.subethamail.smtp.internal.server.HelpMessage;
import org.subethamail.smtp.server.SMTPServer;
import org.subethamail.smtp.server.Session;

/// Stands in the place of one of SubEthaSMTP's commands and hands it to the session. The only class that names the
/// library's internals.
record LibraryCommand(Verb verb) implements Command {

    /// Replaces every command of the server; those without a replacement are never reached, as [VerbStream] does not
    /// name them.
    static void replaceAll(SMTPServer server) {
        CommandHandler commands = server.getCommandHandler();
        for (Verb verb : Verb.values()) {
            commands.addCommand(new LibraryCommand(verb));
        }
    }

    @Override
    public void execute(String line, Session session) {
        ((ClientSocket) session.getSocket()).session().execute(verb);
    }

    @Override
    public String getName() {
        return verb.name();
    }

    @Override
    public HelpMessage getHelp() {
        return new HelpMessage(verb.name(), "");
    }
}
