package org.bloomgate.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.bloomgate.journal.Decision;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.journal.Token;
import org.bloomgate.judge.MessageScan;
import org.bloomgate.judge.MessageScan.Envelope;
import org.bloomgate.judge.ScanResult;

/// `POST /v1/messages`: a raw message in, what the gateway would make of it out. The decision is kept in the journal
/// under the token that the answer carries in a header field.
final class MessagesResource implements Resource {
    static final String TOKEN_HEADER = "X-Bloomgate-Token";

    /// The last one is what `curl --data-binary` says of a file when nobody tells it otherwise.
    private static final List<String> RAW_TYPES = List.of(
            "message/rfc822",
            "message/global",
            "application/octet-stream",
            "text/plain",
            "application/x-www-form-urlencoded");

    private static final String STREAM = "-";

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
        return Route.post("/v1/messages", RAW_TYPES, maxBodyBytes);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        RequestBody body = request.body();
        long begun = System.nanoTime();
        ScanResult result = scan.scan(STREAM, body, Envelope.NONE);
        body.transferTo(OutputStream.nullOutputStream());
        String token = Token.next();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        journal.record(decision(token, result, body.count(), took));
        return Answer.json(result).with(TOKEN_HEADER, token);
    }

    private Decision decision(String token, ScanResult result, long sizeBytes, Duration took) {
        return new Decision(
                clock.instant(),
                token,
                "http",
                "",
                "",
                "",
                List.of(),
                List.of(),
                sizeBytes,
                result.judgement().keys(),
                result.judgement().suspects(),
                Decision.Found.in(result.judgement()),
                result.limits(),
                result.verdict(),
                result.action(),
                "",
                "200",
                "",
                result.generation(),
                Map.of("scan", took.toNanos() / 1e6));
    }
}
