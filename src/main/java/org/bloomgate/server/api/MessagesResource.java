package org.bloomgate.server.api;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bloomgate.base.io.Token;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestBody;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.RouteGroup;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MessageSpool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `POST /v1/messages?mailFrom=&rcptTo=&client=&helo=`: a raw message in, the result of the relay out. The
/// decision is kept in the journal under the token that the answer carries in a header field.
final class MessagesResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(MessagesResource.class);

    static final String TOKEN_HEADER = "X-Bloomgate-Token";

    /// The last one is the default of `curl --data-binary`.
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

    /// `false`: queries no DNS for the sender.
    private static final String DNS = "dns";

    private static final String STREAM = "-";
    private static final int BLOCK_BYTES = 8 * 1024;

    private final MessageScan scan;
    private final MailRecords records;
    private final Supplier<MessageSpool> spools;
    private final long maxBodyBytes;

    /// @param spools for messages that may be read twice
    MessagesResource(MessageScan scan, MailRecords records, Supplier<MessageSpool> spools, HttpOptions options) {
        this.scan = scan;
        this.spools = spools;
        this.records = records;
        this.maxBodyBytes = options.maxMessageBytes();
    }

    @Override
    public Route route() {
        return Route.post("/v1/messages", RouteGroup.MESSAGES, RAW_TYPES, maxBodyBytes)
                .with(MAIL_FROM, RCPT_TO, CLIENT, HELO, DNS);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Envelope envelope = envelope(request);
        RequestBody body = request.body();
        long begun = System.nanoTime();
        ScanResult result = result(isOffline(request) ? scan.offline() : scan, body, envelope);
        String token = Token.next();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        result.evaluation().fault().ifPresent(fault -> LOG.error("{} is not fully inspected: {}", token, fault));
        DecisionDraft draft = MailRecords.draft(token, envelope, result.evaluation(), body.count());
        draft.decided(result.decision(), "200");
        records.decided(draft, Map.of("scan", took.toNanos() / 1e6));
        return Answer.json(result).with(TOKEN_HEADER, token);
    }

    private ScanResult result(MessageScan by, RequestBody body, Envelope envelope) throws IOException {
        if (!by.readsTwice()) {
            ScanResult result = by.scan(STREAM, () -> body, envelope);
            body.transferTo(OutputStream.nullOutputStream());
            return result;
        }
        try (MessageSpool spool = spools.get()) {
            byte[] block = new byte[BLOCK_BYTES];
            for (int read = body.read(block, 0, block.length); read >= 0; read = body.read(block, 0, block.length)) {
                spool.write(block, 0, read);
            }
            if (spool.fault().isPresent()) {
                LOG.error("a message cannot be kept while it is evaluated: {}", spool.faultText());
                throw new ProblemException(Problem.unavailable("no space for the message; the fault is in the log"));
            }
            return by.scan(STREAM, spool::open, envelope);
        }
    }

    private static boolean isOffline(Request request) {
        return switch (request.query(DNS).orElse("true")) {
            case "true" -> false;
            case "false" -> true;
            default -> throw new ProblemException(Problem.badRequest(DNS + ": true or false"));
        };
    }

    private static Envelope envelope(Request request) {
        try {
            return Envelope.of(
                    request.query(MAIL_FROM), request.queries(RCPT_TO), request.query(CLIENT), request.query(HELO));
        } catch (IllegalArgumentException wrong) {
            throw new ProblemException(Problem.badRequest(String.valueOf(wrong.getMessage())));
        }
    }
}
