package org.bloomgate.server.http;

import io.helidon.http.RequestException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.io.BlockStream;

/// The body of a request within its bounds: more bytes than allowed are a problem with status 413; a body that
/// does not end in time is one with 408, however slowly single bytes arrive. If no bytes arrive at all,
/// [WatchedConnections] ends the wait and answers 408. Used by one thread.
public final class RequestBody extends BlockStream {
    private static final int INITIAL_BUFFER_BYTES = 512;

    private final InputStream source;
    private final long maxBytes;
    private final long deadline;
    private long count;
    private Optional<BodyException> failure = Optional.empty();

    RequestBody(InputStream source, long maxBytes, Duration timeout) {
        this.source = source;
        this.maxBytes = maxBytes;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    /// The number of bytes read.
    public long count() {
        return count;
    }

    /// True while there is time left for the request.
    public boolean inTime() {
        return deadline - System.nanoTime() > 0;
    }

    /// The time left for the request, not below zero.
    public Duration left() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    /// Throws the exception with which reading failed, in case a library has turned it into another exception.
    public void throwFailure() throws BodyException {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        throwFailure();
        if (!inTime()) {
            throw fail(new BodyException(Problem.timeout()));
        }
        int read = readFromServer(into, offset, length);
        count += Math.max(0, read);
        if (count > maxBytes) {
            throw fail(new BodyException(Problem.tooLarge(maxBytes)));
        }
        return read;
    }

    /// Uses a small initial buffer, as most bodies are a line of JSON.
    @Override
    public byte[] readAllBytes() throws IOException {
        byte[] bytes = new byte[INITIAL_BUFFER_BYTES];
        int size = 0;
        for (int read = 0; read >= 0; read = read(bytes, size, bytes.length - size)) {
            size += read;
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * size);
            }
        }
        return Arrays.copyOf(bytes, size);
    }

    /// Reads from the server's stream, which throws various unchecked exceptions if a chunk is malformed or the
    /// connection is lost. In the latter case no one receives the answer.
    private int readFromServer(byte[] into, int offset, int length) throws IOException {
        try {
            return source.read(into, offset, length);
        } catch (RequestException fault) {
            boolean tooLarge = fault.status().code() == 413;
            throw fail(new BodyException(tooLarge ? Problem.tooLarge(maxBytes) : Problem.brokenBody()));
        } catch (RuntimeException fault) {
            throw fail(new BodyException(inTime() ? Problem.brokenBody() : Problem.timeout()));
        }
    }

    private BodyException fail(BodyException cause) {
        failure = Optional.of(cause);
        return cause;
    }
}
