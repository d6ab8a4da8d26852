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
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection to a next hop, greeted. Commands are collected until a reply is waited for, so a command goes out
/// in one write, and so does the end of a message.
///
/// Any fault leaves it unusable. For one thread at a time, but [#drop] and [#dropIfOverdue].
final class SmtpConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpConnection.class);
    private static final int BLOCK_BYTES = 32 * 1024;
    static final int START_DATA = 354;
    /// RFC 5321 names none; a client's session waits for it.
    private static final Duration RSET_TIMEOUT = Duration.ofSeconds(10);
    /// The time for a reply that is already in the socket.
    private static final Duration LAST_WORDS_TIMEOUT = Duration.ofSeconds(1);
    private static final int SHUTTING_DOWN = 421;

    private final String host;
    private final String name;
    private final NextHopDialect dialect;
    private final NextHopOptions options;
    private final NextHopSocket socket;
    private final NextHopReplyReader replies;
    private final OutputStream out;
    private NextHopHello hello = NextHopHello.NONE;
    private boolean used;
    private boolean mixed;
    private boolean tookChunk;
    private long lastSeen;
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

    /// Connects to a resolved address and goes as far as the reply to EHLO.
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
            connection.socket.readWithin(options.connectTimeout());
            connection.socket.connect(server, options.connectTimeout());
            connection.greet(encryption);
            greeted = true;
            return connection;
        } catch (NextHopFault fault) {
            throw fault.kind() == NextHopFault.Kind.LOST
                    ? new NextHopFault(NextHopFault.Kind.UNREACHABLE, fault.detail())
                    : fault;
        } catch (IOException failed) {
            throw connection.fault(NextHopFault.Kind.UNREACHABLE, IoText.describe(failed));
        } finally {
            if (!greeted) {
                connection.drop();
            }
        }
    }

    private void greet(NextHopEncryption encryption) throws NextHopFault, IOException {
        accepted("its greeting", read());
        sayHello();
        if (encryption.mode() != NextHopTls.NONE && hello.offers("STARTTLS")) {
            encrypt(encryption);
            sayHello();
        } else if (encryption.mode() == NextHopTls.REQUIRED) {
            throw fault(NextHopFault.Kind.UNREACHABLE, "offers no STARTTLS, and nextHopOptions.tls is required");
        }
    }

    private void encrypt(NextHopEncryption encryption) throws NextHopFault, IOException {
        Reply reply = ask("STARTTLS");
        if (!reply.positive()) {
            throw NextHopFault.ofTls("next hop " + name + ": STARTTLS: " + firstLine(reply));
        }
        noneUnasked();
        try {
            socket.encrypt(encryption, host);
        } catch (IOException failed) {
            throw NextHopFault.ofTls("next hop " + name + ": TLS: " + failed);
        }
    }

    private void sayHello() throws NextHopFault, IOException {
        Reply reply = ask(dialect.hello() + " " + options.heloName());
        if (reply.code() / 100 == 5 && dialect == NextHopDialect.SMTP) {
            accepted("HELO", ask("HELO " + options.heloName()));
            hello = NextHopHello.NONE;
        } else {
            accepted(dialect.hello(), reply);
            hello = NextHopHello.parse(reply);
        }
    }

    private Reply ask(String line) throws NextHopFault, IOException {
        send(line);
        out.flush();
        return read();
    }

    private void accepted(String what, Reply reply) throws NextHopFault {
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

    /// MAIL, after the commands that say who the client is; all in one write when the next hop allows that. A refusal
    /// of the latter is not the client's affair.
    Reply mail(List<String> identity, String line) throws NextHopFault {
        boolean pipelining = hello.offers("PIPELINING");
        for (String command : identity) {
            send(command);
            if (!pipelining) {
                identified(answer(options.timeouts().mail()));
            }
        }
        send(line);
        for (int i = 0; pipelining && i < identity.size(); i++) {
            identified(answer(options.timeouts().mail()));
        }
        return answer(options.timeouts().mail());
    }

    private void identified(Reply reply) {
        if (!reply.positive()) {
            LOG.warn("next hop {} refuses XFORWARD: {}", name, firstLine(reply));
        }
    }

    /// A command and its reply, which is 2xx, 4xx or 5xx.
    Reply command(String line, Duration timeout) throws NextHopFault {
        send(line);
        return answer(timeout);
    }

    /// Ends a transaction for which no message was sent.
    Reply reset() throws NextHopFault {
        Reply reply = command("RSET", RSET_TIMEOUT);
        if (!reply.positive()) {
            throw fault(NextHopFault.Kind.NONSENSE, "answered RSET with " + firstLine(reply));
        }
        return reply;
    }

    /// The reply to DATA: 354, 4xx or 5xx.
    Reply data() throws NextHopFault {
        send("DATA");
        Reply reply = receive(options.timeouts().data());
        if (reply.code() / 100 == 2 || (reply.code() / 100 == 3 && reply.code() != START_DATA)) {
            throw fault(NextHopFault.Kind.NONSENSE, "answered DATA with " + firstLine(reply));
        }
        return reply;
    }

    /// Sends a chunk that is not the last one; its reply. To a server that knows no BDAT its lines are commands, so
    /// nothing may stand in it that a client can choose freely.
    Reply chunk(byte[] bytes) throws NextHopFault {
        send("BDAT " + bytes.length);
        try {
            out.write(bytes);
        } catch (IOException failed) {
            throw lost(failed);
        }
        Reply reply = answer(options.timeouts().data());
        tookChunk |= reply.positive();
        return reply;
    }

    /// Whether it has taken a chunk, so that it knows BDAT.
    boolean tookChunk() {
        return tookChunk;
    }

    /// Sends fields, message and final dot, as [#body] does.
    Optional<Reply> message(byte[] top, MessageBytes message) throws NextHopFault {
        return body(new DotStuffer(out), top, message);
    }

    /// Sends fields and message as the last chunk, as [#body] does; with its command in one write when they are small.
    Optional<Reply> lastChunk(byte[] top, MessageBytes message) throws NextHopFault {
        LastChunk chunk;
        try {
            chunk = new LastChunk(out, top.length + message.sizeBytes(), message.endsLine());
        } catch (IOException unreadable) {
            throw fault(NextHopFault.Kind.UNSENDABLE, IoText.describe(unreadable));
        }
        send("BDAT " + chunk.bytes() + " LAST");
        return body(chunk, top, message);
    }

    /// After a fault the connection must be dropped, so that no end of the message follows.
    ///
    /// @return a refusal that came before the end, which was not sent; the connection must be dropped as well
    private Optional<Reply> body(MessageBody body, byte[] top, MessageBytes message) throws NextHopFault {
        noneUnasked();
        try (InputStream bytes = message.open()) {
            body.write(top, 0, top.length);
            bytes.transferTo(untilItSpeaks(body));
            body.finish();
            return Optional.empty();
        } catch (SpokeEarly spoke) {
            return Optional.of(unasked("spoke in the middle of a message"));
        } catch (IOException failed) {
            if (socket.writeFailed()) {
                return Optional.of(unasked(IoText.describe(failed)));
            }
            throw fault(NextHopFault.Kind.UNSENDABLE, IoText.describe(failed));
        }
    }

    /// A server that says something in the middle of a message refuses it.
    private static final class SpokeEarly extends IOException {
        private static final long serialVersionUID = 1;
    }

    /// Listens after each block.
    private OutputStream untilItSpeaks(MessageBody body) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                body.write(bytes, offset, offset + length);
                if (!body.complete() && socket.pending()) {
                    throw new SpokeEarly();
                }
            }
        };
    }

    /// The reply that a server sends before it closes the connection unexpectedly, which only makes sense as a
    /// refusal. It is in the socket even if a write has failed.
    ///
    /// @param trouble for the log if there is no such reply
    private Reply unasked(String trouble) throws NextHopFault {
        try {
            socket.readWithin(LAST_WORDS_TIMEOUT);
            Reply reply = receive();
            if (reply.code() / 100 < 4) {
                throw fault(NextHopFault.Kind.NONSENSE, "answered before it was asked: " + firstLine(reply));
            }
            return reply;
        } catch (IOException nothingSaid) {
            throw fault(NextHopFault.Kind.LOST, trouble);
        }
    }

    /// The reply to the final dot or the last chunk. LMTP has one for each recipient, which become one for all:
    /// a 4xx before a 5xx before a 2xx, the first of its kind. So no loss goes unnoticed: the client tries
    /// again, at the price of a duplicate for recipients that accepted, or reports to the sender.
    Reply afterDot(int recipients) throws NextHopFault {
        Reply overall = answer(options.timeouts().dot());
        boolean anyPositive = overall.positive();
        for (int i = 1; dialect == NextHopDialect.LMTP && i < recipients; i++) {
            Reply reply = answer(options.timeouts().dot());
            anyPositive |= reply.positive();
            overall = weight(reply) > weight(overall) ? reply : overall;
        }
        mixed = anyPositive && !overall.positive();
        return overall;
    }

    /// Whether the last message was taken for some recipients and not for others.
    boolean mixed() {
        return mixed;
    }

    private static int weight(Reply reply) {
        return reply.positive() ? 0 : reply.code() / 100 == 5 ? 1 : 2;
    }

    /// Whether it has carried a transaction, so that a failure may only mean that it has gone stale.
    boolean used() {
        return used;
    }

    void becomeIdle() {
        used = true;
        idleSince = System.nanoTime();
    }

    /// True if the connection can be used again: not idle for too long, and without unsolicited bytes.
    boolean reusable() {
        return !idleTooLong() && !replies.pending() && !socket.pending();
    }

    boolean idleTooLong() {
        return System.nanoTime() - idleSince > options.poolIdle().toNanos();
    }

    /// Whether its last reply came within this time, and nothing since.
    boolean heardWithin(Duration time) {
        return System.nanoTime() - lastSeen < time.toNanos() && !socket.pending();
    }

    /// How many writes have gone out whole.
    long writes() {
        return socket.writes();
    }

    /// Says QUIT, does not wait for the reply, closes.
    void quit() {
        try {
            send("QUIT");
            out.flush();
        } catch (NextHopFault | IOException gone) {
            // It was to be closed anyway.
        }
        drop();
    }

    /// Closes at once; from any thread.
    void drop() {
        socket.close();
    }

    /// Closes when a write takes too long; from any thread.
    void dropIfOverdue() {
        socket.closeIfOverdue();
    }

    /// Puts a command into the next write. One with a line end in it would be two.
    private void send(String line) throws NextHopFault {
        noneUnasked();
        if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0 || line.indexOf('\0') >= 0) {
            throw fault(NextHopFault.Kind.UNSENDABLE, "not sent: a command with a line end or NUL in it");
        }
        try {
            out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException failed) {
            throw lost(failed);
        }
    }

    private void noneUnasked() throws NextHopFault {
        if (replies.pending()) {
            throw fault(NextHopFault.Kind.NONSENSE, "sent a reply nobody asked for");
        }
    }

    /// The next reply, which is 2xx, 4xx or 5xx.
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
            socket.readWithin(timeout);
            return receive();
        } catch (IOException failed) {
            if (socket.writeFailed()) {
                return unasked(IoText.describe(failed));
            }
            throw lost(failed);
        }
    }

    private Reply receive() throws NextHopFault, IOException {
        Reply reply = read();
        if (reply.code() == SHUTTING_DOWN) {
            throw fault(NextHopFault.Kind.LOST, firstLine(reply));
        }
        return reply;
    }

    /// A fault of the reader, with the name of the next hop in it.
    private Reply read() throws NextHopFault, IOException {
        try {
            Reply reply = replies.read();
            lastSeen = System.nanoTime();
            return reply;
        } catch (NextHopFault fault) {
            throw fault(fault.kind(), fault.detail());
        }
    }

    private NextHopFault fault(NextHopFault.Kind kind, String detail) {
        return new NextHopFault(kind, "next hop " + name + ": " + detail);
    }

    private NextHopFault lost(IOException failed) {
        return fault(NextHopFault.Kind.LOST, IoText.describe(failed));
    }

    private static String firstLine(Reply reply) {
        return reply.code() + " " + reply.lines().getFirst();
    }
}
