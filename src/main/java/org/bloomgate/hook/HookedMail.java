package org.bloomgate.hook;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.bloomgate.envelope.Replies;
import org.bloomgate.envelope.Reply;
import org.bloomgate.journal.MailKeys;
import org.bloomgate.journal.Token;
import org.bloomgate.judge.DecisionDraft;
import org.bloomgate.judge.Hearing;
import org.bloomgate.judge.MessageScan;
import org.bloomgate.judge.Parting;
import org.bloomgate.judge.Ruled;
import org.bloomgate.policy.Action;
import org.bloomgate.transit.MailRecords;
import org.bloomgate.transit.Stage;
import org.bloomgate.transit.StageClock;
import org.bloomgate.transit.TagFields;
import org.bloomgate.transit.TagFields.Field;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One mail that a mail server holds whole and asks about, through the hearing that every door goes through. Nobody was
/// answered at RCPT: a refusal because of caller or sender is a ruling like any other, for the recipients it is about.
/// Belongs to the request's thread.
final class HookedMail {
    private static final Logger LOG = LoggerFactory.getLogger(HookedMail.class);

    private final HookMail mail;
    private final MailRecords records;
    private final Hearing hearing;
    private final String token = Token.next();
    private final StageClock clock = new StageClock();
    private final DecisionDraft draft;

    private HookedMail(HookMail mail, MailRecords records, Hearing hearing) {
        this.mail = mail;
        this.records = records;
        this.hearing = hearing;
        this.draft = MailRecords.draft(
                token, mail.envelope(), hearing, mail.message().sizeBytes());
    }

    /// What the mail server is to do; recorded.
    ///
    /// @throws IOException never: the message is in memory
    static HookAnswer judge(HookMail mail, MessageScan scan, MailRecords records) throws IOException {
        try (Hearing hearing = scan.open(mail.envelope().caller())) {
            HookedMail heard = new HookedMail(mail, records, hearing);
            HookAnswer answer = mail.message().hasTooManyForged() ? heard.tooMany() : heard.judged();
            heard.record(answer);
            return answer;
        }
    }

    private HookAnswer tooMany() {
        Reply reply = Replies.TOO_LARGE;
        draft.answered(Action.REJECT, reply.text());
        return HookAnswer.rejected(reply);
    }

    private HookAnswer judged() throws IOException {
        inspect();
        Ruled ruled = hearing.rule();
        HookAnswer answer = answer(ruled);
        draft.ruled(ruled, answer.text());
        log(ruled);
        return answer;
    }

    private void inspect() throws IOException {
        long start = System.nanoTime();
        Optional<String> sender = mail.envelope().mailFrom().filter(path -> !path.isEmpty());
        if (sender.isPresent()) {
            hearing.sender(sender.get());
            clock.add(Stage.SENDER, start);
        }
        mail.envelope().counted().forEach(hearing::recipient);
        start = System.nanoTime();
        try (InputStream message = mail.message().open()) {
            hearing.read(message);
        }
        hearing.fault().ifPresent(fault -> LOG.error("{} is not fully inspected: {}", token, fault));
        clock.add(Stage.READ, start);
        start = System.nanoTime();
        hearing.ask();
        clock.add(Stage.LOOKUP, start);
    }

    /// A mail whose recipients' rulings differ, and that comes again as it was, cannot be sent apart any more.
    private HookAnswer answer(Ruled ruled) {
        return switch (ruled.parting()) {
            case Parting.Later _ -> HookAnswer.rejected(Replies.recipientsDiffer(token));
            case Parting.Apart _ -> HookAnswer.quarantined(tagged(ruled));
            case Parting.Together _ ->
                switch (ruled.enforced()) {
                    case PASS -> HookAnswer.accepted(edits(TagFields.of(hearing.firstContact())));
                    case TAG -> HookAnswer.accepted(tagged(ruled).marked(mail.message(), hearing.subjectPrefix(ruled)));
                    case QUARANTINE -> HookAnswer.quarantined(tagged(ruled));
                    case DISCARD -> HookAnswer.discarded();
                    case DEFER ->
                        HookAnswer.rejected(
                                ruled.because().isEmpty() ? Replies.unchecked(token) : Replies.deferred(token));
                    case REJECT -> HookAnswer.rejected(Replies.refused(hearing.refusalText(token, ruled)));
                };
        };
    }

    private HookEdits tagged(Ruled ruled) {
        return edits(TagFields.tags(hearing.firstContact(), ruled, token));
    }

    private HookEdits edits(List<Field> added) {
        return HookEdits.of(mail.message(), added);
    }

    private void log(Ruled ruled) {
        if (ruled.action().compareTo(Action.TAG) > 0) {
            String action = ruled.action().label();
            LOG.info(
                    "{} {}, client {}: {}",
                    token,
                    ruled.enforced() == ruled.action() ? action : "would " + action,
                    MailRecords.client(mail.envelope()),
                    ruled.reason());
        }
    }

    private void record(HookAnswer answer) {
        if (answer.letsThrough()) {
            hearing.delivered();
            records.keys().begin().ifPresent(this::rememberKeys);
        }
        records.metrics().count(draft, clock);
        records.decided(draft, clock.millis());
    }

    private void rememberKeys(MailKeys keys) {
        hearing.remember(keys);
        records.keys().delivered(token, records.clock().instant(), keys);
    }
}
