package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A message says the same whatever was read before it.
class LeftoversTest {
    private static final String EARLIER = "http://earlier.example/page";
    private static final String EMPTY = "Content-Type: multipart/mixed; boundary=b\n\n";
    private static final String IN_A_PART = EMPTY + "--b\nContent-Type: multipart/mixed; boundary=c\n\n";
    private static final String IN_A_MESSAGE =
            EMPTY + "--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/digest; boundary=c\n\n";

    private static MessageReader reader() {
        return new MessageReader(MessageLimits.defaults());
    }

    private static byte[] bytes(String message) {
        return message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    static List<String> empty() {
        return List.of(
                "Content-Type: multipart/mixed; boundary=b",
                EMPTY,
                EMPTY + "--b--",
                EMPTY + "--b--\nbehind",
                EMPTY + "before\n--b--\n",
                EMPTY + "before",
                EMPTY + "--b\n--b--\n",
                IN_A_PART + "--b--\n",
                IN_A_PART + "--c--\n--b--\n",
                IN_A_MESSAGE + "--c--",
                IN_A_MESSAGE + "--b--\n",
                "Content-Type: text/plain; name=\"=?utf-8?q?x\"\n",
                "Content-Type: application/pdf; name=x.pdf\n\n",
                "Content-Type: image/png\n\n",
                "\n",
                "");
    }

    @ParameterizedTest
    @MethodSource("empty")
    void nothingIsLeftOfAnotherMessage(String message) {
        MessageReader reader = reader();
        ReadMessage alone = ReadMessage.of(bytes(message), reader);
        ReadMessage earlier = ReadMessage.of(bytes("From: a@b.example\n\nThe page: " + EARLIER + "\n"), reader);
        assertFalse(earlier.identifiers().isEmpty());
        assertEquals(alone, ReadMessage.of(bytes(message), reader));
    }
}
