package org.bloomgate.server.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.nexthop.DeadlineSocket;
import org.bloomgate.server.spool.BlockPool;

/// The connection to one client. Input is read in blocks; replies are buffered until the next read would block,
/// so that a pipelined group of commands is answered in one write.
///
/// Used by the session's thread. Other threads may only call [#abort()], [#endInput()], [#stalledFor()] and
/// [#silentFor()].
final class ClientConnection {
    /// RFC 5321 4.5.3.1 requires 512, and 500 more with ORCPT; without the line end.
    static final int MAX_LINE_BYTES = 998;

    /// The initial buffer, small because many idle clients have one. It grows for longer commands.
    private static final int FIRST_COMMAND_BYTES = 256;

    private static final int COMMAND_BUFFER_BYTES = 2 * 1024;
    private static final int FIRST_PENDING_BYTES = 256;
    private static final int MAX_PENDING_BYTES = 8 * 1024;
    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final int LINGER_BYTES = 1024 * 1024;

    private final DeadlineSocket raw;
    private final OutputStream replies = new ReplyStream();
    private Socket transport;
    private InputStream in;
    private OutputStream out;
    private final BlockPool blocks;
    private Optional<BlockPool.Block> block = Optional.empty();
    private byte[] commands = new byte[FIRST_COMMAND_BYTES];
    private byte[] buffer = commands;
    private int position;
    private int limit;
    private byte[] pending = new byte[FIRST_PENDING_BYTES];
    private int pendingBytes;
    private boolean lingering;
    private volatile long writingSince;

    /// 0 while no read is in progress.
    private volatile long waitingSince;

    /// @param blocks buffers for reading messages
    ClientConnection(DeadlineSocket raw, BlockPool blocks) throws IOException {
        this.raw = raw;
        this.blocks = blocks;
        this.transport = raw;
        this.in = raw.getInputStream();
        this.out = raw.getOutputStream();
    }

    /// The result of reading a command line.
    sealed interface Line {
        /// @param text one byte a character, without the line end
        record Command(String text) implements Line {}

        /// The client closed the connection.
        record End() implements Line {}

        record TooLong() implements Line {}

        /// A CR or LF that is not part of CRLF.
        record BareLineEnd() implements Line {}
    }

    /// Reads the next command line.
    ///
    /// @throws java.net.SocketTimeoutException if it is not complete before the deadline
    Line readLine(long deadline) throws IOException {
        int length = 0;
        while (true) {
            while (position + length < limit) {
                byte b = buffer[position + length];
                if (b == '\r' && position + length + 1 == limit) {
                    break;
                }
                if (b == '\r' && buffer[position + length + 1] == '\n') {
                    String text = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
                    position += length + 2;
                    return new Line.Command(text);
                }
                if (b == '\r' || b == '\n') {
                    return new Line.BareLineEnd();
                }
                if (++length > MAX_LINE_BYTES) {
                    return new Line.TooLong();
                }
            }
            if (!fill(deadline)) {
                return new Line.End();
            }
        }
    }

    /// True if the client sends anything within this time. The bytes stay in the buffer.
    boolean sendsWithin(Duration time) throws IOException {
        // a read that ends at the deadline would close the input
        raw.setSoTimeout((int) time.toMillis());
        try {
            return fill(System.nanoTime() + time.multipliedBy(2).toNanos());
        } catch (SocketTimeoutException silent) {
            return false;
        } finally {
            raw.setSoTimeout(0);
        }
    }

    /// Enlarges the buffer for message blocks, if there is memory; [#narrow()] undoes it.
    void widen() {
        if (ClientMemory.ofProcess().take(ClientCost.SMTP_READING.bytes())) {
            block = Optional.of(blocks.take());
            moveTo(block.get().bytes());
        }
    }

    /// Returns to the small buffer, or to a larger one for pipelined commands after a message.
    void narrow() {
        int left = limit - position;
        if (left <= commands.length) {
            moveTo(commands);
        } else {
            moveTo(new byte[left <= COMMAND_BUFFER_BYTES ? COMMAND_BUFFER_BYTES : BlockPool.BLOCK_BYTES]);
        }
        block.ifPresent(taken -> {
            taken.close();
            ClientMemory.ofProcess().giveBack(ClientCost.SMTP_READING.bytes());
        });
        block = Optional.empty();
    }

