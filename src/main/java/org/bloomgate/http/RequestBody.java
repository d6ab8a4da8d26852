package org.bloomgate.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;

/// The body of a request within its bounds: more octets than allowed are a problem with status 413, an end that does
/// not come in time one with 408, however slowly single octets arrive. Used by one thread.
final class RequestBody extends InputStream {
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

    /// Octets read so far.
    long count() {
        return count;
    }

    /// True while there is time left for the request.
    boolean inTime() {
        return deadline - System.nanoTime() > 0;
    }

    /// Fails again as the reading failed, for when a reader on the way made something else of it.
    void requireSound() throws BodyException {
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

    /// The server's stream throws unchecked exceptions of many types when the connection fails or a chunk is malformed.
    private int readOn(byte[] into, int offset, int length) throws IOException {
        try {
            return from.read(into, offset, length);
        } catch (UncheckedIOException silent) {
            throw failed(
                    silent.getCause() instanceof SocketTimeoutException
                            ? new BodyException(Problem.timeout())
                            : new BodyException(silent));
        } catch (RuntimeException lost) {
            throw failed(new BodyException(lost));
        }
    }

    private BodyException failed(BodyException why) {
        failure = Optional.of(why);
        return why;
    }
}
