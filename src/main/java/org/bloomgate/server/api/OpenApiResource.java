package org.bloomgate.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.metrics.Build;

/// `GET /openapi.json`: every resource and what it answers, as OpenAPI 3.0.3. Pages of any origin may read it.
final class OpenApiResource implements Resource {
    private static final String FILE = "openapi.json";

    private final Answer document = Answer.json(read()).packed();
    private final EntityTag tag = EntityTag.of(document.body());

    /// The document with the version of this build.
    static byte[] read() {
        try (InputStream in = Optional.ofNullable(OpenApiResource.class.getResourceAsStream(FILE))
                .orElseThrow(() -> new IllegalStateException(FILE + " is not in the jar"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\"VERSION\"", '"' + Build.version() + '"')
                    .getBytes(StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public Answer answer(Request request) {
        return tag.answer(request, () -> document).with(Answer.ANY_ORIGIN);
    }
}
