package org.bloomgate.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.bloomgate.core.text.TextForms;

/// One connection and since when it waits for what. It is read and written through this, by one thread, so that
/// another can end a wait that is too long: it interrupts the thread, which closes the socket. Who waits for a body
/// cannot answer any more then, so that a thread of its own says 408 before.
final class WatchedConnection implements ConnectionContext, DataWriter, Supplier<byte[]> {
    /// The next action of the client.
    enum Phase {
        /// Begin a request, or go away.
        IDLE,
        /// End the request line and the header fields.
        HEAD,
        /// Nothing: its request is worked on.
        NOTHING,
        /// End the body; from the first wait for bytes of it.
        BODY,
        /// Take what is written.
        ANSWER
    }

    /// Not in the hands of the client.
    static final long WORKING = Long.MIN_VALUE;

    private static final long GRACE_NANOS = 1_000_000_000;
    private static final String STATUS_204 = "HTTP/1.1 204";
    private static final String LENGTH_OF_NONE = "\r\ncontent-length: 0\r\n";

    private final ConnectionContext of;
    private final DataReader reader = DataReader.create(this);
    private volatile Phase phase = Phase.IDLE;
    private volatile long since = System.nanoTime();
    private Optional<Thread> waiting = Optional.empty();
    private boolean cut;

    WatchedConnection(ConnectionContext of) {
        this.of = of;
    }

    /// From now on the client has that to do.
    void enter(Phase next) {
        since = System.nanoTime();
        phase = next;
    }

    Phase phase() {
        return phase;
    }

    /// In nanoseconds, how long the client has had for what it has to do.
    long waited() {
        return System.nanoTime() - since;
    }

    /// In nanoseconds, how long the client has held the connection without getting on: [#WORKING] when it has
    /// not. A body or an answer takes time, so that its first second does not count and is below zero.
    long stalled() {
        return switch (phase) {
            case IDLE, HEAD -> waited();
            case BODY, ANSWER -> waited() - GRACE_NANOS;
            case NOTHING -> WORKING;
        };
    }

    /// Called by another thread: ends a read or write in progress. The body is still read while the refusal is
    /// written, within the time of an answer.
    synchronized void cut() {
        if (waiting.isPresent() && phase == Phase.BODY) {
            cut = true;
            enter(Phase.ANSWER);
            Thread.ofVirtual().name("http-timeout").start(this::refuseBody);
        } else {
            interrupt();
        }
    }

    synchronized boolean isCut() {
        return cut;
    }

    private void refuseBody() {
        try {
            of.dataWriter().writeNow(AnswerSender.last(Problem.timeout()));
        } catch (RuntimeException gone) {
            // No one is there to hear it, and the connection ends either way.
        } finally {
            interrupt();
        }
    }

    private synchronized void interrupt() {
        if (waiting.isPresent()) {
            cut = true;
            waiting.get().interrupt();
        }
    }

    /// After a cut nothing is read or written: another answer may be on the wire.
    private synchronized void begin() {
        requireUncut();
        waiting = Optional.of(Thread.currentThread());
    }

    private synchronized void end() {
        waiting = Optional.empty();
        if (cut) {
            // Meant for this wait alone. The socket is closed.
            Thread.interrupted();
        }
        requireUncut();
    }

    private void requireUncut() {
        if (cut) {
            throw new CloseConnectionException("the client took too long");
        }
    }

    /// The next bytes; null at the end. Through the server's own reader, which may have looked at the first ones.
    @Override
    @SuppressWarnings("NullAway") // The contract of a reader's supplier.
    public byte[] get() {
        byte[] bytes = read();
        if (phase != Phase.IDLE) {
            return bytes;
        }
        enter(Phase.HEAD);
        OlderRequest older = new OlderRequest();
        byte[] begun = bytes == null ? new byte[0] : older.take(bytes);
        while (bytes != null && begun.length == 0) {
            bytes = read();
            begun = bytes == null ? older.release() : older.take(bytes);
        }
        return begun.length == 0 ? null : begun;
    }

    @SuppressWarnings("NullAway")
    private byte[] read() {
        if (phase == Phase.NOTHING) {
            enter(Phase.BODY);
        }
        begin();
        try {
            return of.dataReader().readBuffer().readBytes();
        } catch (DataReader.InsufficientDataAvailableException end) {
            return null;
        } finally {
            end();
        }
    }

    /// Every write has a time of its own, so that a long answer may take long.
    @Override
    public void writeNow(BufferData buffer) {
        Phase before = phase;
        enter(Phase.ANSWER);
        begin();
        try {
            of.dataWriter().writeNow(isWithoutContent(buffer) ? withoutLength(buffer) : buffer);
        } finally {
            end();
        }
        enter(before);
    }

    /// The head of an answer with status 204, which has no length (RFC 9110 8.6); the server writes one.
    private static boolean isWithoutContent(BufferData buffer) {
        return buffer.available() > STATUS_204.length() && STATUS_204.equals(start(buffer));
    }

    private static String start(BufferData buffer) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < STATUS_204.length(); i++) {
            text.append((char) buffer.get(i));
        }
        return text.toString();
    }

    private static BufferData withoutLength(BufferData buffer) {
        String head = new String(buffer.readBytes(), StandardCharsets.ISO_8859_1);
        int line = TextForms.lowerCase(head).indexOf(LENGTH_OF_NONE);
        String without = line < 0 ? head : head.substring(0, line) + head.substring(line + LENGTH_OF_NONE.length() - 2);
        return BufferData.create(without.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void writeNow(BufferData... buffers) {
        for (BufferData buffer : buffers) {
            writeNow(buffer);
        }
    }

    @Override
    public void write(BufferData... buffers) {
        writeNow(buffers);
    }

    @Override
    public void write(BufferData buffer) {
        writeNow(buffer);
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public DataWriter dataWriter() {
        return this;
    }

    @Override
    public ListenerContext listenerContext() {
        return of.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return of.executor();
    }

    @Override
    public Router router() {
        return of.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return of.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return of.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return of.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return of.localPeer();
    }

    @Override
    public boolean isSecure() {
        return of.isSecure();
    }

    @Override
    public String socketId() {
        return of.socketId();
    }

    @Override
    public String childSocketId() {
        return of.childSocketId();
    }
}
