package org.bloomgate.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.journal.Token;
import org.bloomgate.judge.DecisionDraft;
import org.bloomgate.judge.Envelope;
import org.bloomgate.judge.MessageScan;
import org.bloomgate.judge.ScanResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `POST /v1/messages?mailFrom=&rcptTo=&client=&helo=`: a raw message in, the ruling of the relay out. The decision
/// is kept in the journal under the token that the answer carries in a header field.
final class MessagesResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(MessagesResource.class);

    static final String TOKEN_HEADER = "X-Bloomgate-Token";

    /// The last one is what `curl --data-binary` says of a file when nobody tells it otherwise.
    private static final List<String> RAW_TYPES = List.of(
            "message/rfc822",
            "message/global",
            "application/octet-stream",
            "text/plain",
            "application/x-www-form-urlencoded");

    private static final String MAIL_FROM = "mailFrom";
    private static final String RCPT_TO = "rcptTo";
    private static final String CLIENT = "client";
    private static final String HELO = "helo";

    private static final String STREAM = "-";

    /// Stands in the journal for a client that nobody named.
    private static final String NO_CLIENT = "http";

    private final MessageScan scan;
    private final DecisionJournal journal;
    private final InstantSource clock;
    private final long maxBodyBytes;

    MessagesResource(MessageScan scan, DecisionJournal journal, InstantSource clock, HttpOptions options) {
        this.scan = scan;
        this.journal = journal;
        this.clock = clock;
        this.maxBodyBytes = options.maxMessageBytes();
    }

    @Override
    public Route route() {
        return Route.post("/v1/messages", RAW_TYPES, maxBodyBytes).with(MAIL_FROM, RCPT_TO, CLIENT, HELO);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Envelope envelope = envelope(request);
        RequestBody body = request.body();
        long begun = System.nanoTime();
        ScanResult result = scan.scan(STREAM, body, envelope);
        body.transferTo(OutputStream.nullOutputStream());
        String token = Token.next();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        result.hearing().fault().ifPresent(fault -> LOG.error("{} is not fully inspected: {}", token, fault));
        record(token, envelope, result, body.count(), took);
        return Answer.json(result).with(TOKEN_HEADER, token);
    }

    private static Envelope envelope(Request request) {
        try {
            return Envelope.of(
                    request.query(MAIL_FROM), request.queries(RCPT_TO), request.query(CLIENT), request.query(HELO));
        } catch (IllegalArgumentException wrong) {
            throw new ProblemException(Problem.badRequest(String.valueOf(wrong.getMessage())));
        }
    }

    private void record(String token, Envelope envelope, ScanResult result, long sizeBytes, Duration took) {
        DecisionDraft draft = new DecisionDraft(
                token,
                new DecisionDraft.Party(
                        envelope.caller().address().isEmpty()
                                ? NO_CLIENT
                                : envelope.caller().addressText(),
                        envelope.caller().helo(),
                        "",
                        envelope.mailFrom().orElse("")),
                result.hearing());
        envelope.recipients().forEach(draft::recipient);
        draft.size(sizeBytes);
        draft.ruled(result.ruled(), "200");
        journal.record(draft.decision(clock.instant(), Map.of("scan", took.toNanos() / 1e6)));
    }
}
