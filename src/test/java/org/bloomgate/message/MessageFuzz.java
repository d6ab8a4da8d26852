package org.bloomgate.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

/// What holds for any octets taken as a message: nothing is thrown, not even to become the limit
/// `Inspection.FAULT`, and the same octets give the same answer.
public final class MessageFuzz {
    private MessageFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        assertEquals(ReadMessage.withoutFault(octets), ReadMessage.withoutFault(octets));
    }
}
