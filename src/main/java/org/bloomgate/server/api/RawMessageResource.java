package org.bloomgate.server.api;

import java.io.IOException;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.ByteRange;
import org.bloomgate.server.http.FileSlice;
import org.bloomgate.server.http.FileStreams;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.quarantine.QuarantinedMessage;

/// `GET /v1/quarantine/{token}/raw`: one message as it is kept, for a file. For the role quarantine; the audit
/// log records each request. At most [FileStreams#MAX_STREAMS] are sent at once.
final class RawMessageResource implements Resource {
    private final QuarantinedResource opened;
    private final FileStreams streams = new FileStreams("messages");

    RawMessageResource(QuarantinedResource opened) {
        this.opened = opened;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        QuarantinedMessage message = opened.message(request.pathParameter("token"));
        opened.record(request.actor(), What.QUARANTINE_DOWNLOAD, message);
        return streams.limit(Answer.file(
                        "message/rfc822", new FileSlice(message.file(), new ByteRange(0, message.sizeBytes())))
                .with("Content-Disposition", "attachment; filename=\"" + message.token() + ".eml\""));
    }
}
