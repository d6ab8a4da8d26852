package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bloomgate.base.io.Token;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestBody;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MessageSpool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `POST /v1/messages?mailFrom=&rcptTo=&client=&helo=`: evaluates a raw message as the relay does. It is a test, which
/// is not recorded, unless the client states with `record=true` that it acts on the answer: then the message is
/// recorded and counted like one received by SMTP, and the answer has the token of its decision, also as a header
/// field.
final class MessagesResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(MessagesResource.class);

    static final String TOKEN_HEADER = "X-Bloomgate-Token";

    /// The last one is the default of `curl --data-binary`.
    static final List<String> RAW_TYPES = List.of(
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

    /// `true`: the client acts on the answer. Needs a token.
    private static final String RECORD = "record";

    private static final String STREAM = "-";
    private static final int BLOCK_BYTES = 8 * 1024;

    private final MessageScan scan;
    private final MailRecords records;
    private final Supplier<MessageSpool> spools;

    MessagesResource(Services.Messages messages) {
        this.scan = messages.scan();
        this.records = messages.records();
        this.spools = messages.spools();
    }

    /// @param recorded whether the message was recorded, so that the client sees that `record=true` had an
    ///     effect
    /// @param token of the recorded decision; absent without one
    record Scanned(
            @JsonUnwrapped ScanResult result,
            boolean recorded,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> token) {}

    @Override
    public Answer answer(Request request) throws IOException {
        Envelope envelope = envelope(request);
        MessageScan messageScan = SearchParameters.isTrue(request, DNS, true) ? scan : scan.withoutDns();
        if (!SearchParameters.isTrue(request, RECORD, false)) {
            return Answer.json(new Scanned(
                    scanAndLog("a test", messageScan.withoutTraces(), request.body(), envelope, _ -> {}),
                    false,
                    Optional.empty()));
        }
        if (request.caller().role() == Role.NONE) {
            throw ProblemException.tokenRequired(RECORD + "=true: send Authorization: Bearer and a token");
        }
        String token = Token.generate();
        long start = System.nanoTime();
        ScanResult result = scanAndLog(token, messageScan, request.body(), envelope, scanned -> {
            double millis = (System.nanoTime() - start) / 1e6;
            records.recordScanned(token, envelope, scanned, request.body().count(), millis);
        });
        return Answer.json(new Scanned(result, true, Optional.of(token))).with(TOKEN_HEADER, token);
    }

    private ScanResult scanAndLog(
            String name, MessageScan scan, RequestBody body, Envelope envelope, Consumer<ScanResult> recorder)
            throws IOException {
        ScanResult result = scan(scan, body, envelope, recorder);
        result.evaluation().fault().ifPresent(fault -> LOG.error("message {}: not fully inspected: {}", name, fault));
        return result;
    }

    /// Receives the whole message before the inspection: a client that stalls does not occupy a reading thread.
    private ScanResult scan(MessageScan scan, RequestBody body, Envelope envelope, Consumer<ScanResult> recorder)
            throws IOException {
        try (MessageSpool spool = spools.get()) {
            byte[] block = new byte[BLOCK_BYTES];
            for (int read = body.read(block, 0, block.length); read >= 0; read = body.read(block, 0, block.length)) {
                spool.write(block, 0, read);
            }
            if (spool.fault().isPresent()) {
                LOG.error("http: /v1/messages: message not spooled: {}", spool.faultText());
                throw new ProblemException(Problem.of(
                        ProblemType.STORAGE_FULL, "no space for the message; the fault is in the log of the server"));
            }
            return scan.scan(STREAM, spool::open, spool.sizeBytes(), envelope, recorder);
        }
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
