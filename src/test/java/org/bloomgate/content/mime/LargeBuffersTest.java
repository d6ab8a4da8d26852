package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;

class LargeBuffersTest {
    private final LargeBuffers buffers = new LargeBuffers();

    @Test
    void whatWasGivenBackIsUsedAgainOnceAtATime() {
        byte[] bytes = buffers.takeBytes(2_000);
        char[] chars = buffers.takeChars(2_000);
        buffers.giveBack(bytes);
        buffers.giveBack(chars);
        assertSame(bytes, buffers.takeBytes(1_000));
        assertSame(chars, buffers.takeChars(2_000));
        assertNotSame(bytes, buffers.takeBytes(1_000));
        assertNotSame(chars, buffers.takeChars(2_000));
    }

    @Test
    void aSmallerOneIsNoUse() {
        byte[] bytes = buffers.takeBytes(2_000);
        buffers.giveBack(bytes);
        assertEquals(2_001, buffers.takeBytes(2_001).length);
        char[] chars = buffers.takeChars(2_000);
        buffers.giveBack(chars);
        assertEquals(2_001, buffers.takeChars(2_001).length);
    }

    @Test
    void oneOfTheBoundIsKeptAndALargerOneIsNot() {
        byte[] bytes = buffers.takeBytes(LargeBuffers.KEPT_BYTES);
        buffers.giveBack(bytes);
        assertSame(bytes, buffers.takeBytes(1));
        byte[] more = buffers.takeBytes(LargeBuffers.KEPT_BYTES + 1);
        buffers.giveBack(more);
        assertEquals(1, buffers.takeBytes(1).length);
        char[] chars = buffers.takeChars(LargeBuffers.KEPT_CHARS);
        buffers.giveBack(chars);
        assertSame(chars, buffers.takeChars(1));
        char[] moreChars = buffers.takeChars(LargeBuffers.KEPT_CHARS + 1);
        buffers.giveBack(moreChars);
        assertEquals(1, buffers.takeChars(1).length);
    }

    @Test
    void largeMailAfterLargeMailIsReadAsEachAlone() {
        MessageReader reader = new MessageReader(MessageLimits.defaults());
        for (int size : new int[] {3 << 20, 2 << 20, 10, 4 << 20, 3 << 20}) {
            byte[] message = text(size);
            ReadMessage alone = ReadMessage.of(message);
            assertEquals(alone, ReadMessage.of(message, reader));
            assertTrue(alone.holds("last" + size + ".example"), alone::toString);
        }
    }

    private static byte[] text(int size) {
        String lines = "of which there are many\r\n".repeat(size / 27);
        return ("Content-Type: text/plain\r\n\r\nhttp://first" + size + ".example/\r\n" + lines + "http://last" + size
                        + ".example/\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
