package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/snapshots/announced`: the published state of this machine, or of the publisher that it mirrors. It is
/// signed if the snapshots are. Its tag is the SHA-256 of its bytes.
final class PublishedStateResource implements Resource {
    private final Path snapshots;

    /// @param snapshots root of all layers
    PublishedStateResource(Path snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Optional<byte[]> bytes = PublishedState.readBytes(snapshots);
        if (bytes.isEmpty()) {
            return Answer.problem(Problem.notFound());
        }
        EntityTag tag = new EntityTag(Sha256.hex(bytes.get()));
        return tag.on(
                tag.isKnownTo(request) ? Answer.empty(304) : Answer.bytes("text/plain; charset=us-ascii", bytes.get()));
    }
}
