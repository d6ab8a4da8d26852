package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/snapshots/listings`: the entries of the operators of this machine, or of the publisher that it
/// mirrors. The file is signed if the snapshots are. Its tag is of the lines before the entries, so that only
/// these lines are read for a client that has the file.
final class SharedEntriesResource implements Resource {
    private final Path snapshots;

    /// @param snapshots root of all layers
    SharedEntriesResource(Path snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Optional<EntityTag> tag = tag();
        return tag.isPresent()
                ? tag.get().on(tag.get().isKnownTo(request) ? Answer.empty(304) : content())
                : Answer.problem(Problem.notFound());
    }

    private Optional<EntityTag> tag() throws IOException {
        try {
            return SharedEntries.readTag(snapshots).map(EntityTag::new);
        } catch (SnapshotRefusedException damaged) {
            throw new ProblemException(Problem.unavailable("the file of listings cannot be read"));
        }
    }

    /// If a newer statement was written meanwhile, the next request has its tag.
    private Answer content() throws IOException {
        return SharedEntries.readBytes(snapshots)
                .map(bytes -> Answer.bytes("text/plain; charset=utf-8", bytes))
                .orElseGet(() -> Answer.problem(Problem.notFound()));
    }
}
