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

/// Stores messages of all listeners in the quarantine. A message beyond a bound is deferred and nothing is
/// deleted; a metric counts it, and one log line a minute names the bound. Thread-safe: room is reserved before
/// a message is written.
public final class QuarantineIntake {
    /// The messages of the largest size for which the spool always has room.
    private static final int SPOOL_RESERVE = 4;

    private static final Logger LOG = LoggerFactory.getLogger(QuarantineIntake.class);

    private final Quarantine quarantine;
    private final QuarantineIndex index;
    private final Path spool;
    private final Map<QuarantineBound, Counter> deferred = new EnumMap<>(QuarantineBound.class);
    private final OncePerMinute logLimit = new OncePerMinute();
    private final AtomicLong writingBytes = new AtomicLong();
    private volatile Bounds bounds;

    /// @param maxMessageBytes of a message, for the room in the spool
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

    /// Sets other bounds; messages already stored stay.
    public void use(Bounds next) {
        bounds = next;
    }

    /// Stores a message: message and envelope are on disk if this returns true.
    ///
    /// @param addedFields header fields to add before the message
    /// @return false if the message must be deferred, at a bound or because the disk is full
    /// @throws IOException if it cannot be stored for another reason; then no part of it is left
    public boolean store(QuarantineEnvelope envelope, byte[] addedFields, MessageBytes message) throws IOException {
        long bytes = addedFields.length + message.sizeBytes();
        try {
            Optional<QuarantineBound> bound = reserveAndStore(envelope, addedFields, message, bytes);
            bound.ifPresent(exceeded -> defer(envelope.token(), exceeded));
            return bound.isEmpty();
        } catch (IOException e) {
            if (quarantine.isFull(e, bytes)) {
                LOG.error("quarantine: {}: the disk is full (message deferred)", envelope.token());
                return false;
            }
            throw e;
        }
    }

    private Optional<QuarantineBound> reserveAndStore(
            QuarantineEnvelope envelope, byte[] addedFields, MessageBytes message, long bytes) throws IOException {
        Bounds current = bounds;
        try {
            long free = Files.getFileStore(spool).getUsableSpace() - writingBytes.addAndGet(bytes);
            if (free < SPOOL_RESERVE * current.maxMessageBytes()) {
                return Optional.of(QuarantineBound.SPOOL);
            }
            Optional<QuarantineBound> bound = index.reserve(envelope, bytes, current.options());
            if (bound.isPresent()) {
                return bound;
            }
            boolean written = false;
            try {
                quarantine.store(envelope, addedFields, message);
                written = true;
            } finally {
                index.endReservation(envelope.token(), written);
            }
            return Optional.empty();
        } finally {
            writingBytes.addAndGet(-bytes);
        }
    }

    private void defer(String token, QuarantineBound bound) {
        Objects.requireNonNull(deferred.get(bound)).increment();
        if (logLimit.isDue(bound.name(), InstantSource.system().millis())) {
            LOG.warn(
                    "quarantine: {}: {} (message deferred; 'bloomgate quarantine list' shows what to release or delete)",
                    token,
                    bound.text());
        }
    }
}
