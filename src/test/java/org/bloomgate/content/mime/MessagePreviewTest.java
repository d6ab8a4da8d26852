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
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagePreviewTest {
    private static MessagePreview preview(String message) throws IOException {
        return MessagePreview.read(new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8)));
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Disposition: attachment; filename*=utf-8''R%C3%A9sum%C3%A9.pdf",
                "Content-Disposition: attachment;\n filename*0*=iso-8859-1'fr'R%E9;\n filename*1*=sum%E9; filename*2=.pdf",
                "Content-Disposition: attachment; filename=\"=?utf-8?q?R=C3=A9sum=C3=A9.pdf?=\"",
                "Content-Disposition: attachment; filename=\"R\u00e9sum\u00e9.pdf\"",
                "Content-Type: application/pdf; name*=utf-8''R%C3%A9sum%C3%A9.pdf"
            })
    void attachmentName_inAnyCode_isDecoded(String field) throws IOException {
        MessagePreview preview = preview(MIXED + part(field, "x") + "--b--\n");

        assertEquals("R\u00e9sum\u00e9.pdf", preview.attachments().getFirst().name());
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
    void textBehindFullText_isNotNamed() throws IOException {
        String full = part("Content-Type: text/plain", "x".repeat(MessagePreview.MAX_TEXT_CHARS));
        MessagePreview preview =
                preview(MIXED + full + part("Content-Type: text/html", "y").repeat(2) + "--b--\n");
        assertEquals("x".repeat(MessagePreview.MAX_TEXT_CHARS), preview.text());
        assertFalse(preview.complete());
    }

    @Test
    void cutText_endsWithAWholeCharacter() throws IOException {
        MessagePreview preview = preview("Content-Type: text/plain; charset=utf-8\n\nx"
                + "\ud83d\ude00".repeat(MessagePreview.MAX_TEXT_CHARS / 2));
        assertEquals(MessagePreview.MAX_TEXT_CHARS - 1, preview.text().length());
        assertFalse(preview.complete());
    }

    @Test
    void parts_areReadUpToTheLimit() throws IOException {
        int parts = MessageLimits.defaults().parts() - 1;
        String one = part("Content-Type: image/png", "x");
        MessagePreview at = preview(MIXED + one.repeat(parts) + "--b--\n");
        assertTrue(at.complete());
        assertEquals(parts - MessagePreview.MAX_ATTACHMENTS, at.moreAttachments());
        MessagePreview beyond = preview(MIXED + one.repeat(parts + 1) + "--b--\n");
        assertFalse(beyond.complete());
        assertEquals(at.moreAttachments(), beyond.moreAttachments());
    }

    @Test
    void manyTinyTextParts_areCut() throws IOException {
        MessagePreview preview =
                preview(MIXED + part("Content-Type: text/plain", "x").repeat(100_000) + "--b--\n");
        assertFalse(preview.complete());
        assertTrue(preview.text().length() < MessageLimits.defaults().parts() * 20);
    }

    @Test
    void namesOfParts_countAsText() throws IOException {
        String one = part("Content-Type: text/" + "t".repeat(MessagePreview.MAX_NAME_CHARS), "x");
        MessagePreview preview = preview(MIXED + one.repeat(900) + "--b--\n");
        assertFalse(preview.complete());
        assertTrue(preview.text().length() <= MessagePreview.MAX_TEXT_CHARS);
    }

    @Test
    void mediaTypeAndName_areCut() throws IOException {
        String type = "image/" + "t".repeat(MessagePreview.MAX_NAME_CHARS - 6);
        String name = "n".repeat(MessagePreview.MAX_NAME_CHARS);
        for (String more : List.of("", "m")) {
            Attachment file = preview("Content-Type: %s; name=%s\n\nx".formatted(type + more, name + more))
                    .attachments()
                    .getFirst();
            assertEquals(type, file.mediaType());
            assertEquals(name, file.name());
        }
    }

    @Test
    void fieldBeyondTheLimit_isNotRead() throws IOException {
        int room = MessageLimits.defaults().headerBytes() - "Content-Type: image/\r\n".length();
        for (int more : List.of(0, 1, 12_000_000)) {
            MessagePreview preview = preview("Content-Type: image/" + "t".repeat(room + more) + "\r\n\r\nhello");
            assertEquals(more == 0 ? 1 : 0, preview.attachments().size());
            assertEquals(more == 0 ? "" : "hello", preview.text());
        }
    }

    @Test
    void deepNesting_isRead() throws IOException {
        String message = "Content-Type: message/rfc822\n\n".repeat(5_000) + "\nhello\n";
        assertTrue(
                preview(message).attachments().size() + preview(message).text().length() > 0);
    }
}
