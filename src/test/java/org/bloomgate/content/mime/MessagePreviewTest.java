package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.content.mime.MessagePreview.Attachment;
import org.junit.jupiter.api.Test;

class MessagePreviewTest {
    private static MessagePreview preview(String message) throws IOException {
        return MessagePreview.of(new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8)));
    }

    private static String part(String fields, String content) {
        return "--b\n" + fields + "\n\n" + content + "\n";
    }

    private static final String MIXED = "Content-Type: multipart/mixed; boundary=b\n\n";

    @Test
    void textParts_areDecodedInOrder() throws IOException {
        MessagePreview preview = preview(MIXED
                + part("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64", "R3LDvMOfZQ==")
                + part(
                        "Content-Type: text/html",
                        "<style>p{}</style><p>One <a href=\"http://a.example/?x&amp;y\">two</a></p><b>3</b>")
                + "--b--\n");
        assertEquals("Gr\u00fc\u00dfe\n[text/html]\nOne <http://a.example/?x&y> two\n3", preview.text());
        assertTrue(preview.complete());
        assertEquals(List.of(), preview.attachments());
    }

    @Test
    void attachments_haveNameSizeAndDigest() throws IOException {
        MessagePreview preview = preview(MIXED
                + part(
                        "Content-Type: application/zip\nContent-Disposition: attachment; filename=\"a.zip\"\n"
                                + "Content-Transfer-Encoding: base64",
                        "aGVsbG8=")
                + part("Content-Type: text/plain\nContent-Disposition: attachment; filename=b.txt", "hidden")
                + "--b--\n");
        assertEquals("", preview.text());
        assertEquals(
                new Attachment("a.zip", "application/zip", 5, Sha256.hex("hello".getBytes(StandardCharsets.US_ASCII))),
                preview.attachments().getFirst());
        assertEquals("b.txt", preview.attachments().get(1).name());
    }

    @Test
    void attachmentsBeyondTheBound_areCounted() throws IOException {
        String one = part("Content-Type: image/png", "x");
        MessagePreview at = preview(MIXED + one.repeat(MessagePreview.MAX_ATTACHMENTS) + "--b--\n");
        assertEquals(MessagePreview.MAX_ATTACHMENTS, at.attachments().size());
        assertEquals(0, at.moreAttachments());
        assertEquals(
                1,
                preview(MIXED + one.repeat(MessagePreview.MAX_ATTACHMENTS + 1) + "--b--\n")
                        .moreAttachments());
    }

    @Test
    void textBeyondTheBound_isCut() throws IOException {
        assertTrue(preview("\n" + "x".repeat(MessagePreview.MAX_TEXT_CHARS)).complete());
        MessagePreview beyond = preview("\n" + "x".repeat(MessagePreview.MAX_TEXT_CHARS + 1));
        assertFalse(beyond.complete());
        assertEquals(MessagePreview.MAX_TEXT_CHARS, beyond.text().length());
    }

    @Test
    void deepNesting_isRead() throws IOException {
        String message = "Content-Type: message/rfc822\n\n".repeat(5_000) + "\nhello\n";
        assertTrue(
                preview(message).attachments().size() + preview(message).text().length() > 0);
    }
}
