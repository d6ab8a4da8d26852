package org.bloomgate.server.nexthop;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An open connection to a next hop, after the reply to EHLO. Commands are buffered until a reply is awaited,
/// so that a command, and the end of a message, are one write.
///
/// A connection is unusable after any fault. Used by one thread at a time, except [#drop] and [#dropIfOverdue].
final class SmtpConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpConnection.class);
    private static final int BLOCK_BYTES = 32 * 1024;
    static final int START_DATA = 354;
    /// RFC 5321 has no timeout for RSET; it is short because a session with a client waits for it.
    private static final Duration RSET_TIMEOUT = Duration.ofSeconds(10);
    /// The time for a reply that is already in the socket.
    private static final Duration EARLY_REPLY_TIMEOUT = Duration.ofSeconds(1);
    private static final int SHUTTING_DOWN = 421;

    /// The most RSETs on a connection. Postfix counts more than 100 between two messages as errors
    /// (`smtpd_junk_command_limit`) and then delays every reply.
    static final int MAX_RESETS = 80;

    private final String host;
    private final String name;
    private final NextHopDialect dialect;
    private final NextHopOptions options;
    private final NextHopSocket socket;
    private final NextHopReplyReader replies;
    private final OutputStream out;
    private NextHopHello hello = NextHopHello.NONE;
    private boolean used;
    private int resets;
    private boolean mixed;
    private boolean acceptedChunk;
    private long lastReplyAt;
    private long idleSince;

    private SmtpConnection(InetSocketAddress server, NextHopDialect dialect, NextHopOptions options, ReadWatch watch) {
        this.host = server.getHostString();
        this.name = host + ":" + server.getPort();
        this.dialect = dialect;
        this.options = options;
        this.socket = new NextHopSocket(watch, options.timeouts().block());
        this.replies = new NextHopReplyReader(socket.input());
        this.out = new BufferedOutputStream(socket.output(), BLOCK_BYTES);
    }

    /// Connects to a resolved address and continues up to the reply to EHLO.
    static SmtpConnection open(
            InetSocketAddress server,
            NextHopDialect dialect,
            NextHopOptions options,
            NextHopEncryption encryption,
            ReadWatch watch)
            throws NextHopFault {
        SmtpConnection connection = new SmtpConnection(server, dialect, options, watch);
        boolean greeted = false;
        try {
            connection.socket.setReadTimeout(options.connectTimeout());
            connection.socket.connect(server, options.connectTimeout());
            connection.greet(encryption);
            greeted = true;
            return connection;
        } catch (NextHopFault fault) {
            throw fault.kind() == NextHopFault.Kind.LOST
                    ? new NextHopFault(NextHopFault.Kind.UNREACHABLE, fault.detail())
                    : fault;
        } catch (IOException e) {
            throw connection.fault(NextHopFault.Kind.UNREACHABLE, IoText.describe(e));
        } finally {
            if (!greeted) {
                connection.drop();
            }
        }
    }

    private void greet(NextHopEncryption encryption) throws NextHopFault, IOException {
        requirePositive("its greeting", read());
        sayHello();
        if (encryption.mode() != NextHopTls.NONE && hello.offers("STARTTLS")) {
            encrypt(encryption);
            sayHello();
        } else if (encryption.mode() == NextHopTls.REQUIRED) {
            throw fault(NextHopFault.Kind.UNREACHABLE, "offers no STARTTLS, and nextHopOptions.tls is required");
        }
    }

    private void encrypt(NextHopEncryption encryption) throws NextHopFault, IOException {
        Reply reply = commandAndReply("STARTTLS");
        if (!reply.positive()) {
            throw NextHopFault.ofTls("next hop " + name + ": STARTTLS: " + firstLine(reply));
        }
        requireNoUnsolicitedReply();
        try {
            socket.encrypt(encryption, host);
        } catch (IOException e) {
            throw NextHopFault.ofTls("next hop " + name + ": TLS: " + e);
        }
    }

    private void sayHello() throws NextHopFault, IOException {
        Reply reply = commandAndReply(dialect.hello() + " " + options.heloName());
        if (reply.code() / 100 == 5 && dialect == NextHopDialect.SMTP) {
            requirePositive("HELO", commandAndReply("HELO " + options.heloName()));
            hello = NextHopHello.NONE;
        } else {
            requirePositive(dialect.hello(), reply);
            hello = NextHopHello.parse(reply);
        }
    }

    private Reply commandAndReply(String line) throws NextHopFault, IOException {
        send(line);
        out.flush();
        return read();
    }

    private void requirePositive(String what, Reply reply) throws NextHopFault {
        if (!reply.positive()) {
            throw fault(NextHopFault.Kind.UNREACHABLE, what + ": " + firstLine(reply));
        }
    }

    /// HOST:PORT, for the log.
    String name() {
        return name;
    }

    NextHopHello hello() {
        return hello;
    }

    /// Sends MAIL after the XFORWARD commands, all in one write if the next hop allows it, and returns the
    /// reply to MAIL. A rejected XFORWARD is only logged.
    ///
    /// @param identity the XFORWARD commands
    Reply mail(List<String> identity, String line) throws NextHopFault {
        boolean pipelining = hello.offers("PIPELINING");
        for (String command : identity) {
            send(command);
            if (!pipelining) {
                logXforward(answer(options.timeouts().mail()));
            }
        }
        send(line);
        for (int i = 0; pipelining && i < identity.size(); i++) {
            logXforward(answer(options.timeouts().mail()));
        }
        return answer(options.timeouts().mail());
    }

    private void logXforward(Reply reply) {
        if (!reply.positive()) {
            LOG.warn("next hop {}: rejected XFORWARD: {}", name, firstLine(reply));
        }
    }

    /// Sends a command and returns its reply: 2xx, 4xx or 5xx.
    Reply command(String line, Duration timeout) throws NextHopFault {
        send(line);
        return answer(timeout);
    }

    /// Ends a transaction for which no message was sent.
    Reply reset() throws NextHopFault {
        resets++;
        Reply reply = command("RSET", RSET_TIMEOUT);
        if (!reply.positive()) {
            throw fault(NextHopFault.Kind.NONSENSE, "answered RSET with " + firstLine(reply));
        }
        return reply;
    }

    /// Sends DATA and returns its reply: 354, 4xx or 5xx.
    Reply data() throws NextHopFault {
        send("DATA");
        Reply reply = receive(options.timeouts().data());
        if (reply.code() / 100 == 2 || (reply.code() / 100 == 3 && reply.code() != START_DATA)) {
            throw fault(NextHopFault.Kind.NONSENSE, "answered DATA with " + firstLine(reply));
        }
        return reply;
    }

    /// Sends a chunk that is not the last one, and returns the reply. A server that does not know BDAT reads
    /// its lines as commands, so it must not contain text that a client can choose freely.
    Reply chunk(byte[] bytes) throws NextHopFault {
        send("BDAT " + bytes.length);
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw lost(e);
        }
        Reply reply = answer(options.timeouts().data());
        acceptedChunk |= reply.positive();
        return reply;
    }

    /// Whether it has taken a chunk, so that it knows BDAT.
    boolean hasAcceptedChunk() {
        return acceptedChunk;
    }

    /// Sends fields, message and final dot, as [#body] does.
    Optional<Reply> message(byte[] top, MessageBytes message) throws NextHopFault {
        return body(new DotStuffer(out), top, message);
    }

    /// Sends fields and message as the last chunk, as [#body] does; a small message is one write with its
    /// command.
    Optional<Reply> lastChunk(byte[] top, MessageBytes message) throws NextHopFault {
        LastChunk chunk;
        try {
            chunk = new LastChunk(out, top.length + message.sizeBytes(), message.endsWithCrlf());
        } catch (IOException unreadable) {
            throw fault(NextHopFault.Kind.UNSENDABLE, IoText.describe(unreadable));
        }
        send("BDAT " + chunk.bytes() + " LAST");
        return body(chunk, top, message);
    }

    /// Sends the fields, the message and its end. After a fault the connection must be dropped, so that no end
    /// of the message follows.
    ///
    /// @return a rejection that arrived before the end, which was then not sent; the connection must be dropped
    ///     too
    private Optional<Reply> body(MessageBody body, byte[] top, MessageBytes message) throws NextHopFault {
        requireNoUnsolicitedReply();
        try (InputStream bytes = message.open()) {
            body.write(top, 0, top.length);
            bytes.transferTo(checkingForReplies(body));
            body.finish();
            return Optional.empty();
        } catch (EarlyReply e) {
            return Optional.of(earlyReply("replied in the middle of a message"));
        } catch (IOException e) {
            if (socket.writeFailed()) {
                return Optional.of(earlyReply(IoText.describe(e)));
            }
            throw fault(NextHopFault.Kind.UNSENDABLE, IoText.describe(e));
        }
    }

    /// The server replied in the middle of a message, which means that it rejects it.
    private static final class EarlyReply extends IOException {
        private static final long serialVersionUID = 1;
    }

    /// Checks for an early reply after each block.
    private OutputStream checkingForReplies(MessageBody body) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                body.write(bytes, offset, offset + length);
                if (!body.isComplete() && socket.hasUnreadBytes()) {
                    throw new EarlyReply();
                }
            }
        };
    }

    /// Reads the reply that a server sends before it closes the connection unexpectedly; it can only be a
    /// rejection. It is in the socket even if a write has failed.
    ///
    /// @param trouble for the log if there is no such reply
    private Reply earlyReply(String trouble) throws NextHopFault {
        try {
            socket.setReadTimeout(EARLY_REPLY_TIMEOUT);
            Reply reply = receive();
            if (reply.code() / 100 < 4) {
                throw fault(NextHopFault.Kind.NONSENSE, "sent an unexpected reply: " + firstLine(reply));
            }
            return reply;
        } catch (IOException e) {
            throw fault(NextHopFault.Kind.LOST, trouble);
        }
    }

    /// Reads the reply to the final dot or the last chunk. LMTP has a reply for each recipient, of which one is
    /// returned: the first 4xx, otherwise the first 5xx, otherwise the first 2xx. A 5xx beside a 2xx becomes 4xx:
    /// those who have the message must not bounce, so the client tries again, and [MixedReplies] separates the
    /// recipients.
    Reply afterDot(int recipients) throws NextHopFault {
        Reply overall = answer(options.timeouts().dot());
        int first = weight(overall);
        mixed = false;
        for (int i = 1; dialect == NextHopDialect.LMTP && i < recipients; i++) {
            Reply reply = answer(options.timeouts().dot());
            mixed |= weight(reply) != first;
            overall = weight(reply) > weight(overall) ? reply : overall;
        }
        return mixed && overall.code() / 100 == 5 ? Replies.differing(overall.code()) : overall;
    }

    /// True if the recipients of the last message got different replies.
    boolean isMixed() {
        return mixed;
    }

    private static int weight(Reply reply) {
        return reply.positive() ? 0 : reply.code() / 100 == 5 ? 1 : 2;
    }

    /// True if it had a transaction before, so that a failure may only mean that it is stale.
    boolean used() {
        return used;
    }

    void markIdle() {
        used = true;
        idleSince = System.nanoTime();
    }

    /// True if the connection can be used again: not idle for too long, not reset too often, and without
    /// unsolicited bytes.
    boolean reusable() {
        return !idleTooLong() && resets < MAX_RESETS && !replies.hasUnreadBytes() && !socket.hasUnreadBytes();
    }

    boolean idleTooLong() {
        return System.nanoTime() - idleSince > options.poolIdle().toNanos();
    }

    /// True if the last reply arrived within this time, and nothing since then.
    boolean repliedWithin(Duration time) {
        return System.nanoTime() - lastReplyAt < time.toNanos() && !socket.hasUnreadBytes();
    }

    /// The number of completed writes.
    long writes() {
        return socket.writes();
    }

    /// Sends QUIT and closes without waiting for the reply.
    void quit() {
        try {
            send("QUIT");
            out.flush();
        } catch (NextHopFault | IOException gone) {
            // It is closed anyway.
        }
        drop();
    }

    /// Closes the connection at once; from any thread.
    void drop() {
        socket.close();
    }

    /// Closes the connection if a write takes too long; from any thread.
    void dropIfOverdue() {
        socket.closeIfOverdue();
    }

    /// Adds a command to the next write. A command that contains a line end would be two commands.
    private void send(String line) throws NextHopFault {
        requireNoUnsolicitedReply();
        if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0 || line.indexOf('\0') >= 0) {
            throw fault(NextHopFault.Kind.UNSENDABLE, "not sent: a command with a line end or NUL in it");
        }
        try {
            out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private void requireNoUnsolicitedReply() throws NextHopFault {
        if (replies.hasUnreadBytes()) {
            throw fault(NextHopFault.Kind.NONSENSE, "sent an unsolicited reply");
        }
    }

    /// Reads the next reply: 2xx, 4xx or 5xx.
    private Reply answer(Duration timeout) throws NextHopFault {
        Reply reply = receive(timeout);
        if (reply.code() / 100 == 3) {
            throw fault(NextHopFault.Kind.NONSENSE, "answered " + firstLine(reply));
        }
        return reply;
    }

    private Reply receive(Duration timeout) throws NextHopFault {
        try {
            out.flush();
            socket.setReadTimeout(timeout);
            return receive();
        } catch (IOException e) {
            if (socket.writeFailed()) {
                return earlyReply(IoText.describe(e));
            }
            throw lost(e);
        }
    }

    private Reply receive() throws NextHopFault, IOException {
        Reply reply = read();
        if (reply.code() == SHUTTING_DOWN) {
            throw fault(NextHopFault.Kind.LOST, firstLine(reply));
        }
        return reply;
    }

    /// Reads a reply; a fault of the reader gets the name of the next hop.
    private Reply read() throws NextHopFault, IOException {
        try {
            Reply reply = replies.read();
            lastReplyAt = System.nanoTime();
            return reply;
        } catch (NextHopFault fault) {
            throw fault(fault.kind(), fault.detail());
        }
    }

    private NextHopFault fault(NextHopFault.Kind kind, String detail) {
        return new NextHopFault(kind, "next hop " + name + ": " + detail);
    }

    private NextHopFault lost(IOException e) {
        return fault(NextHopFault.Kind.LOST, IoText.describe(e));
    }

    private static String firstLine(Reply reply) {
        return reply.code() + " " + reply.lines().getFirst();
    }
}
