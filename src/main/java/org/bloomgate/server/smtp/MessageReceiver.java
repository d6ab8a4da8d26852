package org.bloomgate.server.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.spool.MessageSpool;

/// Reads one message from a client to its end, by DATA or chunk by chunk, even if it will be rejected: unread
/// bytes would run as commands. Of a message that is discarded, at most the size of a permitted message is
/// read; then the session must end.
final class MessageReceiver implements AutoCloseable {
    /// Always read this much of a message that will be discarded, so that the client gets its reply.
    private static final long MIN_DISCARDED_BYTES = 1024 * 1024;

    /// More `Received` fields mean a loop (RFC 5321 6.3).
    private static final int MAX_RECEIVED_FIELDS = 100;

    private final MessageSpool spool;
    private final RelayOptions options;
    private final HeaderFilter header;
    private final DataScanner data;
    private final ChunkScanner chunks;
    private long bytesToDiscard;
    private boolean ended = true;
    private Optional<Pace> pace = Optional.empty();

    /// @param spool closed with this
    MessageReceiver(MessageSpool spool, RelayOptions options) {
        this.spool = spool;
        this.options = options;
        this.header = new HeaderFilter(spool::write);
        this.data = new DataScanner(header);
        this.chunks = new ChunkScanner(header);
        this.bytesToDiscard = maxDiscardedBytes(options);
    }

    private static long maxDiscardedBytes(RelayOptions options) {
        return Math.max(MIN_DISCARDED_BYTES, options.limits().maxMessageBytes());
    }

    /// Reads the message after DATA.
    ///
    /// @throws EOFException if the connection ends before the message
    /// @throws java.net.SocketTimeoutException if the client is too slow
    void readData(ClientConnection connection) throws IOException {
        read(connection, data);
        header.finish();
    }

    /// Reads one chunk; the last one ends the message.
    void readChunk(ClientConnection connection, Chunk chunk) throws IOException {
        chunks.expect(chunk.bytes());
        read(connection, chunks);
        if (chunk.last()) {
            chunks.finish();
            header.finish();
        }
    }

    private void read(ClientConnection connection, BodyScanner scanner) throws IOException {
        Pace current = pace.orElseGet(() -> new Pace(options.timeouts()));
        pace = Optional.of(current);
        connection.widen();
        try {
            while (!scanner.ended() && bytesToDiscard > 0) {
                int bytesRead = current.scan(connection, scanner);
                bytesToDiscard -= spool.fault().isPresent() ? bytesRead : 0;
            }
        } finally {
            connection.narrow();
            ended = scanner.ended();
        }
    }

    /// Reads and discards a chunk.
    ///
    /// @return false if it is larger than may be discarded
    static boolean discard(ClientConnection connection, Chunk chunk, RelayOptions options) throws IOException {
        if (chunk.bytes() > maxDiscardedBytes(options)) {
            return false;
        }
        ChunkScanner scanner = new ChunkScanner((bytes, from, to) -> {});
        scanner.expect(chunk.bytes());
        Pace pace = new Pace(options.timeouts());
        while (!scanner.ended()) {
            pace.scan(connection, scanner);
        }
        return true;
    }

    /// The deadlines of reading a message: each block has `smtp.timeouts.data`, and the whole message must keep
    /// up `minimumRate`. Chunks of one message share a pace, so that many small ones are not slower than DATA
    /// may be.
    private static final class Pace {
        private final RelayOptions.Timeouts timeouts;
        private final long began = System.nanoTime();
        private long total;

        Pace(RelayOptions.Timeouts timeouts) {
            this.timeouts = timeouts;
        }

        int scan(ClientConnection connection, BodyScanner scanner) throws IOException {
            long nanosEarned =
                    Duration.ofSeconds(total / timeouts.minimumRate()).toNanos();
            long deadline = began + timeouts.data().toNanos() + Math.min(System.nanoTime() - began, nanosEarned);
            if (System.nanoTime() - deadline > 0) {
                throw new SocketTimeoutException("slower than smtp.timeouts.minimumRate");
            }
            int bytesRead = connection.scan(scanner, deadline);
            if (bytesRead == 0) {
                throw new EOFException("connection closed inside a message");
            }
            total += bytesRead;
            return bytesRead;
        }
    }

    MessageSpool spool() {
        return spool;
    }

    /// False if the message was not read to its end.
    boolean ended() {
        return ended;
    }

    /// The rejection of the message as far as it was read.
    Optional<Reply> fault() {
        if (spool.fault().isPresent()) {
            return Optional.of(
                    switch (spool.fault().get()) {
                        case TOO_LARGE -> Replies.TOO_LARGE;
                        case DISK -> Replies.DISK_FULL;
                    });
        }
        boolean sawBareLineEnds = data.sawBareLineEnds() || chunks.sawBareLineEnds();
        if (sawBareLineEnds && options.bareLineEnds() == BareLineEnds.REJECT) {
            return Optional.of(Replies.BARE_LINE_END_IN_MESSAGE);
        }
        return header.receivedFields() >= MAX_RECEIVED_FIELDS ? Optional.of(Replies.LOOP) : Optional.empty();
    }

    @Override
    public void close() {
        spool.close();
    }
}
