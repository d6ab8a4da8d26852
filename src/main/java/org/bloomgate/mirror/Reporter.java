package org.bloomgate.mirror;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.background.Background;
import org.bloomgate.snapshot.Refusal;
import org.bloomgate.wire.MirrorReport;

/// Tells the publisher how this mirror is, from a thread of its own: whatever becomes of a report, nothing waits for
/// it. The status may be asked for by any thread.
public final class Reporter implements AutoCloseable {
    /// What a fault stands under, in place of a layer.
    public static final String REPORT = "report";

    static final Duration EVERY = Duration.ofSeconds(10);

    /// Of an answer, which says nothing.
    private static final int MAX_ANSWER_BYTES = 1024;

    private static final JsonMapper JSON =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    private final MirrorOptions options;
    private final Supplier<MirrorReport> report;
    private final InstantSource clock;
    private final Publisher publisher;
    private final FaultLog faults = new FaultLog();
    private volatile boolean closing;
    private volatile Optional<Background> rounds = Optional.empty();

    /// @param report of the moment it is asked for
    /// @throws IOException when the CA file cannot be used
    public Reporter(MirrorOptions options, Supplier<MirrorReport> report, InstantSource clock) throws IOException {
        this.options = options;
        this.report = report;
        this.clock = clock;
        this.publisher = new Publisher(options);
    }

    /// Reports from now on.
    public void start() {
        rounds = Optional.of(Background.everyAbout(EVERY, "mirror-report", () -> {
            boolean _ = round();
        }));
    }

    /// Reports once.
    ///
    /// @return whether the publisher took it
    public boolean round() throws InterruptedException {
        try {
            send();
            faults.clear(REPORT);
            return true;
        } catch (IOException | RuntimeException fault) {
            if (!closing) {
                faults.note(REPORT, "", options.url() + ": " + Mirror.describe(fault), clock.instant());
            }
            return false;
        }
    }

    private void send() throws IOException, InterruptedException {
        if (options.token().isEmpty()) {
            throw new PublisherException("no report without mirror.token, which publisher.tokens has there");
        }
        HttpResponse<byte[]> answer =
                publisher.small(publisher.post(MirrorReport.PATH, options.token(), json()), MAX_ANSWER_BYTES);
        if (answer.statusCode() != 204) {
            throw new PublisherException("a report was answered with status " + answer.statusCode());
        }
    }

    private byte[] json() throws JsonProcessingException {
        return JSON.writeValueAsBytes(report.get());
    }

    /// Why the last report was not taken.
    public List<Refusal> faults() {
        return faults.standing();
    }

    /// Ends a report that is under way.
    @Override
    public void close() {
        closing = true;
        rounds.ifPresent(Background::close);
        publisher.close();
    }
}
