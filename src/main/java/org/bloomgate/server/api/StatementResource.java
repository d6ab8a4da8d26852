package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.snapshot.Statement;
import org.bloomgate.lists.snapshot.StatementForm;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/snapshots/announced` and `GET /v1/snapshots/listings`: a statement of this machine, or of the
/// publisher that it mirrors. It is signed if the snapshots are. For a client that has it, only its head is read.
final class StatementResource implements Resource {
    private final Path snapshots;
    private final StatementForm<?> form;

    /// @param snapshots root of all layers
    StatementResource(Path snapshots, StatementForm<?> form) {
        this.snapshots = snapshots;
        this.form = form;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Optional<EntityTag> tag = readTag();
        return tag.isPresent()
                ? tag.get().on(tag.get().isKnownTo(request) ? Answer.empty(304) : content())
                : Answer.problem(Problem.notFound());
    }

    private Optional<EntityTag> readTag() throws IOException {
        try {
            return form.readHead(snapshots).map(Statement::tag).map(EntityTag::new);
        } catch (SnapshotRefusedException _) {
            throw new ProblemException(Problem.unavailable("the file " + form.fileName() + " cannot be read"));
        }
    }

    /// If a newer statement was written meanwhile, the next request has its tag.
    private Answer content() throws IOException {
        return form.readBytes(snapshots)
                .map(bytes -> Answer.bytes("text/plain; charset=utf-8", bytes))
                .orElseGet(() -> Answer.problem(Problem.notFound()));
    }
}
