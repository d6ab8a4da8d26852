package org.bloomgate.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.server.api.ExportCopies.Copy;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.ByteRange;
import org.bloomgate.server.http.Compression;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.FileSlice;
import org.bloomgate.server.http.FileStreams;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/exports/{name}`: an export without the feeds that may not leave this site. For the role
/// reader. At most [FileStreams#MAX_STREAMS] are sent at once.
final class ExportsResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(ExportsResource.class);

    private final ExportCopies copies;
    private final FileStreams streams = new FileStreams("exports");

    ExportsResource(ExportCopies copies) {
        this.copies = copies;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        String name = request.pathParameter("name");
        Optional<Copy> copy;
        try {
            copy = copies.copy(name);
        } catch (IOException fault) {
            LOG.error("export {}: {}", name, IoText.describe(fault));
            return Answer.problem(Problem.of(
                    ProblemType.STORAGE_FULL, "could not be written; the fault is in the log of the server"));
        }
        if (copy.isEmpty()) {
            return Answer.problem(Problem.notFound());
        }
        if (copy.get().report().lines() == 0
                && !copy.get().report().notRedistributed().isEmpty()) {
            return Answer.problem(
                    Problem.of(403, "Forbidden", copy.get().report().toString()));
        }
        return answer(request, copy.get());
    }

    private Answer answer(Request request, Copy copy) throws IOException {
        boolean packed = request.header("Accept-Encoding")
                .filter(Compression::isAccepted)
                .isPresent();
        Path file = packed ? copy.packed() : copy.file();
        EntityTag tag = new EntityTag(Sha256.hex("%s %s %d"
                .formatted(Files.getLastModifiedTime(copy.file()), packed, Files.size(copy.file()))
                .getBytes(UTF_8)));
        if (tag.isKnownTo(request)) {
            return tag.on(Answer.empty(304));
        }
        Answer content = tag.on(Answer.file(copy.mediaType(), new FileSlice(file, new ByteRange(0, Files.size(file)))));
        return streams.limit(packed ? content.with("Content-Encoding", "gzip") : content);
    }
}
