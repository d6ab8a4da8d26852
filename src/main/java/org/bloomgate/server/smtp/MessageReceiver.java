package org.bloomgate.server.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.spool.MessageSpool;

/// Reads one message from a client to its end, by DATA or chunk by chunk, whatever is wrong with it: bytes left unread
/// would run as commands. Of a message that is not kept, no more is read than another message's size; then the session
/// has to end.
final class MessageReceiver implements AutoCloseable {
    /// So much is read to no purpose in any case, as a client that gets its reply is worth more.
    private static final long MIN_UNKEPT_BYTES = 1024 * 1024;

    /// RFC 5321 6.3.
    private static final int MAX_RECEIVED_FIELDS = 100;

    private final MessageSpool spool;
    private final RelayOptions options;
    private final HeaderFilter header;
    private final DataScanner data;
    private final ChunkScanner chunks;
    private long unkept;
    private boolean ended = true;
    private Optional<Pace> pace = Optional.empty();

    /// @param spool closed with this
    MessageReceiver(MessageSpool spool, RelayOptions options) {
        this.spool = spool;
        this.options = options;
        this.header = new HeaderFilter(spool::write);
        this.data = new DataScanner(header);
        this.chunks = new ChunkScanner(header);
        this.unkept = mostUnkept(options);
    }

    private static long mostUnkept(RelayOptions options) {
        return Math.max(MIN_UNKEPT_BYTES, options.limits().maxMessageBytes());
    }

    /// All that comes after DATA.
    ///
    /// @throws EOFException when the client leaves before the end
    /// @throws java.net.SocketTimeoutException when it is too slow
    void readData(ClientConnection connection) throws IOException {
        read(connection, data);
        header.finish();
    }

    /// One chunk; the last one ends the message.
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
            while (!scanner.ended() && unkept > 0) {
                int taken = current.scan(connection, scanner);
                unkept -= spool.fault().isPresent() ? taken : 0;
            }
        } finally {
            connection.narrow();
            ended = scanner.ended();
        }
    }

    /// Reads and discards a chunk.
    ///
    /// @return false when it is larger than what is read to no purpose
    static boolean discard(ClientConnection connection, Chunk chunk, RelayOptions options) throws IOException {
        if (chunk.bytes() > mostUnkept(options)) {
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

    /// A block may take its time, and all of them together no more than the bytes so far have earned. Chunks of one
    /// message share one pace, so that many small ones are no slower than DATA may be.
    private static final class Pace {
        private final RelayOptions.Timeouts timeouts;
        private final long began = System.nanoTime();
        private long total;

        Pace(RelayOptions.Timeouts timeouts) {
            this.timeouts = timeouts;
        }

        int scan(ClientConnection connection, BodyScanner scanner) throws IOException {
            long earned = Duration.ofSeconds(total / timeouts.minimumRate()).toNanos();
            long deadline = began + timeouts.data().toNanos() + Math.min(System.nanoTime() - began, earned);
            if (System.nanoTime() - deadline > 0) {
                throw new SocketTimeoutException("slower than smtp.timeouts.minimumRate");
            }
            int taken = connection.scan(scanner, deadline);
            if (taken == 0) {
                throw new EOFException("connection closed inside a message");
            }
            total += taken;
            return taken;
        }
    }

    MessageSpool spool() {
        return spool;
    }

    /// False when the client had more to send than was read.
    boolean ended() {
        return ended;
    }

    /// The refusal of the message as far as it was read.
    Optional<Reply> fault() {
        if (spool.fault().isPresent()) {
            return Optional.of(
                    switch (spool.fault().get()) {
                        case TOO_LARGE -> Replies.TOO_LARGE;
                        case DISK -> Replies.DISK_FULL;
                    });
        }
        boolean bare = data.sawBareLineEnds() || chunks.sawBareLineEnds();
        if (bare && options.bareLineEnds() == BareLineEnds.REJECT) {
            return Optional.of(Replies.BARE_LINE_END_IN_MESSAGE);
        }
        return header.receivedFields() >= MAX_RECEIVED_FIELDS ? Optional.of(Replies.LOOP) : Optional.empty();
    }

    @Override
    public void close() {
        spool.close();
    }
}
