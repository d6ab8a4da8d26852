package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.lists.snapshot.PublishedFiles;
import org.bloomgate.lists.snapshot.PublishedFiles.PublishedFile;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.ByteRange;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.FileSlice;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/snapshots/{generation}/{file}`: the manifest of a snapshot, its signature, its confirmation, and
/// the files named in it; nothing else. The tag of a file is its SHA-256, and one range of it may be requested,
/// so that an interrupted download can continue.
///
/// The files contain listings of feeds, and no secret.
final class SnapshotFileResource implements Resource {
    private final PublishedFiles files;

    /// @param snapshots root of all layers
    SnapshotFileResource(Path snapshots) {
        this.files = new PublishedFiles(snapshots);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        try {
            return files.find(request.pathParameter("generation"), request.pathParameter("file"))
                    .map(file -> answer(request, file))
                    .orElseGet(() -> Answer.problem(Problem.notFound()));
        } catch (SnapshotRefusedException damaged) {
            return Answer.problem(Problem.unavailable("the snapshot is damaged"));
        }
    }

    private static Answer answer(Request request, PublishedFile file) {
        EntityTag tag = new EntityTag(file.sha256());
        return tag.onImmutable(content(request, file, tag)).with("Accept-Ranges", "bytes");
    }

    private static Answer content(Request request, PublishedFile file, EntityTag tag) {
        if (tag.isKnownTo(request)) {
            return Answer.empty(304);
        }
        ByteRange whole = new ByteRange(0, file.sizeBytes());
        Optional<ByteRange> part = part(request, file, tag);
        if (part.isPresent() && !part.get().isSatisfiable()) {
            return Answer.problem(
                            Problem.of(416, "Range Not Satisfiable", "the file has " + file.sizeBytes() + " bytes"))
                    .with("Content-Range", "bytes */" + file.sizeBytes());
        }
        Answer content = Answer.file(mediaType(file), new FileSlice(file.file(), part.orElse(whole)));
        return part.isPresent()
                ? content.as(206).with("Content-Range", part.get().of(file.sizeBytes()))
                : content;
    }

    /// With another tag in `If-Range` the client gets the whole file (RFC 9110, section 13.1.5).
    private static Optional<ByteRange> part(Request request, PublishedFile file, EntityTag tag) {
        boolean mayBePart = request.method().equals("GET")
                && request.header("If-Range").map(tag::isThis).orElse(true);
        return request.header("Range")
                .filter(_ -> mayBePart)
                .flatMap(field -> ByteRange.parse(field, file.sizeBytes()));
    }

    private static String mediaType(PublishedFile file) {
        return file.file().toString().endsWith(".json") ? JSON : "application/octet-stream";
    }
}
