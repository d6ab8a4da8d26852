package org.bloomgate.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

/// What holds for any octets taken as a message: nothing is thrown, and the same octets give the same answer.
public final class MessageFuzz {
    private MessageFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        assertEquals(ReadMessage.of(octets), ReadMessage.of(octets));
    }
}
