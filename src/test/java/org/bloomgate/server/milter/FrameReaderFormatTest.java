package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderFormatTest {
    @Test
    void framesComeOneByOneHoweverTheyAreCut() throws IOException {
        byte[] wire = HexFormat.of().parseHex("0000000141" + "000000034d3c3e" + "0000000151");
        for (int piece = 1; piece <= wire.length; piece++) {
            assertEquals(List.of("A", "M<>", "Q"), all(new FrameReader(cut(wire, piece))));
        }
    }

    /// A TLS hello, an HTTP request, TPKT, a negative length and none at all.
    @ParameterizedTest
    @ValueSource(strings = {"1603010000", "474554202f", "0300000b00", "ffffffff41", "0000000041", "80000000ff"})
    void whatIsNoFrameIsRefusedByItsLength(String hex) {
        FrameReader reader = new FrameReader(cut(HexFormat.of().parseHex(hex), 100));
        assertThrows(ProtocolException.class, () -> reader.next(FrameReader.MAX_BYTES));
    }

    @ParameterizedTest
    @ValueSource(ints = {FrameReader.MAX_FIRST_BYTES, FrameReader.MAX_BYTES})
    void aFrameMayHaveItsBoundAndNoByteMore(int bound) throws IOException {
        Optional<Frame> largest = new FrameReader(cut(frame(bound), 65_536)).next(bound);
        assertEquals(bound - 1, largest.orElseThrow().length());
        FrameReader beyond = new FrameReader(cut(frame(bound + 1), 65_536));
        assertThrows(ProtocolException.class, () -> beyond.next(bound));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "000000", "00000002", "0000000241"})
    void aFrameThatBreaksOffIsNone(String hex) {
        FrameReader reader = new FrameReader(cut(HexFormat.of().parseHex(hex), 100));
        assertThrows(EOFException.class, () -> reader.next(FrameReader.MAX_BYTES));
    }

    @Test
    void aLengthAloneTakesNoMemory() {
        List<Integer> rooms = new ArrayList<>();
        FrameReader reader = new FrameReader(new Recording(frame(FrameReader.MAX_BYTES), 4, rooms));
        assertThrows(EOFException.class, () -> reader.next(FrameReader.MAX_BYTES));
        assertTrue(rooms.stream().allMatch(room -> room < 8_192), rooms::toString);
    }

    private static byte[] frame(int length) {
        byte[] wire = new byte[Integer.BYTES + length];
        ByteBuffer.wrap(wire).putInt(length).put((byte) 'B');
        return wire;
    }

    private static List<String> all(FrameReader reader) throws IOException {
        List<String> frames = new ArrayList<>();
        Optional<Frame> next = reader.next(FrameReader.MAX_BYTES);
        while (next.isPresent()) {
            Frame frame = next.get();
            frames.add((char) frame.command() + new String(frame.bytes(), frame.from(), frame.length(), ISO_8859_1));
            next = reader.next(FrameReader.MAX_BYTES);
        }
        return frames;
    }

    static ReadableByteChannel cut(byte[] wire, int piece) {
        return Channels.newChannel(new ByteArrayInputStream(wire) {
            @Override
            public int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, piece));
            }
        });
    }

    /// Gives a few bytes, then the end, and notes how much room there was for more.
    private static final class Recording implements ReadableByteChannel {
        private final ByteBuffer given;
        private final List<Integer> rooms;

        Recording(byte[] wire, int count, List<Integer> rooms) {
            this.given = ByteBuffer.wrap(wire, 0, count);
            this.rooms = rooms;
        }

        @Override
        public int read(ByteBuffer into) {
            rooms.add(into.remaining());
            if (!given.hasRemaining()) {
                return -1;
            }
            int count = given.remaining();
            into.put(given);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
