package org.bloomgate.http;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.snapshot.LiveStatus;
import org.bloomgate.snapshot.SnapshotManifest;

/// `GET /v1/snapshots/current`: the generation of each layer that is in force here, for others to fetch. What was
/// refused here is not announced.
final class SnapshotsResource implements Resource {
    static final String PATH = "/v1/snapshots/";

    private final Supplier<LiveStatus> status;

    SnapshotsResource(Supplier<LiveStatus> status) {
        this.status = status;
    }

    record Current(List<Published> layers) {}

    /// @param manifest where the manifest is; the files it names are beside it
    record Published(String layer, String generation, Instant createdAt, String manifest) {}

    @Override
    public Route route() {
        return Route.get(PATH + "current");
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Answer current = Answer.json(new Current(
                status.get().layers().stream().map(SnapshotsResource::published).toList()));
        EntityTag tag = new EntityTag(digest(current.body()));
        boolean known = request.header("If-None-Match").filter(tag::isAmong).isPresent();
        return (known ? Answer.empty(304) : current)
                .with("ETag", tag.toString())
                .with("Cache-Control", "no-cache");
    }

    private static Published published(LiveStatus.LayerStatus layer) {
        return new Published(
                layer.layer(),
                layer.generation(),
                layer.createdAt(),
                PATH + layer.generation() + "/" + SnapshotManifest.FILE_NAME);
    }

    private static String digest(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
