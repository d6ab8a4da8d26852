package org.bloomgate.app.cli;

import java.io.IOException;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.audit.AuditQuery;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `audit`: searches the audit log.
@Command(
        name = "audit",
        description = {
            "Shows who changed what, newest first. With several options, changes that match all of " + "them.",
            "Changes of listings, exceptions, the quarantine and operators, rollbacks and forced rebuilds, made by a"
                    + " command, over HTTP or on the operator's page."
        })
final class AuditCommand extends ConfiguredCommand {
    @Option(names = "--who", paramLabel = "NAME", description = "Part of the name of the user or operator.")
    String who = "";

    @Option(
            names = "--what",
            paramLabel = "WHAT",
            description = "listing, exception, quarantine, rollback, rebuild or operator, or one action, for example"
                    + " listing-add.")
    String what = "";

    @Option(
            names = "--value",
            paramLabel = "V",
            description = "Part of the object or of a detail: a value, a token, a feed, a reason.")
    String value = "";

    @Mixin
    LookBack back;

    @Mixin
    AtMost most;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        AuditQuery query = new AuditQuery(who, what, value, back.since(), most.within(AuditQuery.MAX_LIMIT));
        AuditLog.Result found = CliAudit.of(configuration.read()).find(query);
        found.events().forEach(event -> out().println(back.json ? AnswerJson.line(event) : AuditEventText.of(event)));
        if (found.events().isEmpty()) {
            tell("no such change since then");
        }
        most.remark(found.events().size()).ifPresent(this::tell);
        if (found.damaged() > 0) {
            tell("%,d lines of the audit log are damaged".formatted(found.damaged()));
        }
        return ExitStatus.FINE;
    }
}
