package org.bloomgate.server.nexthop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.bloomgate.server.smtp.BytesInMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastChunkTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void bytesGoOutAsTheyAre() throws IOException {
        LastChunk chunk = new LastChunk(out, 9, true);
        assertEquals(9, chunk.bytes());
        write(chunk, ".\r\n");
        write(chunk, "..\0\u00ff\r\n");
        chunk.finish();
        assertEquals(".\r\n..\0\u00ff\r\n", out.toString(ISO_8859_1));
    }

    @Test
    void aLineEndThatLacksIsCountedAndWritten() throws IOException {
        LastChunk chunk = new LastChunk(out, 1, false);
        assertEquals(3, chunk.bytes());
        write(chunk, "a");
        chunk.finish();
        assertEquals("a\r\n", out.toString(ISO_8859_1));
    }

    @Test
    void aNextHopMayAnswerOnlyWhenItMayHaveTheLastByte() throws IOException {
        LastChunk chunk = new LastChunk(out, 2, true);
        write(chunk, "a");
        assertFalse(chunk.isComplete());
        write(chunk, "b");
        assertTrue(chunk.isComplete());
        assertFalse(new LastChunk(out, 0, false).isComplete());
        assertFalse(new DotStuffer(out).isComplete());
    }

    @Test
    void oneByteTooManyIsNotWritten() throws IOException {
        LastChunk chunk = new LastChunk(out, 2, true);
        write(chunk, "a");
        assertThrows(IOException.class, () -> write(chunk, "bc"));
        assertEquals("a", out.toString(ISO_8859_1));
    }

    @Test
    void oneByteTooFewIsNotMadeUpFor() throws IOException {
        LastChunk chunk = new LastChunk(out, 2, false);
        write(chunk, "a");
        assertThrows(IOException.class, chunk::finish);
        assertEquals("a", out.toString(ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n", "a\r\n", "a\r\n\r\n"})
    void aMessageThatEndsALineLacksNone(String message) throws IOException {
        assertTrue(new BytesInMemory(message).endsWithCrlf());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\r", "\n", "\n\r", "a\n", "\r\na", "\r\n\r"})
    void anyOtherEndLacksOne(String message) throws IOException {
        assertFalse(new BytesInMemory(message).endsWithCrlf());
    }

    @Test
    void aChunkHoldsWhatTheReceiverOfDataFinds() throws IOException {
        Random random = new Random(5);
        for (int round = 0; round < 2_000; round++) {
            byte[] message = message(random).getBytes(ISO_8859_1);
            ByteArrayOutputStream stuffed = new ByteArrayOutputStream();
            DotStuffer stuffer = new DotStuffer(stuffed);
            stuffer.write(message, 0, message.length);
            stuffer.finish();
            String found = ("\r\n" + stuffed.toString(ISO_8859_1)).replace("\r\n..", "\r\n.");
            out.reset();
            LastChunk chunk = new LastChunk(out, message.length, new BytesInMemory(message).endsWithCrlf());
            chunk.write(message, 0, message.length);
            chunk.finish();
            assertEquals(found, "\r\n" + out.toString(ISO_8859_1) + ".\r\n");
        }
    }

    private static String message(Random random) {
        StringBuilder message = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            message.append(random.nextInt(3) == 0 ? "\r\n" : String.valueOf(".a\u00e9\0".charAt(random.nextInt(4))));
        }
        return message.toString();
    }

    private static void write(LastChunk chunk, String text) throws IOException {
        byte[] bytes = text.getBytes(ISO_8859_1);
        chunk.write(bytes, 0, bytes.length);
    }
}
