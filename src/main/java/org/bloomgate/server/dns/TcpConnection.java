package org.bloomgate.server.dns;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Supplier;
import org.bloomgate.base.net.Network;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One TCP connection: queries one after the other, each preceded by its length in two bytes (RFC 7766). The
/// time for a query is not prolonged by single bytes that arrive.
final class TcpConnection {
    /// The time for the next query to arrive completely, and for the client to read its answer.
    static final Duration IDLE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);

    private final Socket socket;
    private final Supplier<Responder> responders;
    private final boolean permitted;
    private final DnsCounts counts;
    private volatile long deadline = System.nanoTime() + IDLE.toNanos();
    private volatile boolean answering;
    private volatile boolean finishing;

    /// @param permitted false for a client that may not query: its connection ends after the first answer
    TcpConnection(Socket socket, Supplier<Responder> responders, boolean permitted, DnsCounts counts) {
        this.socket = socket;
        this.responders = responders;
        this.permitted = permitted;
        this.counts = counts;
    }

    boolean isPermitted() {
        return permitted;
    }

    boolean isOf(Network network) {
        return network.contains(socket.getInetAddress());
    }

    /// Nanoseconds since the last answer; negative while a query is being answered.
    long silence() {
        return answering ? -1 : System.nanoTime() - deadline + IDLE.toNanos();
    }

    void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            serve(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
        } catch (IOException ended) {
            LOG.debug("dns: {}", ended.toString());
        } catch (RuntimeException | InternalError fault) {
            counts.faults.increment();
            LOG.error("dns: query not answered", fault);
        }
    }

    private void serve(DataInputStream in, OutputStream out) throws IOException {
        Responder responder = responders.get();
        byte[] frame = new byte[2 + AnswerWriter.MAX_BYTES];
        boolean isOpen = true;
        while (isOpen && !finishing) {
            int length = in.readUnsignedShort();
            if (length > Question.MAX_BYTES) {
                return;
            }
            byte[] message = in.readNBytes(length);
            answering = message.length == length;
            int answerBytes =
                    answering ? responder.answerBlocking(message, length, socket.getInetAddress(), Transport.TCP) : 0;
            if (answerBytes > 0) {
                frame[0] = (byte) (answerBytes >> 8);
                frame[1] = (byte) answerBytes;
                System.arraycopy(responder.bytes(), 0, frame, 2, answerBytes);
                out.write(frame, 0, 2 + answerBytes);
            }
            answering = false;
            deadline = System.nanoTime() + IDLE.toNanos();
            isOpen = permitted && answerBytes > 0;
        }
    }

    void closeWhenLate(long nowNanos) {
        if (nowNanos - deadline > 0) {
            close();
        }
    }

    /// Closes the connection now, or after the current answer.
    void finish() {
        finishing = true;
        if (!answering) {
            close();
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("dns: {}", e.toString());
        }
    }
}
