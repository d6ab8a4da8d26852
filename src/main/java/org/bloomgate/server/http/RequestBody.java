package org.bloomgate.server.http;

import io.helidon.http.RequestException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/// The body of a request within its bounds: more bytes than allowed are a problem with status 413, an end that does
/// not come in time one with 408, however slowly single bytes arrive; [WatchedConnections] answers so, and ends the
/// wait, when they stay away. Used by one thread.
public final class RequestBody extends InputStream {
    private static final int FIRST_BYTES = 512;

    private final InputStream from;
    private final long maxBytes;
    private final long deadline;
    private long count;
    private Optional<BodyException> failure = Optional.empty();

    RequestBody(InputStream from, long maxBytes, Duration timeout) {
        this.from = from;
        this.maxBytes = maxBytes;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    /// Bytes read so far.
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

    /// Throws what the reading failed with, when a library between has turned it into another exception.
    public void requireSound() throws BodyException {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        requireSound();
        if (!inTime()) {
            throw failed(new BodyException(Problem.timeout()));
        }
        int read = readOn(into, offset, length);
        count += Math.max(0, read);
        if (count > maxBytes) {
            throw failed(new BodyException(Problem.tooLarge(maxBytes)));
        }
        return read;
    }

    /// In a buffer that begins small: most bodies are a line of JSON.
    @Override
    public byte[] readAllBytes() throws IOException {
        byte[] bytes = new byte[FIRST_BYTES];
        int size = 0;
        for (int read = 0; read >= 0; read = read(bytes, size, bytes.length - size)) {
            size += read;
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * size);
            }
        }
        return Arrays.copyOf(bytes, size);
    }

    /// The server's stream throws unchecked exceptions of many types if a chunk is malformed or the connection
    /// is lost. In the latter case no one receives the answer.
    private int readOn(byte[] into, int offset, int length) throws IOException {
        try {
            return from.read(into, offset, length);
        } catch (RequestException fault) {
            boolean tooLarge = fault.status().code() == 413;
            throw failed(new BodyException(tooLarge ? Problem.tooLarge(maxBytes) : Problem.brokenBody()));
        } catch (RuntimeException fault) {
            throw failed(new BodyException(inTime() ? Problem.brokenBody() : Problem.timeout()));
        }
    }

    private BodyException failed(BodyException why) {
        failure = Optional.of(why);
        return why;
    }
}
