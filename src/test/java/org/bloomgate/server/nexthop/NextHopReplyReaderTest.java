package org.bloomgate.server.nexthop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NextHopReplyReaderTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 4_096})
    void aReplyOfSeveralLinesIsReadInPiecesOfAnySize(int pieceBytes) throws Exception {
        NextHopReplyReader reader = reader("550-5.1.1 no\r\n550-\r\n550\r\n250 2.0.0 next\r\n", pieceBytes);
        assertEquals(new Reply(550, List.of("5.1.1 no", "", "")), reader.read());
        assertEquals(new Reply(250, List.of("2.0.0 next")), reader.read());
        assertFalse(reader.hasUnreadBytes());
    }

    @Test
    void bytesBeyondTheReplyArePending() throws Exception {
        NextHopReplyReader reader = reader("250 ok\r\n2", 4_096);
        reader.read();
        assertTrue(reader.hasUnreadBytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ok\r\n",
                "25 ok\r\n",
                "2500 ok\r\n",
                "150 ok\r\n",
                "650 ok\r\n",
                "250_ok\r\n",
                "\r\n",
                "250 ok\n",
                "\n",
                "250-ok\r\n550 no\r\n",
                "250-ok\r\nok\r\n",
                "HTTP/1.1 400 Bad Request\r\n"
            })
    void whatIsNoReplyIsOutOfProtocol(String bytes) {
        NextHopFault fault =
                assertThrows(NextHopFault.class, () -> reader(bytes, 4_096).read());
        assertEquals(NextHopFault.Kind.NONSENSE, fault.kind());
    }

    @Test
    void aLineMayHave4096BytesAndNotOneMore() throws Exception {
        String longest = "250 " + "x".repeat(NextHopReplyReader.MAX_LINE_BYTES - 6);
        assertEquals(
                "x".repeat(NextHopReplyReader.MAX_TEXT_BYTES),
                reader(longest + "\r\n", 1_000).read().lines().getFirst());
        assertThrows(NextHopFault.class, () -> reader(longest + "x\r\n", 1_000).read());
    }

    @Test
    void aReplyMayHave128LinesAndNotOneMore() throws Exception {
        String most = "250-x\r\n".repeat(NextHopReplyReader.MAX_LINES - 1);
        assertEquals(
                NextHopReplyReader.MAX_LINES,
                reader(most + "250 x\r\n", 100).read().lines().size());
        assertThrows(
                NextHopFault.class,
                () -> reader(most + "250-x\r\n250 x\r\n", 100).read());
    }

    @Test
    void controlCharactersAreMaskedAndOtherBytesKept() throws Exception {
        Reply reply =
                reader("250 a\0b\rc\u001b\u007f\td\u00c3\u00bc\r\n", 4_096).read();
        assertEquals("a?b?c??\td\u00c3\u00bc", reply.lines().getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "250 ok\r", "250-ok\r\n"})
    void anEndWithinAReplyIsALostConnection(String bytes) {
        NextHopFault fault =
                assertThrows(NextHopFault.class, () -> reader(bytes, 4_096).read());
        assertEquals(NextHopFault.Kind.LOST, fault.kind());
    }

    private static NextHopReplyReader reader(String bytes, int pieceBytes) {
        InputStream whole = new ByteArrayInputStream(bytes.getBytes(ISO_8859_1));
        return new NextHopReplyReader(new InputStream() {
            @Override
            public int read() throws IOException {
                return whole.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return whole.read(into, offset, Math.min(length, pieceBytes));
            }
        });
    }
}
