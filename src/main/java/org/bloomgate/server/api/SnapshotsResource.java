package org.bloomgate.server.api;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.mirror.PublishedStateJson;
import org.bloomgate.lists.mirror.PublishedStateJson.PublishedGeneration;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.RouteGroup;

/// `GET /v1/snapshots/current`: the current generation of each layer, for others to fetch. Refused generations
/// are not published.
final class SnapshotsResource implements Resource {
    private final Supplier<LiveStatus> status;

    SnapshotsResource(Supplier<LiveStatus> status) {
        this.status = status;
    }

    @Override
    public Route route() {
        return Route.get(PublishedStateJson.PATH + "current", RouteGroup.SNAPSHOTS);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Answer current = Answer.json(new PublishedStateJson(status.get().layers().stream()
                .map(SnapshotsResource::announcement)
                .toList()));
        EntityTag tag = new EntityTag(Sha256.hex(current.body()));
        return tag.on(tag.isKnownTo(request) ? Answer.empty(304) : current);
    }

    private static PublishedGeneration announcement(LiveStatus.LayerStatus layer) {
        return new PublishedGeneration(
                layer.layer(),
                layer.generation(),
                Optional.of(layer.createdAt()),
                layer.confirmedAt(),
                Optional.of(PublishedStateJson.PATH + layer.generation() + "/" + SnapshotManifest.FILE_NAME));
    }
}
