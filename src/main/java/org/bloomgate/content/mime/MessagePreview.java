package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;

/// A message for a person to look at: the decoded text of its parts, and the attached files. HTML is reduced to
/// its text and the targets of its links.
///
/// @param complete false if the text was cut or the message could not be read to its end
/// @param moreAttachments number of attachments beyond [#MAX_ATTACHMENTS]
public record MessagePreview(String text, boolean complete, List<Attachment> attachments, int moreAttachments) {
    /// The most characters of text, before links are defused.
    static final int MAX_TEXT_CHARS = 64 * 1024;

    static final int MAX_ATTACHMENTS = 100;

    /// The most bytes read of one text part: more than its share of the text, because HTML is mostly markup.
    private static final int MAX_PART_BYTES = 1 << 20;

    /// The most characters of a file name, and of a media type.
    static final int MAX_NAME_CHARS = 255;

    private static final int BLOCK_BYTES = 16 * 1024;

    public MessagePreview {
        attachments = List.copyOf(attachments);
    }

    /// A file in the message.
    ///
    /// @param name the decoded file name (RFC 2231, RFC 2047), cut at [#MAX_NAME_CHARS]; empty if there is none
    /// @param mediaType in lower case, cut likewise
    /// @param sha256 of the decoded content, in hexadecimal digits
    public record Attachment(String name, String mediaType, long sizeBytes, String sha256) {}

    /// Reads a message to its end, or to the limit of parts or work that its inspection has.
    ///
    /// @throws IOException if the stream fails
    public static MessagePreview read(InputStream message) throws IOException {
        Reader reader = new Reader(message);
        reader.read();
        return new MessagePreview(reader.text.toString(), reader.complete, reader.attachments, reader.moreAttachments);
    }

    private static String cut(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        boolean splitsPair = maxChars > 0 && Character.isHighSurrogate(text.charAt(maxChars - 1));
        return text.substring(0, splitsPair ? maxChars - 1 : maxChars);
    }

    private static final class Reader {
        private final Allowance allowance = new Allowance(MessageLimits.defaults());
        private final BoundedFieldBuilder fields = new BoundedFieldBuilder(allowance, false);
        private final MimeTokenStream tokens =
                new MimeTokenStream(MimeWalk.CONFIG, null, fields, new PartHeaderBuilder());
        private final RecentBytes bytes;
        private final byte[] block = new byte[BLOCK_BYTES];
        private final StringBuilder text = new StringBuilder();
        private final List<Attachment> attachments = new ArrayList<>();
        private boolean complete = true;
        private int moreAttachments;

        /// The number of open containers, without the message itself.
        private int depth = -1;

        private Reader(InputStream message) {
            bytes = RecentBytes.ofMessage(message, allowance, new byte[RecentBytes.REMEMBERED_BYTES]);
        }

        private void read() throws IOException {
            try {
                boolean isWhole = readParts() && !allowance.exhausted();
                complete &= isWhole;
            } catch (MimeException _) {
                complete = false;
            } finally {
                fields.release();
            }
        }

        /// Reads the parts; false if there are more than the limit of parts allows.
        private boolean readParts() throws IOException, MimeException {
            tokens.parse(bytes);
            for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
                switch (state) {
                    case T_START_MULTIPART, T_START_MESSAGE -> bytes.setOpenContainers(++depth + 1);
                    case T_END_MULTIPART, T_END_MESSAGE -> depth--;
                    case T_END_HEADER ->
                        tokens.setRecursionMode(
                                depth < allowance.limits().depth() ? RecursionMode.M_RECURSE : RecursionMode.M_FLAT);
                    case T_BODY -> readBody((PartHeader) tokens.getBodyDescriptor());
                    default -> {}
                }
                boolean isPart = state == EntityState.T_START_MESSAGE || state == EntityState.T_START_BODYPART;
                if (isPart && !allowance.draw(Limit.PARTS, 1)) {
                    return false;
                }
            }
            return true;
        }

        private void readBody(PartHeader header) throws IOException {
            if (header.getMediaType().equals("text") && !header.isFile()) {
                readText(header);
            } else if (attachments.size() == MAX_ATTACHMENTS) {
                moreAttachments++;
            } else {
                readAttachment(header);
            }
        }

        /// Appends the text of a part after a line with its type; nothing if that line leaves no room.
        private void readText(PartHeader header) throws IOException {
            String label = text.isEmpty() ? "" : "\n[" + cut(header.mimeType(), MAX_NAME_CHARS) + "]\n";
            int room = MAX_TEXT_CHARS - text.length() - label.length();
            if (room <= 0) {
                complete = false;
                return;
            }
            byte[] content = tokens.getDecodedInputStream().readNBytes(MAX_PART_BYTES);
            TextBuffer decoded = new TextBuffer(content.length + 16);
            TextDecoding.decode(content, content.length, header.charset(), allowance, decoded);
            String plainText = header.getSubType().equals("html") ? HtmlPreview.convert(decoded) : decoded.toString();
            complete &= content.length < MAX_PART_BYTES && plainText.length() <= room;
            text.append(label).append(cut(plainText, room));
        }

        private void readAttachment(PartHeader header) throws IOException {
            MessageDigest digest = Sha256.begin();
            long sizeBytes = 0;
            try (InputStream content = tokens.getDecodedInputStream()) {
                for (int read = content.read(block); read >= 0; read = content.read(block)) {
                    digest.update(block, 0, read);
                    sizeBytes += read;
                }
            }
            attachments.add(new Attachment(
                    cut(EncodedWords.decode(header.name(), allowance), MAX_NAME_CHARS),
                    cut(header.mimeType(), MAX_NAME_CHARS),
                    sizeBytes,
                    HexFormat.of().formatHex(digest.digest())));
        }
    }
}
