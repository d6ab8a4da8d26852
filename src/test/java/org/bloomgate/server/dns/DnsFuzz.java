package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;

/// What holds for any bytes taken as a datagram: no answer, or one that a library of others reads to its last
/// byte, with the number of the question, not longer than a datagram may be, and never with an address when the
/// question could not be read. And for any bytes taken as a connection: each question in it gets that answer,
/// whatever stands around it and however the bytes are cut, until one has none.
public final class DnsFuzz {
    private static final Asking ASKING = new Asking(
            new ListedHosts()
                    .lists("bad.example", "192.0.2.7")
                    .fallsSilent("silent.example")
                    .listsNetworks("198.51.100.0/24", "2001:db8:bad::/48")
                    .inForce(),
            new ZoneOptions(
                    Set.of(KeyKind.DOMAIN, KeyKind.NETWORK),
                    List.of(),
                    Map.of(ZoneOptions.DEFAULT_CODE, ReturnCode.DEFAULT),
                    Duration.ofMinutes(5),
                    "listed {name} {category}"));

    private DnsFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length <= Question.MAX_BYTES) {
            for (Transport transport : Transport.values()) {
                check(bytes, ASKING.bytes(bytes, Asking.CLIENT, transport), transport);
            }
            check(bytes, ASKING.slip(bytes), Transport.UDP);
            check(bytes, ASKING.servfail(bytes), Transport.UDP);
        }
        checkConnection(bytes);
        checkConnection(framed(bytes, bytes, Arrays.copyOf(bytes, bytes.length / 2)));
    }

    private static void check(byte[] bytes, byte[] answer, Transport transport) {
        if (answer.length == 0) {
            return;
        }
        Message read = Asking.read(answer);
        assertEquals(
                ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff), read.getHeader().getID());
        assertTrue((answer[2] & 0x80) != 0, "an answer says that it is one");
        assertTrue((bytes[2] & 0x80) == 0, "an answer was answered");
        assertTrue(transport == Transport.TCP || answer.length <= AnswerWriter.MAX_UDP_BYTES);
        if (read.getRcode() != Rcode.NOERROR) {
            assertEquals(0, read.getHeader().getCount(1));
        }
    }

    private static byte[] framed(byte[]... messages) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            wire.write(message.length >> 8);
            wire.write(message.length);
            wire.writeBytes(message);
        }
        return wire.toByteArray();
    }

    private static void checkConnection(byte[] wire) {
        Stream socket = new Stream(wire);
        new TcpConnection(socket, ASKING::responder, true, ASKING.counts).run();
        assertTrue(socket.isClosed(), "the connection stays open");
        assertEquals(0, ASKING.counts.faults.count(), "a fault");
        assertArrayEquals(answers(wire), socket.answers.toByteArray());
    }

    private static byte[] answers(byte[] wire) {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        ByteBuffer left = ByteBuffer.wrap(wire);
        while (left.remaining() >= Short.BYTES) {
            int length = left.getShort() & 0xffff;
            if (length > Math.min(left.remaining(), Question.MAX_BYTES)) {
                break;
            }
            byte[] question = new byte[length];
            left.get(question);
            byte[] answer = ASKING.bytes(question, Asking.CLIENT, Transport.TCP);
            if (answer.length == 0) {
                break;
            }
            expected.writeBytes(framed(answer));
        }
        return expected.toByteArray();
    }

    /// A connection in memory, whose bytes arrive in pieces as long as they say themselves.
    private static final class Stream extends Socket {
        private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
        private final InputStream pieces;

        Stream(byte[] wire) {
            pieces = new ByteArrayInputStream(wire) {
                @Override
                public synchronized int read(byte[] into, int in, int length) {
                    int arrived = pos < count ? 1 + ((buf[pos] & 0xff) * 31 + pos) % 97 : 1;
                    return super.read(into, in, Math.min(arrived, length));
                }
            };
        }

        @Override
        public InputStream getInputStream() {
            return pieces;
        }

        @Override
        public OutputStream getOutputStream() {
            return answers;
        }

        @Override
        public InetAddress getInetAddress() {
            return Asking.CLIENT;
        }

        @Override
        public void setTcpNoDelay(boolean on) {}
    }
}
