package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.james.mime4j.io.BufferedLineReaderInputStream;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.util.BufferRecycler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ParserBuffersTest {
    static List<Supplier<BufferRecycler>> parsers() {
        return List.of(BufferedLineReaderInputStream::getBufferRecycler, DefaultFieldBuilder::getBufferRecycler);
    }

    @ParameterizedTest
    @MethodSource("parsers")
    void aParserUsesWhatIsLentUntilItIsTakenBack(Supplier<BufferRecycler> parser) {
        BufferRecycler own = parser.get();
        ParserBuffers buffers = new ParserBuffers();
        buffers.install();
        BufferRecycler lent = parser.get();
        assertNotSame(own, lent);
        assertSame(lent, parser.get());
        buffers.uninstall();
        assertNotSame(lent, parser.get());
        buffers.install();
        assertSame(lent, parser.get());
        buffers.uninstall();
    }

    @Test
    void nothingOfAMessageIsLeftForTheNext() {
        BufferRecycler kept = new ParserBuffers.BoundedRecycler();
        byte[] buffer = kept.allocByteBuffer(0);
        Arrays.fill(buffer, (byte) 'x');
        kept.releaseByteBuffer(0, buffer);
        byte[] next = kept.allocByteBuffer(0);
        assertSame(buffer, next);
        assertArrayEquals(new byte[buffer.length], next);
    }

    @Test
    void aBufferOfTheBoundIsKeptAndALargerOneIsNot() {
        BufferRecycler kept = new ParserBuffers.BoundedRecycler();
        byte[] large = kept.allocByteBuffer(0, ParserBuffers.KEPT_BYTES);
        kept.releaseByteBuffer(0, large);
        assertSame(large, kept.allocByteBuffer(0));
        byte[] larger = kept.allocByteBuffer(0, ParserBuffers.KEPT_BYTES + 1);
        kept.releaseByteBuffer(0, larger);
        assertNotSame(larger, kept.allocByteBuffer(0));
    }

    @Test
    void noMoreThanTheBoundAreKept() {
        BufferRecycler kept = new ParserBuffers.BoundedRecycler();
        assertEquals(ParserBuffers.MAX_KEPT, keptOf(bytes(kept), bytes(kept)));
        List<int[]> made = new ArrayList<>();
        for (int i = 0; i <= ParserBuffers.MAX_KEPT; i++) {
            made.add(kept.allocintBuffer(1));
        }
        made.forEach(kept::releaseIntBuffer);
        List<int[]> again = new ArrayList<>();
        for (int i = 0; i <= ParserBuffers.MAX_KEPT; i++) {
            again.add(kept.allocintBuffer(1));
        }
        assertEquals(ParserBuffers.MAX_KEPT, keptOf(made, again));
    }

    /// One more than are kept, taken and given back.
    private static List<byte[]> bytes(BufferRecycler kept) {
        List<byte[]> taken = new ArrayList<>();
        for (int i = 0; i <= ParserBuffers.MAX_KEPT; i++) {
            taken.add(kept.allocByteBuffer(0));
        }
        taken.forEach(buffer -> kept.releaseByteBuffer(0, buffer));
        return taken;
    }

    private static int keptOf(List<?> before, List<?> after) {
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(before);
        return (int) after.stream().filter(known::contains).count();
    }
}
