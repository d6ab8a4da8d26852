package org.bloomgate.server.smtp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.MailArguments;
import org.bloomgate.core.smtp.Parsed;
import org.bloomgate.core.smtp.RcptArguments;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.core.smtp.Verb;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.server.nexthop.DeadlineSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The SMTP conversation with one client: takes a command, answers it, keeps the state between two. No
/// exception leaves it; a client that is lost is one line in the log.
///
/// Belongs to the session's thread, but for [#drain()] and [#abort()].
final class ClientSession {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);

    /// Replies that say the client does not speak SMTP well.
    private static final Set<Integer> BAD_COMMAND = Set.of(500, 501, 502, 503, 555);

    /// Commands that bring no message on.
    private static final Set<Verb> IDLE =
            EnumSet.of(Verb.NOOP, Verb.RSET, Verb.VRFY, Verb.EXPN, Verb.HELP, Verb.EHLO, Verb.HELO);

    /// How many of these there may be between two accepted messages.
    static final int MOST_IDLE_COMMANDS = 100;

    /// How many recipients may be refused between two accepted messages: each of them is a question to the next
    /// hop.
    static final int MOST_REFUSED_RECIPIENTS = 50;

    /// Between transactions a client that says nothing for so long may have to make room for another,
    private static final Duration IDLE_LONG = Duration.ofSeconds(1);

    /// and within one for so long.
    private static final Duration SILENT_LONG = Duration.ofSeconds(2);

    /// How long MAIL waits when the client's share of the next hop is taken.
    private static final Duration SHARE_PATIENCE = Duration.ofMillis(250);

    private static final Pattern HELO_ARGUMENT = Pattern.compile("[!-~\\x80-\\xff]{1,255}");

    private final Supplier<SessionContext> inForce;
    private SessionContext with;
    private final ClientConnection connection;
    private final SessionIdentity identity;
    private EhloExtensions offer;
    private Optional<Client> client = Optional.empty();
    private Optional<MailTransaction> transaction = Optional.empty();
    private String tls = "";
    private String arguments = "";
    private int badCommands;
    private int idleCommands;
    private int refusedRecipients;
    private boolean memoryForTls;
    private Optional<InetAddress> shareTaken = Optional.empty();
    private boolean finished;
    private volatile boolean idle;
    private volatile boolean draining;

    /// @param inForce what sessions work with at the moment
    ClientSession(DeadlineSocket raw, Supplier<SessionContext> inForce) throws IOException {
        this.inForce = inForce;
        this.with = inForce.get();
        this.identity = new SessionIdentity(raw, with.trusted());
        this.connection = new ClientConnection(raw, with.memory().blocks());
        this.offer = EhloExtensions.plain(
                with.options().limits().maxMessageBytes(), with.nextHop().capabilities());
    }

    ClientConnection connection() {
        return connection;
    }

    /// The address that limits apply to: the client that a trusted proxy states, otherwise the peer.
    InetAddress address() {
        return identity.connected();
    }

    /// The checks before the greeting.
    ConnectionGate arrival() {
        return new ConnectionGate(with, connection, identity);
    }

    /// For a listener whose TLS begins before SMTP. A failure ends the session.
    void secureFromStart() {
        if (!tlsFromStart()) {
            return;
        }
        if (!takeMemoryForTls()) {
            LOG.info("client {} turned away: no memory for TLS", logged());
            finished = true;
            connection.abort();
            return;
        }
        idle = true;
        try {
            beginTls();
        } catch (IOException e) {
            LOG.info("client {} lost in the TLS handshake: {}", logged(), IoText.describe(e));
            finished = true;
            connection.abort();
        } finally {
            idle = false;
        }
    }

    private boolean tlsFromStart() {
        return with.options().access().tls().mode() == TlsMode.IMPLICIT;
    }

    /// Whether the client speaks before it is greeted, which RFC 5321 4.3.1 rules out; a server would wait.
    /// True of a client that is lost meanwhile. In TLS from the start it is the client that begins.
    boolean speaksTooEarly() {
        Duration delay = with.options().sessions().greetingDelay();
        if (delay.isZero() || tlsFromStart()) {
            return false;
        }
        idle = true;
        try {
            boolean early = connection.sendsWithin(delay);
            if (early) {
                LOG.info("client {} speaks before its greeting", logged());
                hangUp();
            }
            return early;
        } catch (IOException e) {
            LOG.debug("client {} lost before its greeting: {}", logged(), IoText.describe(e));
            return true;
        } finally {
            idle = false;
        }
    }

    /// Instead of a greeting.
    void refuse(Reply reply) {
        turnAway();
        try {
            connection.reply(reply);
        } catch (IOException e) {
            LOG.debug("client {} lost before {}: {}", logged(), reply.code(), IoText.describe(e));
        }
    }

    /// Before the greeting of a session that is not to be: a reply in the clear means nothing to a client in
    /// TLS.
    void turnAway() {
        if (tlsFromStart()) {
            connection.abort();
        }
    }

    private String logged() {
        return identity.peer().addressText();
    }

    /// From the greeting to the end of the session.
    void converse() {
        if (!finished && greets()) {
            for (Optional<Verb> verb = nextVerb(); verb.isPresent(); verb = nextVerb()) {
                execute(verb.get());
            }
        }
    }

    private boolean greets() {
        try {
            connection.reply(Replies.greeting(with.options().hostname()));
            return true;
        } catch (IOException e) {
            LOG.debug("client {} lost before its greeting: {}", logged(), IoText.describe(e));
            return false;
        }
    }

    /// Waits for the next command line. Empty when the session is over.
    private Optional<Verb> nextVerb() {
        if (finished) {
            return Optional.empty();
        }
        idle = transaction.isEmpty();
        try {
            if (draining && idle) {
                return farewell(Replies.CLOSING);
            }
            long deadline =
                    System.nanoTime() + with.options().timeouts().command().toNanos();
            return switch (connection.readLine(deadline)) {
                case ClientConnection.Line.Command(String text) -> Optional.of(verb(text));
                case ClientConnection.Line.TooLong _ -> farewell(Replies.LINE_TOO_LONG);
                case ClientConnection.Line.BareLineEnd _ -> farewell(Replies.BARE_LINE_END);
                case ClientConnection.Line.End _ -> Optional.empty();
            };
        } catch (SocketTimeoutException e) {
            return farewell(outOfTime());
        } catch (IOException e) {
            LOG.debug("client {} lost between commands: {}", logged(), IoText.describe(e));
            return Optional.empty();
        } finally {
            idle = false;
        }
    }

    private Verb verb(String text) {
        String line = text.stripTrailing();
        int blank = line.indexOf(' ');
        arguments = blank < 0 ? "" : line.substring(blank).stripLeading();
        return Verb.of(blank < 0 ? line : line.substring(0, blank));
    }

    /// Answers the command that [#nextVerb()] gave last.
    private void execute(Verb verb) {
        try {
            if (verb == Verb.STARTTLS && mayStartTls() && takeMemoryForTls()) {
                startTls();
                return;
            }
            Reply reply = answer(verb);
            badCommands += BAD_COMMAND.contains(reply.code()) ? 1 : 0;
            idleCommands += IDLE.contains(verb) ? 1 : 0;
            if (badCommands > with.options().limits().badCommandLimit()) {
                farewell(Replies.TOO_MANY_ERRORS);
            } else if (idleCommands > MOST_IDLE_COMMANDS) {
                farewell(Replies.TOO_MANY_IDLE);
            } else {
                connection.reply(reply);
            }
        } catch (SocketTimeoutException e) {
            farewell(outOfTime());
        } catch (IOException e) {
            with.metrics().sessionDropped();
            LOG.info("client {} lost in {}: {}", logged(), verb, IoText.describe(e));
            finished = true;
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("client {}, command {} failed", logged(), verb, e);
            farewell(Replies.LOCAL_FAULT);
        }
    }

    private Reply answer(Verb verb) throws IOException {
        return switch (verb) {
            case EHLO -> greet(true);
            case HELO -> greet(false);
            case MAIL -> mail();
            case RCPT -> rcpt();
            case DATA -> data();
            case BDAT -> bdat();
            case RSET -> arguments.isEmpty() ? reset() : Replies.SYNTAX;
            case NOOP -> Replies.OK;
            case VRFY -> Replies.CANNOT_VERIFY;
            case EXPN -> Replies.NOT_IMPLEMENTED;
            case HELP -> Replies.HELP;
            case QUIT -> arguments.isEmpty() ? quit() : Replies.SYNTAX;
            case STARTTLS -> refuseTls();
            case XCLIENT -> xclient();
            case XFORWARD -> xforward();
            case UNKNOWN -> Replies.UNKNOWN_COMMAND;
        };
    }

    private Reply greet(boolean extended) {
        String name = TextScan.split(arguments, c -> c == ' ', 2).getFirst();
        if (!HELO_ARGUMENT.matcher(name).matches()) {
            return Replies.SYNTAX;
        }
        endTransaction();
        with = inForce.get();
        Capabilities nextHop = with.nextHop().capabilities();
        offer = extended
                ? EhloExtensions.extended(with.options().limits().maxMessageBytes(), nextHop)
                : EhloExtensions.plain(with.options().limits().maxMessageBytes(), nextHop);
        client = Optional.of(new Client(identity.peer(), name, extended, tls, Optional.empty(), identity.results()));
        return offer.publish(with.options().hostname(), extended ? ownLines() : List.of());
    }

    /// The extensions offered to this client that do not depend on the next hop.
    private List<String> ownLines() {
        List<String> lines = new ArrayList<>();
        if (with.tls().isPresent() && tls.isEmpty()) {
            lines.add("STARTTLS");
        }
        lines.addAll(identity.offers());
        lines.addAll(with.nextHop().ehloLines());
        return lines;
    }

    /// Starts the session again, for another client.
    private Reply xclient() {
        if (transaction.isPresent()) {
            return Replies.IN_TRANSACTION;
        }
        return identity.override(arguments).orElseGet(() -> {
            endTransaction();
            client = Optional.empty();
            return Replies.greeting(with.options().hostname());
        });
    }

    private Reply xforward() {
        return transaction.isPresent() ? Replies.IN_TRANSACTION : identity.forward(arguments);
    }

    private Reply mail() {
        if (client.isEmpty()) {
            return Replies.GREET_FIRST;
        }
        if (transaction.isPresent()) {
            return Replies.NESTED_MAIL;
        }
        return switch (MailArguments.parse(arguments, offer)) {
            case Parsed.Refused<MailArguments>(Reply reply) -> reply;
            case Parsed.Valid<MailArguments>(MailArguments mail) -> begin(client.get(), mail);
        };
    }

    private Reply begin(Client from, MailArguments mail) {
        with = inForce.get();
        Client origin = from.forwardedAs(identity.forwarded());
        if (!with.rates().allowsMessage(origin.caller().address())) {
            LOG.info("client {} sends too often", origin.addressText());
            hangUp();
            return Replies.TOO_OFTEN;
        }
        if (!takeShare(identity.sharing(origin.caller().address()))) {
            LOG.info("client {} has too many transactions at once", origin.addressText());
            return Replies.TOO_MANY_TRANSACTIONS;
        }
        MailTransaction begun = new MailTransaction(with, origin, mail, offer);
        transaction = Optional.of(begun);
        Reply reply = begun.mail();
        if (!reply.positive()) {
            endTransaction();
        }
        return reply;
    }

    /// One client has at most half of the next hop, so that others find a place.
    private boolean takeShare(Optional<InetAddress> origin) {
        int most = Math.max(1, with.nextHop().maxTransactions() / 2);
        if (origin.isPresent() && !with.transactions().takeWithin(origin.get(), most, SHARE_PATIENCE)) {
            return false;
        }
        shareTaken = origin;
        return true;
    }

    private Reply rcpt() {
        if (transaction.isEmpty()) {
            return Replies.NEED_MAIL;
        }
        MailTransaction current = transaction.get();
        if (current.inChunks()) {
            return Replies.IN_CHUNKS;
        }
        if (refusedRecipients >= MOST_REFUSED_RECIPIENTS) {
            LOG.info("client {} named too many recipients that were refused", logged());
            hangUp();
            return Replies.TOO_MANY_REFUSED;
        }
        return switch (RcptArguments.parse(arguments, offer, current.smtpUtf8())) {
            case Parsed.Refused<RcptArguments>(Reply reply) -> reply;
            case Parsed.Valid<RcptArguments>(RcptArguments to) -> recipient(current.rcpt(to));
        };
    }

    /// A recipient beyond the bound of one transaction is not refused: the client may send it in the next one
    /// (RFC 5321 4.5.3.1.10).
    private Reply recipient(Reply reply) {
        refusedRecipients += reply.positive() || reply.equals(Replies.TOO_MANY_RECIPIENTS) ? 0 : 1;
        return progress(reply);
    }

    private Reply message(Reply reply) {
        refusedRecipients = reply.positive() ? 0 : refusedRecipients;
        return progress(reply);
    }

    private Reply data() throws IOException {
        if (!arguments.isEmpty()) {
            return Replies.SYNTAX;
        }
        Optional<Reply> refused = withoutRecipients();
        if (refused.isPresent()) {
            return refused.get();
        }
        MailTransaction current = transaction.orElseThrow();
        if (current.inChunks()) {
            return Replies.IN_CHUNKS;
        }
        Reply reply = message(current.data(connection));
        endTransaction();
        hangUpAfter(reply, current);
        return reply;
    }

    /// The bytes of a chunk are read whatever the reply is, or run as commands (RFC 3030 2). No one can read a
    /// chunk of unknown length, so nothing after that is.
    private Reply bdat() throws IOException {
        Optional<Chunk> chunk = Chunk.parse(arguments);
        if (chunk.isEmpty()) {
            hangUp();
            return Replies.SYNTAX;
        }
        Optional<Reply> refused = withoutChunks();
        if (refused.isPresent()) {
            if (!MessageReceiver.discard(connection, chunk.get(), with.options())) {
                hangUp();
            }
            return refused.get();
        }
        MailTransaction current = transaction.orElseThrow();
        Reply reply = current.chunk(connection, chunk.get());
        reply = chunk.get().last() ? message(reply) : progress(reply);
        hangUpAfter(reply, current);
        if (chunk.get().last()) {
            endTransaction();
        }
        return reply;
    }

    private Reply progress(Reply reply) {
        if (reply.positive()) {
            idleCommands = 0;
        }
        return reply;
    }

    private Optional<Reply> withoutChunks() {
        if (client.isPresent() && !offer.extensions().contains(EhloExtensions.CHUNKING)) {
            return Optional.of(Replies.NOT_IMPLEMENTED);
        }
        return withoutRecipients();
    }

    /// Why no message may begin.
    private Optional<Reply> withoutRecipients() {
        if (transaction.isEmpty()) {
            return Optional.of(Replies.NEED_MAIL);
        }
        return transaction.get().hasRecipients() ? Optional.empty() : Optional.of(Replies.NEED_RCPT);
    }

    private void hangUpAfter(Reply reply, MailTransaction message) {
        if (reply.equals(Replies.BARE_LINE_END_IN_MESSAGE) || !message.readToItsEnd()) {
            hangUp();
        }
    }

    private Reply reset() {
        endTransaction();
        return Replies.OK;
    }

    private Reply quit() {
        finished = true;
        return Replies.BYE;
    }

    private boolean mayStartTls() {
        return with.tls().isPresent() && tls.isEmpty() && arguments.isEmpty();
    }

    private Reply refuseTls() {
        if (mayStartTls()) {
            return Replies.NO_MEMORY_FOR_TLS;
        }
        if (with.tls().isEmpty()) {
            return Replies.NO_TLS;
        }
        return tls.isEmpty() ? Replies.SYNTAX : Replies.TLS_ACTIVE;
    }

    /// RFC 3207: everything sent in the clear is forgotten, including bytes in the same packet as STARTTLS.
    private void startTls() throws IOException {
        connection.reply(Replies.START_TLS);
        connection.flush();
        connection.discardInput();
        beginTls();
        endTransaction();
        client = Optional.empty();
    }

    private boolean takeMemoryForTls() {
        memoryForTls = memoryForTls || ClientMemory.ofProcess().take(ClientCost.SMTP_TLS.bytes());
        return memoryForTls;
    }

    private void beginTls() throws IOException {
        connection
                .raw()
                .readUntil(
                        System.nanoTime() + with.options().timeouts().command().toNanos());
        SSLSocket secure = with.tls().orElseThrow().over(connection.raw());
        secure.startHandshake();
        connection.secure(secure);
        tls = secure.getSession().getProtocol() + " " + secure.getSession().getCipherSuite();
    }

    /// [#drain()] ends a read in the way a deadline does.
    private Reply outOfTime() {
        return draining ? Replies.CLOSING : Replies.TIMEOUT;
    }

    private Optional<Verb> farewell(Reply reply) {
        try {
            hangUp();
            connection.reply(reply);
        } catch (IOException e) {
            LOG.debug("client {} did not wait for {}", logged(), reply.code());
        }
        return Optional.empty();
    }

    /// Reads no further command. What was answered is still sent.
    private void hangUp() {
        finished = true;
        connection.lingerOnClose();
    }

    private void endTransaction() {
        transaction.ifPresent(MailTransaction::close);
        transaction = Optional.empty();
        shareTaken.ifPresent(with.transactions()::giveBack);
        shareTaken = Optional.empty();
        identity.forgetForwarded();
    }

    /// When the conversation is over. Closes the connection too, so that who waits for the session's end waits
    /// for that of its last reply.
    void end() {
        try {
            endTransaction();
        } finally {
            connection.close();
            if (memoryForTls) {
                ClientMemory.ofProcess().giveBack(ClientCost.SMTP_TLS.bytes());
            }
        }
    }

    /// Asks for an end: at once when the client is between transactions, otherwise after the one it is in.
    void drain() {
        draining = true;
        if (idle) {
            connection.endInput();
        }
    }

    /// Whether it may have to make room for another: its client has said nothing for long. From any thread.
    boolean maySpareItsPlace() {
        return connection.silentFor().compareTo(idle ? IDLE_LONG : SILENT_LONG) > 0;
    }

    /// Closes the connection under the session, whatever it is doing.
    void abort() {
        connection.abort();
    }
}
