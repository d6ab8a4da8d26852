package org.bloomgate.server.api;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.Token;
import org.bloomgate.decision.evaluation.FalsePositive;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestJson;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.quarantine.QuarantineRelease;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `/v1/quarantine/{token}`: `GET` shows one message as text, `POST` releases it, on request with an exception
/// for the listing that put it there, `DELETE` deletes it permanently. For the role quarantine; the audit log
/// records each request.
final class QuarantinedResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantinedResource.class);
    private static final RequestJson<Release> RELEASE = RequestJson.withOptionalFields(
            Release.class,
            "{\"to\": string, \"except\": boolean, \"expires\": string, \"reason\": string, \"author\": string}");

    private final QuarantineService quarantineService;
    private final DecisionJournal journal;
    private final EntryService entries;
    private final MessageScan scan;
    private final AuditLog auditLog;
    private final InstantSource clock;

    QuarantinedResource(Services.Messages messages, EntryService entries, AuditLog auditLog) {
        this.quarantineService = messages.quarantine();
        this.journal = messages.records().journal();
        this.entries = entries;
        this.scan = messages.scan();
        this.auditLog = auditLog;
        this.clock = messages.records().clock();
    }

    /// @param to sends a copy to this address; the message stays
    /// @param except whether to add exceptions for the listing, for the domains of the recipients
    record Release(
            Optional<String> to,
            Optional<Boolean> except,
            Optional<String> expires,
            Optional<String> reason,
            Optional<String> author) {}

    /// @param outcomes by recipient
    /// @param exceptions that were added
    record Released(List<QuarantineRelease.Outcome> outcomes, List<EntryText> exceptions) {}

    @Override
    public Answer answer(Request request) throws IOException {
        Actor actor = request.actor();
        String token = request.pathParameter("token");
        return switch (request.method()) {
            case "POST" -> release(actor, token, RELEASE.read(request.body()));
            case "DELETE" -> delete(actor, token);
            default -> {
                QuarantinedMessage message = message(token);
                record(actor, What.QUARANTINE_SHOW, message);
                yield show(message);
            }
        };
    }

    /// Records the action before it is done: one that cannot be recorded is not done.
    void record(Actor actor, What what, QuarantinedMessage message) throws IOException {
        record(actor, what, message, Optional.empty());
    }

    private void record(Actor actor, What what, QuarantinedMessage message, Optional<String> to) throws IOException {
        auditLog.record(List.of(message.event(clock.instant(), actor, what, to)));
    }

    QuarantinedMessage message(String token) throws IOException {
        return quarantineService
                .find(Token.parse(token).orElse(token))
                .orElseThrow(() -> new ProblemException(Problem.notFound()));
    }

    private Answer show(QuarantinedMessage message) throws IOException {
        return Answer.json(OpenedMessage.of(
                message,
                scan,
                journal.find(message.token())
                        .flatMap(decision -> decision.content().history())));
    }

    private Answer delete(Actor actor, String token) throws IOException {
        try (LockFile _ = quarantineService.quarantine().lock()) {
            QuarantinedMessage message = message(token);
            record(actor, What.QUARANTINE_DELETE, message);
            quarantineService.quarantine().remove(message);
            return Answer.json(QuarantineSummary.of(message));
        }
    }

    /// Releases a message. The exceptions are added first, so that the message is accepted if it is sent again.
    /// The message is read again after the lock, as another release may have changed it.
    private Answer release(Actor actor, String token, Release options) throws IOException {
        options.to()
                .ifPresent(address -> requireAddress(address, options.except().orElse(false)));
        String name = message(token).token();
        try (QuarantineRelease release = quarantineService.releases().open()) {
            QuarantinedMessage message = release.find(name).orElseThrow(() -> new ProblemException(Problem.notFound()));
            List<EntryText> exceptions = options.except().orElse(false) ? except(actor, message, options) : List.of();
            record(actor, What.QUARANTINE_RELEASE, message, options.to());
            Released released = new Released(
                    options.to().isPresent()
                            ? List.of(release.release(message, options.to().get()))
                            : release.release(message),
                    exceptions);
            released.outcomes()
                    .forEach(outcome -> LOG.info(
                            "quarantine: {}: {} by {}",
                            outcome.token(),
                            outcome.delivered() ? "released" : "not released",
                            actor.who()));
            return Answer.json(released);
        }
    }

    private static void requireAddress(String to, boolean except) {
        if (except) {
            throw SearchParameters.invalid("to", "not with except");
        }
        if (!QuarantineRelease.isAddress(to)) {
            throw SearchParameters.invalid("to", "a mailbox without brackets, as postmaster@dest.example");
        }
    }

    private List<EntryText> except(Actor actor, QuarantinedMessage message, Release options) throws IOException {
        Decision decision = journal.find(message.token())
                .orElseThrow(() -> new ProblemException(Problem.conflict(
                        "its decision is no longer kept: release it, and make the exception of the value")));
        try {
            EntryText terms = EntryText.ofTerms(
                    options.reason().orElse(""),
                    options.expires().orElse(""),
                    options.author().orElse(actor.who()));
            return entries.takeBack(actor, FalsePositive.findIn(decision), terms).stream()
                    .map(EntryText::masked)
                    .toList();
        } catch (EntryRefusedException e) {
            throw new ProblemException(Problem.badRequest(String.valueOf(e.getMessage())));
        }
    }
}
