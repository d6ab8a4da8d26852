package org.bloomgate.server.api;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.server.api.StatusView.ConditionView;
import org.bloomgate.server.api.StatusView.LayerView;
import org.bloomgate.server.api.StatusView.LocalView;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.metrics.Build;
import org.bloomgate.server.metrics.GatewayMetrics;

/// `GET /v1/status`: the state of the gateway and its figures, for the operator's page and `bloomgate status`.
/// Every open page polls it, so it reads nothing but memory. It contains no identifier of a message.
final class StatusResource implements Resource {
    private final LiveEntries layers;
    private final Supplier<LiveStatus> status;
    private final DecisionJournal journal;
    private final GatewayMetrics metrics;
    private final InstantSource clock;
    private final Instant startedAt;

    StatusResource(
            LiveEntries layers,
            Supplier<LiveStatus> status,
            DecisionJournal journal,
            GatewayMetrics metrics,
            InstantSource clock) {
        this.layers = layers;
        this.status = status;
        this.journal = journal;
        this.metrics = metrics;
        this.clock = clock;
        this.startedAt = clock.instant();
    }

    @Override
    public Answer answer(Request request) {
        Role role = request.caller().role();
        LiveStatus now = status.get();
        try (LayerLease lease = layers.lease()) {
            Optional<String> notReady = now.explainUnreadiness(!lease.layers().isEmpty());
            byte[] view = AnswerJson.bytes(new StatusView(
                    notReady.isPresent() ? "not ready" : "ready",
                    notReady.or(now::findDegradation).orElse(""),
                    Build.version(),
                    startedAt,
                    role.label(),
                    request.caller().name(),
                    layers(lease, now),
                    ConditionView.of(now),
                    now.following().map(StatusView.FollowingView::of),
                    local(),
                    metrics.readGauge("state.free.bytes"),
                    metrics.readGauge("state.size.bytes"),
                    metrics.readFigures(),
                    journal.dayUntil(clock.instant())));
            return EntityTag.of(view).answer(request, () -> Answer.json(at(clock.instant(), view)));
        }
    }

    /// The object with the time of the answer as its first field. The tag must not depend on the time, and a
    /// second serialization would cost as much as the first.
    private static byte[] at(Instant time, byte[] view) {
        byte[] field = ("{\"time\":\"" + time + "\",").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(field.length + view.length - 1)
                .put(field)
                .put(view, 1, view.length - 1)
                .array();
    }

    private List<LayerView> layers(LayerLease lease, LiveStatus now) {
        return lease.layers().stream()
                .map(layer -> LayerView.of(
                        layer,
                        now.layers().stream()
                                .filter(candidate -> candidate.layer().equals(layer.name()))
                                .findFirst(),
                        metrics.readFilterCounts().getOrDefault(layer.name(), Map.of())))
                .toList();
    }

    private LocalView local() {
        LocalEntries entries = layers.entries();
        return new LocalView(
                entries.of(Entry.Type.LISTING).size(),
                entries.of(Entry.Type.EXCEPTION).size());
    }
}
