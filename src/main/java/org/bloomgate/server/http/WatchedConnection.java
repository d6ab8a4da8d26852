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

/// A connection with its current phase. One thread reads and writes through it; another thread can end a wait
/// that is too long by interrupting that thread, which closes the socket. Before a wait for a body is ended, a
/// separate thread answers 408, as the interrupted thread cannot.
final class WatchedConnection implements ConnectionContext, DataWriter, Supplier<byte[]> {
    /// The phases of a connection, by what the client must do next.
    enum Phase {
        /// Begin a request, or close the connection.
        IDLE,
        /// End the request line and the header fields.
        HEAD,
        /// Nothing: its request is being handled.
        WORK,
        /// Send the rest of the body; from the first wait for its bytes.
        BODY,
        /// Read the answer.
        ANSWER
    }

    /// The value of [#stalledNanos()] while the request is being handled.
    static final long NOT_STALLED = -1;

    private static final String STATUS_204 = "HTTP/1.1 204";
    private static final String LENGTH_OF_NONE = "\r\ncontent-length: 0\r\n";

    private final ConnectionContext delegate;
    private final DataReader reader = DataReader.create(this);
    private volatile Phase phase = Phase.IDLE;
    private volatile long phaseStart = System.nanoTime();
    private Optional<Thread> waitingThread = Optional.empty();
    private boolean cut;

    WatchedConnection(ConnectionContext delegate) {
        this.delegate = delegate;
    }

    /// Begins a phase.
    void enter(Phase next) {
        phaseStart = System.nanoTime();
        phase = next;
    }

    Phase phase() {
        return phase;
    }

    /// The duration of the current phase.
    long phaseNanos() {
        return System.nanoTime() - phaseStart;
    }

    /// How long the server has waited for the client; [#NOT_STALLED] while the request is being handled.
    long stalledNanos() {
        return phase == Phase.WORK ? NOT_STALLED : phaseNanos();
    }

    /// Ends a read or write in progress; called by another thread. While a 408 is written, the body is still
    /// read, within the time of an answer.
    synchronized void cut() {
        if (waitingThread.isPresent() && phase == Phase.BODY) {
            cut = true;
            enter(Phase.ANSWER);
            Thread.ofVirtual().name("http-timeout").start(this::answerTimeout);
        } else {
            interrupt();
        }
    }

    synchronized boolean isCut() {
        return cut;
    }

    private void answerTimeout() {
        try {
            delegate.dataWriter().writeNow(AnswerSender.closingAnswer(Problem.timeout()));
        } catch (RuntimeException gone) {
            // the client has disconnected, and the connection is closed anyway
        } finally {
            interrupt();
        }
    }

    private synchronized void interrupt() {
        if (waitingThread.isPresent()) {
            cut = true;
            waitingThread.get().interrupt();
        }
    }

    /// Begins a wait. After a cut nothing may be read or written, as another answer may be on the connection.
    private synchronized void beginWait() {
        throwIfCut();
        waitingThread = Optional.of(Thread.currentThread());
    }

    private synchronized void endWait() {
        waitingThread = Optional.empty();
        if (cut) {
            // the interrupt was meant for this wait alone; the socket is closed
            Thread.interrupted();
        }
        throwIfCut();
    }

    private void throwIfCut() {
        if (cut) {
            throw new CloseConnectionException("the client took too long");
        }
    }

    /// Returns the next bytes, or null at the end. Uses the server's own reader, which may have buffered the
    /// first bytes.
    @Override
    @SuppressWarnings("NullAway") // The contract of a reader's supplier.
    public byte[] get() {
        byte[] bytes = read();
        if (phase != Phase.IDLE) {
            return bytes;
        }
        enter(Phase.HEAD);
        OlderRequest request = new OlderRequest();
        byte[] start = bytes == null ? new byte[0] : request.append(bytes);
        while (bytes != null && start.length == 0) {
            bytes = read();
            start = bytes == null ? request.release() : request.append(bytes);
        }
        return start.length == 0 ? null : start;
    }

    @SuppressWarnings("NullAway")
    private byte[] read() {
        if (phase == Phase.WORK) {
            enter(Phase.BODY);
        }
        beginWait();
        try {
            return delegate.dataReader().readBuffer().readBytes();
        } catch (DataReader.InsufficientDataAvailableException e) {
            return null;
        } finally {
            endWait();
        }
    }

    /// Each write has its own timeout, so that a long answer may take long.
    @Override
    public void writeNow(BufferData buffer) {
        Phase before = phase;
        enter(Phase.ANSWER);
        beginWait();
        try {
            delegate.dataWriter().writeNow(isWithoutContent(buffer) ? withoutLength(buffer) : buffer);
        } finally {
            endWait();
        }
        enter(before);
    }

    /// True for the head of an answer with status 204: the server adds a length, which it must not have (RFC
    /// 9110 8.6).
    private static boolean isWithoutContent(BufferData buffer) {
        return buffer.available() > STATUS_204.length() && STATUS_204.equals(prefix(buffer));
    }

    private static String prefix(BufferData buffer) {
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
        return delegate.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return delegate.executor();
    }

    @Override
    public Router router() {
        return delegate.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return delegate.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return delegate.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return delegate.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return delegate.localPeer();
    }

    @Override
    public boolean isSecure() {
        return delegate.isSecure();
    }

    @Override
    public String socketId() {
        return delegate.socketId();
    }

    @Override
    public String childSocketId() {
        return delegate.childSocketId();
    }
}
