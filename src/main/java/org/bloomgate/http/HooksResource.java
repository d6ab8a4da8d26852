package org.bloomgate.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.bloomgate.envelope.Replies;
import org.bloomgate.journal.Token;
import org.bloomgate.judge.MessageScan;
import org.bloomgate.judge.Parting;
import org.bloomgate.judge.Ruled;
import org.bloomgate.policy.Action;
import org.bloomgate.transit.TagFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `POST /v1/hooks`: a mail server asks what to do with a mail, and does it. The mail is judged once it is
/// whole; at every stage before, it goes on. The decision is kept in the journal.
///
/// Whatever goes wrong here is an HTTP error, on which mail servers put the mail off.
final class HooksResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(HooksResource.class);

    static final String PATH = "/v1/hooks";

    private final MessageScan scan;
    private final ScanJournal journal;
    private final long maxBodyBytes;

    HooksResource(MessageScan scan, ScanJournal journal, HttpOptions options) {
        this.scan = scan;
        this.journal = journal;
        this.maxBodyBytes = options.maxMessageBytes();
    }

    @Override
    public Route route() {
        return Route.post(PATH, List.of(JSON), maxBodyBytes).with();
    }

    @Override
    public Answer answer(Request request) throws IOException {
        HookRegistration.requireKnown(request);
        HookMail mail = HookReader.read(request.body());
        HookAnswer answer = mail.isWhole() ? judged(mail) : HookAnswer.accepted(List.of());
        return answer.in(mail.dialect());
    }

    private HookAnswer judged(HookMail mail) throws IOException {
        String token = Token.next();
        long begun = System.nanoTime();
        MessageScan.Heard heard = scan.judge(mail.message(), mail.envelope());
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        log(token, mail, heard);
        HookAnswer answer = answer(token, heard);
        journal.record(token, mail.envelope(), heard.hearing(), heard.ruled(), mail.sizeBytes(), took, answer.text());
        return answer;
    }

    /// A mail whose recipients' rulings differ, and that comes again as it was, cannot be sent apart any more.
    private static HookAnswer answer(String token, MessageScan.Heard heard) {
        Ruled ruled = heard.ruled();
        return switch (ruled.parting()) {
            case Parting.Later _ -> HookAnswer.rejected(Replies.recipientsDiffer(token));
            case Parting.Apart _ -> HookAnswer.quarantined(TagFields.fields(ruled, token));
            case Parting.Together _ ->
                switch (ruled.enforced()) {
                    case PASS -> HookAnswer.accepted(List.of());
                    case TAG -> HookAnswer.accepted(TagFields.fields(ruled, token));
                    case QUARANTINE -> HookAnswer.quarantined(TagFields.fields(ruled, token));
                    case DISCARD -> HookAnswer.discarded();
                    case DEFER ->
                        HookAnswer.rejected(
                                ruled.because().isEmpty() ? Replies.unchecked(token) : Replies.deferred(token));
                    case REJECT ->
                        HookAnswer.rejected(Replies.refused(heard.hearing().refusalText(token, ruled)));
                };
        };
    }

    private static void log(String token, HookMail mail, MessageScan.Heard heard) {
        heard.hearing().fault().ifPresent(fault -> LOG.error("{} is not fully inspected: {}", token, fault));
        Ruled ruled = heard.ruled();
        if (ruled.action().compareTo(Action.TAG) > 0) {
            String action = ruled.action().label();
            LOG.info(
                    "{} {}, client {}: {}",
                    token,
                    ruled.enforced() == ruled.action() ? action : "would " + action,
                    ScanJournal.client(mail.envelope()),
                    ruled.reason());
        }
    }
}
