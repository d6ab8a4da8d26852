package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;

/// What holds for any bytes taken as a message: nothing is thrown, not even to become the limit
/// `Inspection.FAULT`, and the same bytes give the same answer, whatever was read in between.
public final class MessageFuzz {
    private static final byte[] ANOTHER =
            "From: a@b.example\r\n\r\nhttp://another.example/page\r\n".getBytes(StandardCharsets.UTF_8);

    private MessageFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        ReadMessage before = ReadMessage.withoutFault(bytes);
        ReadMessage.withoutFault(ANOTHER);
        assertEquals(before, ReadMessage.withoutFault(bytes));
    }
}
