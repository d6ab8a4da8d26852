package org.bloomgate.app.cli;

import java.io.IOException;
import org.bloomgate.app.cli.common.AuditEventText;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.LimitOption;
import org.bloomgate.app.cli.common.SinceOptions;
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
    SinceOptions options;

    @Mixin
    LimitOption limit;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        AuditQuery query = new AuditQuery(who, what, value, options.since(), limit.require(AuditQuery.MAX_LIMIT));
        AuditLog.Result result = CliAudit.of(configuration.read()).find(query);
        result.events()
                .forEach(event -> out().println(options.json ? AnswerJson.line(event) : AuditEventText.of(event)));
        if (result.events().isEmpty()) {
            remark("no such change since then");
        }
        limit.remarkIfReached(result.events().size()).ifPresent(this::remark);
        if (result.damaged() > 0) {
            remark("%,d lines of the audit log are damaged".formatted(result.damaged()));
        }
        return ExitStatus.FINE;
    }
}
