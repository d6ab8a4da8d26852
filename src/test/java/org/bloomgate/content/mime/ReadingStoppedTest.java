package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.limit.ReadingStopped;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Throws [ReadingStopped] once, at one draw after the other of each message in `messages`: whoever caught it on the
/// way and read on would hide it.
class ReadingStoppedTest {
    /// Draws tried of one message, evenly spread.
    private static final int TRIES = 40;

    /// Throws at one draw alone.
    private static final class OneDraw extends Allowance {
        private final long at;
        private final ReadingStopped stop;
        private long draws;

        OneDraw(long at, ReadingStopped stop) {
            super(MessageLimits.defaults());
            this.at = at;
            this.stop = stop;
        }

        @Override
        public boolean exhausted() {
            if (draws++ == at) {
                throw stop;
            }
            return super.exhausted();
        }
    }

    private static void read(byte[] message, Allowance allowance) throws IOException {
        new MessageReader(MessageLimits.defaults())
                .read(
                        new ByteArrayInputStream(message),
                        PublicSuffixes.bundled(),
                        EnumSet.allOf(KeyKind.class),
                        new KeyBatch(),
                        allowance);
    }

    @ParameterizedTest
    @MethodSource("org.bloomgate.content.mime.FixturesTest#messages")
    void stopAtAnyDraw_arrives(String name) throws IOException {
        byte[] message = Files.readAllBytes(Path.of("src/test/resources/messages", name));
        ReadingStopped stop = new ReadingStopped(ReadingStopped.Reason.TIME);
        OneDraw counting = new OneDraw(-1, stop);
        read(message, counting);
        assertTrue(counting.draws > 0);
        for (long at = 0; at < counting.draws; at += Math.max(1, counting.draws / TRIES)) {
            OneDraw once = new OneDraw(at, stop);
            assertSame(stop, assertThrows(ReadingStopped.class, () -> read(message, once), "draw " + at));
        }
    }
}
