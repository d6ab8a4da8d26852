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

/// One connection: questions one after the other, each with its length in two bytes before it (RFC 7766). Bytes that
/// trickle in do not prolong the time for one.
final class TcpConnection {
    /// The time for the next query to arrive completely, and for the client to read its answer.
    static final Duration IDLE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);

    private final Socket socket;
    private final Supplier<Responder> responders;
    private final boolean permitted;
    private final DnsCounts counts;
    private volatile long lateAt = System.nanoTime() + IDLE.toNanos();
    private volatile boolean answering;
    private volatile boolean finishing;

    /// @param permitted false for a client that is refused: its connection ends behind the first question
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

    /// In nanoseconds, how long nothing whole has come; negative while a question is answered.
    long silence() {
        return answering ? -1 : System.nanoTime() - lateAt + IDLE.toNanos();
    }

    void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            serve(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
        } catch (IOException ended) {
            LOG.debug("dns: {}", ended.toString());
        } catch (RuntimeException | InternalError fault) {
            counts.faults.increment();
            LOG.error("dns: a question was not answered", fault);
        }
    }

    private void serve(DataInputStream in, OutputStream out) throws IOException {
        Responder responder = responders.get();
        byte[] frame = new byte[2 + Answer.MAX_BYTES];
        boolean goesOn = true;
        while (goesOn && !finishing) {
            int length = in.readUnsignedShort();
            if (length > Question.MAX_BYTES) {
                return;
            }
            byte[] message = in.readNBytes(length);
            answering = message.length == length;
            int answered =
                    answering ? responder.answerInTime(message, length, socket.getInetAddress(), Transport.TCP) : 0;
            if (answered > 0) {
                frame[0] = (byte) (answered >> 8);
                frame[1] = (byte) answered;
                System.arraycopy(responder.bytes(), 0, frame, 2, answered);
                out.write(frame, 0, 2 + answered);
            }
            answering = false;
            lateAt = System.nanoTime() + IDLE.toNanos();
            goesOn = permitted && answered > 0;
        }
    }

    void closeWhenLate(long nowNanos) {
        if (nowNanos - lateAt > 0) {
            close();
        }
    }

    /// Ends it now, or behind the question that is being answered.
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
