package org.bloomgate.server.quarantine;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.io.OncePerMinute;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.server.nexthop.MessageBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way into the quarantine for all listeners. At a bound a message is not kept and nothing is deleted; a metric
/// counts it, and one log line a minute names the bound. Thread-safe: room is reserved before a message is written.
public final class QuarantineIntake {
    /// Messages of the largest size for which the spool has room whatever is kept.
    private static final int SPOOL_RESERVE = 4;

    private static final Logger LOG = LoggerFactory.getLogger(QuarantineIntake.class);

    private final Quarantine quarantine;
    private final QuarantineIndex index;
    private final Path spool;
    private final Map<QuarantineBound, Counter> deferred = new EnumMap<>(QuarantineBound.class);
    private final OncePerMinute logged = new OncePerMinute();
    private final AtomicLong writingBytes = new AtomicLong();
    private volatile Bounds bounds;

    /// @param maxMessageBytes of a message that the spool must still take
    public record Bounds(QuarantineOptions options, long maxMessageBytes) {}

    /// @param spool folder of temporary files
    public QuarantineIntake(
            Quarantine quarantine, QuarantineIndex index, Path spool, Bounds bounds, MeterRegistry registry) {
        this.quarantine = quarantine;
        this.index = index;
        this.spool = spool;
        this.bounds = bounds;
        for (QuarantineBound bound : QuarantineBound.values()) {
            deferred.put(
                    bound,
                    Counter.builder("bloomgate.quarantine.deferred")
                            .description("Messages deferred because the quarantine is at a bound")
                            .tag("bound", TextForms.lowerCase(bound.name()))
                            .register(registry));
        }
    }

    /// Sets other bounds; what is there already stays.
    public void use(Bounds next) {
        bounds = next;
    }

    /// Keeps a message: message and envelope are on disk when this returns true.
    ///
    /// @param top fields that go before the message
    /// @return false if the message has to be deferred, at a bound or because the disk is full
    /// @throws IOException when it cannot be kept for another reason; then nothing of it is left
    public boolean keep(QuarantineEnvelope envelope, byte[] top, MessageBytes message) throws IOException {
        long bytes = top.length + message.sizeBytes();
        try {
            Optional<QuarantineBound> bound = reserveAndKeep(envelope, top, message, bytes);
            bound.ifPresent(reached -> defer(envelope.token(), reached));
            return bound.isEmpty();
        } catch (IOException e) {
            if (quarantine.isFull(e, bytes)) {
                LOG.error("quarantine: {}: the disk is full (message deferred)", envelope.token());
                return false;
            }
            throw e;
        }
    }

    private Optional<QuarantineBound> reserveAndKeep(
            QuarantineEnvelope envelope, byte[] top, MessageBytes message, long bytes) throws IOException {
        Bounds now = bounds;
        try {
            long free = Files.getFileStore(spool).getUsableSpace() - writingBytes.addAndGet(bytes);
            if (free < SPOOL_RESERVE * now.maxMessageBytes()) {
                return Optional.of(QuarantineBound.SPOOL);
            }
            Optional<QuarantineBound> bound = index.reserve(envelope, bytes, now.options());
            if (bound.isPresent()) {
                return bound;
            }
            boolean kept = false;
            try {
                quarantine.keep(envelope, top, message);
                kept = true;
            } finally {
                index.settle(envelope.token(), kept);
            }
            return Optional.empty();
        } finally {
            writingBytes.addAndGet(-bytes);
        }
    }

    private void defer(String token, QuarantineBound bound) {
        Objects.requireNonNull(deferred.get(bound)).increment();
        if (logged.isDue(bound.name(), InstantSource.system().millis())) {
            LOG.warn(
                    "quarantine: {}: {} (message deferred; 'bloomgate quarantine list' shows what to release or delete)",
                    token,
                    bound.text());
        }
    }
}
