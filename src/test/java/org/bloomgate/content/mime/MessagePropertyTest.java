package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.bloomgate.HostileText;
import org.bloomgate.Rounds;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.PublicSuffixes;
import org.junit.jupiter.api.Test;

/// For any bytes in any place of a message: nothing is thrown.
class MessagePropertyTest {
    private static final int ROUNDS = Rounds.of(200);

    private interface Message {
        byte[] of(HostileText hostile);
    }

    private static void forAny(long seed, Message message) {
        HostileText hostile = new HostileText(seed);
        for (int i = 0; i < ROUNDS; i++) {
            MessageFuzz.fuzzerTestOneInput(message.of(hostile));
        }
    }

    private static byte[] bytes(String message) {
        return message.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anyBytes_areRead() {
        forAny(20260420, hostile -> hostile.bytes(60));
    }

    @Test
    void anyFields_areRead() {
        forAny(
                20260421,
                hostile -> bytes("From: " + hostile.text(8) + "\r\nSubject: " + hostile.text(8)
                        + "\r\nReply-To: <a@" + hostile.wideHost() + ">\r\nList-Unsubscribe: <http://"
                        + hostile.wideHost()
                        + ">\r\nMessage-ID: <x@" + hostile.wideHost() + ">\r\nDKIM-Signature: d=" + hostile.wideHost()
                        + "\r\nContent-Type: " + hostile.text(6) + "\r\n\r\n" + hostile.text(6)));
    }

    @Test
    void anyText_isRead() {
        forAny(20260422, hostile -> bytes("\r\nSee http://" + hostile.wideHost() + "/ or " + hostile.text(40)));
    }

    @Test
    void anyHtml_isRead() {
        forAny(
                20260423,
                hostile -> bytes("Content-Type: text/html\r\n\r\n<a href=\"http://" + hostile.wideHost() + "\">x</a>"
                        + hostile.text(60)));
    }

    @Test
    void anyPdf_isRead() {
        forAny(
                20260424,
                hostile -> bytes("Content-Type: application/pdf\r\n\r\n%PDF-1.4 /URI (http://" + hostile.wideHost()
                        + ") " + hostile.text(40)));
    }

    @Test
    void anyParts_areRead() {
        forAny(
                20260425,
                hostile -> bytes(
                        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset="
                                + hostile.text(2) + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                                + Base64.getMimeEncoder().encodeToString(hostile.bytes(40)) + "\r\n--b\r\n"
                                + hostile.text(10)
                                + "\r\n\r\n" + hostile.text(20) + "\r\n--b--"));
    }

    @Test
    void anyReversePath_givesKeysWithoutFault() {
        HostileText hostile = new HostileText(20260426);
        for (int i = 0; i < ROUNDS; i++) {
            String path = hostile.text(6) + "@" + hostile.wideHost() + hostile.text(3);
            Inspection inspection = EnvelopeKeys.appendSender(path, PublicSuffixes.bundled(), new KeyBatch());
            assertEquals(Inspection.COMPLETE, inspection, path);
        }
    }
}
