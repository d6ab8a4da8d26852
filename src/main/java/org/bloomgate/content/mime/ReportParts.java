package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RawBody;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.stream.RecursionMode;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.text.TextForms;

/// The parts of a message that reports others: attached messages, and texts that may quote one. Used by one thread.
public final class ReportParts {
    /// The most attached messages that are read.
    public static final int MAX_MESSAGES = 10;

    /// The most bytes of all attached messages; the rest is cut.
    static final int MAX_BYTES = 16 * 1024 * 1024;

    /// The most bytes of all texts.
    static final int MAX_TEXT_BYTES = 1 << 20;

    private static final String OUTLOOK = "application/vnd.ms-outlook";
    private static final byte[] OUTLOOK_HEADER = ("Content-Type: " + OUTLOOK + "\r\n\r\n").getBytes(US_ASCII);

    private final Allowance allowance = new Allowance(MessageLimits.defaults());
    private final List<byte[]> messages = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private int bytesLeft = MAX_BYTES;
    private int textBytesLeft = MAX_TEXT_BYTES;
    private boolean isFeedback;

    private ReportParts() {}

    /// Reads a message to its end, or to damage or a limit of its parts.
    ///
    /// @throws IOException if the stream fails
    public static ReportParts read(InputStream message) throws IOException {
        ReportParts parts = new ReportParts();
        BoundedFieldBuilder fields = new BoundedFieldBuilder(parts.allowance, false);
        try {
            parts.readAll(message, new MimeTokenStream(MimeWalk.CONFIG, null, fields, new PartHeaderBuilder()));
        } catch (MimeException _) {
            return parts;
        } finally {
            fields.release();
        }
        return parts;
    }

    private void readAll(InputStream message, MimeTokenStream tokens) throws IOException, MimeException {
        tokens.setRecursionMode(RecursionMode.M_NO_RECURSE);
        tokens.parse(message);
        int depth = 0;
        for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
            switch (state) {
                case T_START_MULTIPART -> depth++;
                case T_END_MULTIPART -> depth--;
                case T_BODY -> readPart((PartHeader) tokens.getBodyDescriptor(), tokens.getDecodedInputStream());
                default -> {}
            }
            if (depth > allowance.limits().depth() || !allowance.draw(Limit.PARTS, 1)) {
                return;
            }
        }
    }

    private void readPart(PartHeader header, InputStream content) throws IOException {
        String name = TextForms.lowerCase(EncodedWords.decode(header.name(), allowance));
        String type = header.mimeType();
        isFeedback |= type.equals("message/feedback-report");
        if (type.equals(OUTLOOK) || name.endsWith(".msg")) {
            readMessage(new SequenceInputStream(new ByteArrayInputStream(OUTLOOK_HEADER), content));
        } else if (name.endsWith(".eml")
                || type.equals("text/rfc822-headers")
                || (PartHeader.isContainer(type) && !type.equals("message/feedback-report"))) {
            readMessage(content);
        } else if (header.getMediaType().equals("text") && !header.isFile()) {
            byte[] bytes = content.readNBytes(textBytesLeft);
            textBytesLeft -= bytes.length;
            TextBuffer text = new TextBuffer(bytes.length + 16);
            TextDecoding.decode(bytes, bytes.length, header.charset(), allowance, text);
            texts.add(header.getSubType().equals("html") ? HtmlPreview.convert(text) : text.toString());
        }
    }

    private void readMessage(InputStream content) throws IOException {
        byte[] bytes = content.readNBytes(messages.size() < MAX_MESSAGES ? bytesLeft : 0);
        bytesLeft -= bytes.length;
        if (bytes.length > 0) {
            messages.add(bytes);
        }
    }

    /// Whether a Content-Type is that of a feedback report (RFC 5965, section 2).
    ///
    /// @param contentType value of the field; it may be folded
    public static boolean isFeedbackType(String contentType) {
        RawBody body = RawFieldParser.DEFAULT.parseRawBody(new RawField("Content-Type", contentType));
        return "multipart/report".equalsIgnoreCase(body.getValue())
                && FieldParameter.find(body.getParams(), "report-type").equalsIgnoreCase("feedback-report");
    }

    /// Whether this has a part with a feedback report (RFC 5965).
    public boolean isFeedback() {
        return isFeedback;
    }

    /// The attached messages as they are; a message of Outlook is the body of one.
    public List<byte[]> messages() {
        return messages;
    }

    /// The texts of the message itself, HTML as lines with the targets of its links.
    public List<String> texts() {
        return texts;
    }
}