    private void moveTo(byte[] other) {
        System.arraycopy(buffer, position, other, 0, limit - position);
        limit -= position;
        position = 0;
        buffer = other;
    }

    /// Passes the available bytes to the scanner.
    ///
    /// @return how many it read; 0 if the client closed the connection
    int scan(BodyScanner scanner, long deadline) throws IOException {
        if (position == limit && !fill(deadline)) {
            return 0;
        }
        int from = position;
        position = scanner.scan(buffer, position, limit);
        return position - from;
    }

    private boolean fill(long deadline) throws IOException {
        flush();
        if (position > 0) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            position = 0;
        }
        if (limit == buffer.length) {
            commands = new byte[COMMAND_BUFFER_BYTES];
            moveTo(commands);
        }
        raw.readUntil(deadline);
        waitingSince = System.nanoTime();
        try {
            int count = in.read(buffer, limit, buffer.length - limit);
            limit += Math.max(count, 0);
            return count > 0;
        } finally {
            waitingSince = 0;
        }
    }

    /// How long the current read has been waiting; from any thread.
    Duration silentFor() {
        long since = waitingSince;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    /// Buffers a reply until the next read blocks.
    void reply(Reply reply) throws IOException {
        byte[] bytes = reply.toWire().getBytes(StandardCharsets.ISO_8859_1);
        replies.write(bytes, 0, bytes.length);
    }

    /// The stream to which the library writes a rejection of the connection.
    OutputStream replies() {
        return replies;
    }

    void flush() throws IOException {
        if (pendingBytes > 0) {
            int count = pendingBytes;
            pendingBytes = 0;
            writingSince = System.nanoTime() | 1;
            try {
                out.write(pending, 0, count);
                out.flush();
            } finally {
                writingSince = 0;
            }
        }
    }

    /// Discards buffered input: plaintext sent together with STARTTLS must not count as sent inside TLS.
    void discardInput() {
        position = limit;
    }

    DeadlineSocket raw() {
        return raw;
    }

    /// Continues inside TLS.
    void secure(Socket tls) throws IOException {
        transport = tls;
        in = tls.getInputStream();
        out = tls.getOutputStream();
    }

    /// Ends the current read as if its deadline had passed; from any thread.
    void endInput() {
        try {
            raw.endInput();
        } catch (IOException e) {
            // closed already
        }
    }

    /// Makes [#close()] read for a moment what the client still sends: a socket closed with unread input sends
    /// RST, which can overtake the last reply.
    void lingerOnClose() {
        lingering = true;
    }

    /// Sends buffered replies and closes. Never throws.
    void close() {
        if (raw.isClosed()) {
            return;
        }
        try {
            flush();
            if (lingering) {
                transport.shutdownOutput();
                drain(System.nanoTime() + LINGER.toNanos());
            }
            writingSince = System.nanoTime() | 1;
            transport.close();
        } catch (IOException e) {
            // the client is gone
        } finally {
            abort();
        }
    }

    /// Reads into its own array, as the session may still be reading into the buffer.
    private void drain(long deadline) throws IOException {
        byte[] unread = new byte[COMMAND_BUFFER_BYTES];
        raw.readUntil(deadline);
        int total = 0;
        for (int count = in.read(unread); count > 0 && total < LINGER_BYTES; count = in.read(unread)) {
            total += count;
        }
    }

    /// Closes at once, from any thread.
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            // it is closed anyway
        }
    }

    /// How long the current write of replies has been waiting; from any thread.
    Duration stalledFor() {
        long since = writingSince;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    private final class ReplyStream extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (pendingBytes + length > MAX_PENDING_BYTES) {
                ClientConnection.this.flush();
            }
            if (pendingBytes + length > pending.length) {
                pending = Arrays.copyOf(pending, Math.max(pendingBytes + length, pending.length * 2));
            }
            System.arraycopy(bytes, offset, pending, pendingBytes, length);
            pendingBytes += length;
        }
    }
}
