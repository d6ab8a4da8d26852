package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.links.InspectionBudget;
import org.bloomgate.content.links.MessageLimits;

/// A message for a person to look at: the text of its parts, decoded, and the files that are attached. Of HTML the text
/// and the targets of links remain.
///
/// @param complete false when the text was cut or the message could not be read to its end
/// @param moreAttachments beyond [#MAX_ATTACHMENTS]
public record MessagePreview(String text, boolean complete, List<Attachment> attachments, int moreAttachments) {
    /// Characters of all text, before links are made harmless.
    static final int MAX_TEXT_CHARS = 64 * 1024;

    static final int MAX_ATTACHMENTS = 100;

    /// Of one text part: HTML is mostly markup.
    private static final int MAX_PART_BYTES = 1 << 20;

    private static final int MAX_DEPTH = 20;

    private static final MimeConfig CONFIG = new MimeConfig.Builder()
            .setStrictParsing(false)
            .setMaxLineLen(-1)
            .setMaxHeaderCount(-1)
            .setMaxHeaderLen(-1)
            .setMaxContentLen(-1)
            .build();

    public MessagePreview {
        attachments = List.copyOf(attachments);
    }

    /// A file in the message.
    ///
    /// @param name as the message gives it; empty without one
    /// @param mediaType in lower case
    /// @param sha256 of the decoded content, in hexadecimal digits
    public record Attachment(String name, String mediaType, long sizeBytes, String sha256) {}

    /// Reads a message to its end.
    ///
    /// @throws IOException when the stream fails
    public static MessagePreview of(InputStream message) throws IOException {
        Reader reader = new Reader();
        try {
            reader.read(message);
        } catch (MimeException malformed) {
            reader.complete = false;
        }
        return new MessagePreview(reader.text.toString(), reader.complete, reader.attachments, reader.more);
    }

    private static final class Reader {
        private final MimeTokenStream tokens = new MimeTokenStream(CONFIG, null, null, new PartHeaderBuilder());
        private final InspectionBudget budget = new InspectionBudget(MessageLimits.defaults());
        private final StringBuilder text = new StringBuilder();
        private final List<Attachment> attachments = new ArrayList<>();
        private boolean complete = true;
        private int more;
        private int depth;

        private void read(InputStream message) throws IOException, MimeException {
            tokens.parse(message);
            for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
                switch (state) {
                    case T_START_MULTIPART, T_START_MESSAGE -> depth++;
                    case T_END_MULTIPART, T_END_MESSAGE -> depth--;
                    case T_END_HEADER ->
                        tokens.setRecursionMode(depth < MAX_DEPTH ? RecursionMode.M_RECURSE : RecursionMode.M_FLAT);
                    case T_BODY -> body((PartHeader) tokens.getBodyDescriptor());
                    default -> {}
                }
            }
        }

        private void body(PartHeader header) throws IOException {
            if (header.getMediaType().equals("text") && !header.file()) {
                text(header);
            } else if (attachments.size() == MAX_ATTACHMENTS) {
                more++;
            } else {
                attachment(header);
            }
        }

        private void text(PartHeader header) throws IOException {
            byte[] bytes = tokens.getDecodedInputStream().readNBytes(MAX_PART_BYTES);
            TextBuffer decoded = new TextBuffer(bytes.length + 16);
            TextDecoding.decode(bytes, bytes.length, header.charset(), budget, decoded);
            String shown = header.getSubType().equals("html") ? HtmlPreview.text(decoded) : decoded.toString();
            if (!text.isEmpty()) {
                text.append("\n[").append(header.mimeType()).append("]\n");
            }
            int room = Math.max(0, MAX_TEXT_CHARS - text.length());
            complete &= bytes.length < MAX_PART_BYTES && shown.length() <= room;
            text.append(shown, 0, Math.min(room, shown.length()));
        }

        private void attachment(PartHeader header) throws IOException {
            MessageDigest digest = Sha256.begin();
            long sizeBytes;
            try (DigestInputStream content = new DigestInputStream(tokens.getDecodedInputStream(), digest)) {
                sizeBytes = content.transferTo(OutputStream.nullOutputStream());
            }
            attachments.add(new Attachment(
                    header.name(), header.mimeType(), sizeBytes, HexFormat.of().formatHex(digest.digest())));
        }
    }
}
