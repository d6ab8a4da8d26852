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

/// The SMTP session of one client: reads commands, answers them, and keeps the state between them. Throws no
/// exception; a lost connection is one line in the log.
///
/// Used by the session's thread, except [#drain()], [#abort()] and [#mayBeReplaced()].
final class ClientSession {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);

    /// Replies to unknown, malformed or ill-timed commands.
    private static final Set<Integer> BAD_COMMAND = Set.of(500, 501, 502, 503, 555);

    /// Commands that do not advance a transaction.
    private static final Set<Verb> NO_PROGRESS =
            EnumSet.of(Verb.NOOP, Verb.RSET, Verb.VRFY, Verb.EXPN, Verb.HELP, Verb.EHLO, Verb.HELO);

    /// The most of these commands between two accepted messages.
    static final int MAX_IDLE_COMMANDS = 100;

    /// The most rejected recipients between two accepted messages: each of them is a command to the next hop.
    static final int MAX_REJECTED_RECIPIENTS = 50;

    /// A session may be replaced by a new one if its client has been silent for this time between transactions,
    private static final Duration MAX_IDLE = Duration.ofSeconds(1);

    /// or for this time within a transaction.
    private static final Duration MAX_SILENCE = Duration.ofSeconds(2);

    /// How long MAIL waits while the client's share of the next hop is in use.
    private static final Duration SHARE_WAIT = Duration.ofMillis(250);

    private static final Pattern HELO_ARGUMENT = Pattern.compile("[!-~\\x80-\\xff]{1,255}");

    private final Supplier<SessionContext> currentContext;
    private SessionContext context;
    private final ClientConnection connection;
    private final SessionIdentity identity;
    private EhloExtensions offer;
    private Optional<Client> client = Optional.empty();
    private Optional<MailTransaction> transaction = Optional.empty();
    private String tls = "";
    private String arguments = "";
    private int badCommands;
    private int idleCommands;
    private int rejectedRecipients;
    private boolean hasMemoryForTls;
    private Optional<InetAddress> shareTaken = Optional.empty();
    private boolean finished;
    private volatile boolean idle;
    private volatile boolean draining;

    /// @param currentContext the context for new sessions and transactions
    ClientSession(DeadlineSocket raw, Supplier<SessionContext> currentContext) throws IOException {
        this.currentContext = currentContext;
        this.context = currentContext.get();
        this.identity = new SessionIdentity(raw, context.trusted());
        this.connection = new ClientConnection(raw, context.messages().memory().blocks());
        this.offer = EhloExtensions.plain(
                context.options().limits().maxMessageBytes(), context.nextHop().capabilities());
    }

    ClientConnection connection() {
        return connection;
    }

    /// The address that limits apply to: the client that a trusted proxy states, otherwise the peer.
    InetAddress address() {
        return identity.connected();
    }

    /// The checks before the greeting.
    ConnectionGate gate() {
        return new ConnectionGate(context, connection, identity);
    }

    /// Begins TLS on a listener with implicit TLS. A failure ends the session.
    void secureFromStart() {
        if (!tlsFromStart()) {
            return;
        }
        if (!takeMemoryForTls()) {
            LOG.info("smtp: client {}: closed: no memory for TLS", clientText());
            finished = true;
            connection.abort();
            return;
        }
        idle = true;
        try {
            beginTls();
        } catch (IOException e) {
            LOG.info("smtp: client {}: lost in the TLS handshake: {}", clientText(), IoText.describe(e));
            finished = true;
            connection.abort();
        } finally {
            idle = false;
        }
    }

    private boolean tlsFromStart() {
        return context.options().access().tls().mode() == TlsMode.IMPLICIT;
    }

    /// True if the client sends anything before the greeting, which RFC 5321 4.3.1 forbids and mail servers do
    /// not do. Also true if the connection is lost meanwhile. Always false with implicit TLS, where the client
    /// sends first.
    boolean sendsBeforeGreeting() {
        Duration delay = context.options().sessions().greetingDelay();
        if (delay.isZero() || tlsFromStart()) {
            return false;
        }
        idle = true;
        try {
            boolean early = connection.sendsWithin(delay);
            if (early) {
                LOG.info("smtp: client {}: sent data before the greeting", clientText());
                closeAfterReply();
            }
            return early;
        } catch (IOException e) {
            LOG.debug("smtp: client {}: lost before the greeting: {}", clientText(), IoText.describe(e));
            return true;
        } finally {
            idle = false;
        }
    }

    /// Replies instead of a greeting.
    void rejectConnection(Reply reply) {
        abortIfTlsFromStart();
        try {
            connection.reply(reply);
        } catch (IOException e) {
            LOG.debug("smtp: client {}: lost before {}: {}", clientText(), reply.code(), IoText.describe(e));
        }
    }

    /// Closes a connection with implicit TLS that is not admitted: its client could not read an unencrypted
    /// reply.
    void abortIfTlsFromStart() {
        if (tlsFromStart()) {
            connection.abort();
        }
    }

    private String clientText() {
        return identity.peer().addressText();
    }

    /// Runs the session from the greeting to its end.
    void run() {
        if (!finished && sendGreeting()) {
            for (Optional<Verb> verb = nextVerb(); verb.isPresent(); verb = nextVerb()) {
                execute(verb.get());
            }
        }
    }

    private boolean sendGreeting() {
        try {
            connection.reply(Replies.greeting(context.options().hostname()));
            return true;
        } catch (IOException e) {
            LOG.debug("smtp: client {}: lost before the greeting: {}", clientText(), IoText.describe(e));
            return false;
        }
    }

    /// Waits for the next command line. Empty if the session is over.
    private Optional<Verb> nextVerb() {
        if (finished) {
            return Optional.empty();
        }
        idle = transaction.isEmpty();
        try {
            if (draining && idle) {
                return replyAndClose(Replies.CLOSING);
            }
            long deadline =
                    System.nanoTime() + context.options().timeouts().command().toNanos();
            return switch (connection.readLine(deadline)) {
                case ClientConnection.Line.Command(String text) -> Optional.of(verb(text));
                case ClientConnection.Line.TooLong _ -> replyAndClose(Replies.LINE_TOO_LONG);
                case ClientConnection.Line.BareLineEnd _ -> replyAndClose(Replies.BARE_LINE_END);
                case ClientConnection.Line.End _ -> Optional.empty();
            };
        } catch (SocketTimeoutException e) {
            return replyAndClose(timeoutReply());
        } catch (IOException e) {
            LOG.debug("smtp: client {}: lost between commands: {}", clientText(), IoText.describe(e));
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

    /// Answers the command that [#nextVerb()] returned last.
    private void execute(Verb verb) {
        try {
            if (verb == Verb.STARTTLS && mayStartTls() && takeMemoryForTls()) {
                startTls();
                return;
            }
            Reply reply = answer(verb);
            badCommands += BAD_COMMAND.contains(reply.code()) ? 1 : 0;
            idleCommands += NO_PROGRESS.contains(verb) ? 1 : 0;
            if (badCommands > context.options().limits().badCommandLimit()) {
                replyAndClose(Replies.TOO_MANY_ERRORS);
            } else if (idleCommands > MAX_IDLE_COMMANDS) {
                replyAndClose(Replies.TOO_MANY_IDLE);
            } else {
                connection.reply(reply);
            }
        } catch (SocketTimeoutException e) {
            replyAndClose(timeoutReply());
        } catch (IOException e) {
            context.metrics().sessionDropped();
            LOG.info("smtp: client {}: lost in {}: {}", clientText(), verb, IoText.describe(e));
            finished = true;
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("smtp: client {}: {} failed", clientText(), verb, e);
            replyAndClose(Replies.LOCAL_FAULT);
        }
    }

    private Reply answer(Verb verb) throws IOException {
        return switch (verb) {
            case EHLO -> hello(true);
            case HELO -> hello(false);
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
            case STARTTLS -> rejectTls();
            case XCLIENT -> xclient();
            case XFORWARD -> xforward();
            case UNKNOWN -> Replies.UNKNOWN_COMMAND;
        };
    }

    private Reply hello(boolean extended) {
        String name = TextScan.split(arguments, c -> c == ' ', 2).getFirst();
        if (!HELO_ARGUMENT.matcher(name).matches()) {
            return Replies.SYNTAX;
        }
        endTransaction();
        context = currentContext.get();
        Capabilities nextHop = context.nextHop().capabilities();
        offer = extended
                ? EhloExtensions.extended(context.options().limits().maxMessageBytes(), nextHop)
                : EhloExtensions.plain(context.options().limits().maxMessageBytes(), nextHop);
        client = Optional.of(new Client(identity.peer(), name, extended, tls, Optional.empty(), identity.results()));
        return offer.toEhloReply(context.options().hostname(), extended ? ehloLines() : List.of());
    }

    /// The lines of the EHLO reply that are not extensions of the next hop.
    private List<String> ehloLines() {
        List<String> lines = new ArrayList<>();
        if (context.tls().isPresent() && tls.isEmpty()) {
            lines.add("STARTTLS");
        }
        lines.addAll(identity.ehloLines());
        lines.addAll(context.nextHop().ehloLines());
        return lines;
    }

    /// Restarts the session for another client.
    private Reply xclient() {
        if (transaction.isPresent()) {
            return Replies.IN_TRANSACTION;
        }
        return identity.applyXclient(arguments).orElseGet(() -> {
            endTransaction();
            client = Optional.empty();
            return Replies.greeting(context.options().hostname());
        });
    }

    private Reply xforward() {
        return transaction.isPresent() ? Replies.IN_TRANSACTION : identity.applyXforward(arguments);
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
        context = currentContext.get();
        Client origin = from.withForwarded(identity.forwarded());
        if (!context.rates().allowsMessage(origin.evaluatedClient().address())) {
            LOG.info("smtp: client {}: too many messages per minute", origin.addressText());
            closeAfterReply();
            return Replies.TOO_OFTEN;
        }
        if (!takeShare(identity.shareOf(origin.evaluatedClient().address()))) {
            LOG.info("smtp: client {}: too many simultaneous transactions", origin.addressText());
            return Replies.TOO_MANY_TRANSACTIONS;
        }
        MailTransaction next = new MailTransaction(context, origin, mail, offer);
        transaction = Optional.of(next);
        Reply reply = next.mail();
        if (!reply.positive()) {
            endTransaction();
        }
        return reply;
    }

    /// Takes a place for a transaction: one client has at most half of the next hop, so that there is room for
    /// others.
    private boolean takeShare(Optional<InetAddress> origin) {
        int most = Math.max(1, context.nextHop().maxTransactions() / 2);
        if (origin.isPresent() && !context.transactions().takeWithin(origin.get(), most, SHARE_WAIT)) {
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
        if (rejectedRecipients >= MAX_REJECTED_RECIPIENTS) {
            LOG.info("smtp: client {}: too many rejected recipients", clientText());
            closeAfterReply();
            return Replies.TOO_MANY_REFUSED;
        }
        return switch (RcptArguments.parse(arguments, offer, current.smtpUtf8())) {
            case Parsed.Refused<RcptArguments>(Reply reply) -> reply;
            case Parsed.Valid<RcptArguments>(RcptArguments to) -> countRecipient(current.rcpt(to));
        };
    }

    /// Counts a rejected recipient. One beyond the bound of a transaction does not count: the client may send
    /// it in the next one (RFC 5321 4.5.3.1.10).
    private Reply countRecipient(Reply reply) {
        rejectedRecipients += reply.positive() || reply.equals(Replies.TOO_MANY_RECIPIENTS) ? 0 : 1;
        return countProgress(reply);
    }

    private Reply countMessage(Reply reply) {
        rejectedRecipients = reply.positive() ? 0 : rejectedRecipients;
        return countProgress(reply);
    }

    private Reply data() throws IOException {
        if (!arguments.isEmpty()) {
            return Replies.SYNTAX;
        }
        Optional<Reply> rejection = missingRecipients();
        if (rejection.isPresent()) {
            return rejection.get();
        }
        MailTransaction current = transaction.orElseThrow();
        if (current.inChunks()) {
            return Replies.IN_CHUNKS;
        }
        Reply reply = countMessage(current.data(connection));
        endTransaction();
        closeIfUnreadable(reply, current);
        return reply;
    }

    /// The bytes of a chunk are read whatever the reply is, as they would otherwise run as commands (RFC 3030
    /// 2). After a chunk of unknown length nothing can be read, so the session ends.
    private Reply bdat() throws IOException {
        Optional<Chunk> chunk = Chunk.parse(arguments);
        if (chunk.isEmpty()) {
            closeAfterReply();
            return Replies.SYNTAX;
        }
        Optional<Reply> rejection = missingChunking();
        if (rejection.isPresent()) {
            if (!MessageReceiver.discard(connection, chunk.get(), context.options())) {
                closeAfterReply();
            }
            return rejection.get();
        }
        MailTransaction current = transaction.orElseThrow();
        Reply reply = current.chunk(connection, chunk.get());
        reply = chunk.get().last() ? countMessage(reply) : countProgress(reply);
        closeIfUnreadable(reply, current);
        if (chunk.get().last()) {
            endTransaction();
        }
        return reply;
    }

    private Reply countProgress(Reply reply) {
        if (reply.positive()) {
            idleCommands = 0;
        }
        return reply;
    }

    private Optional<Reply> missingChunking() {
        if (client.isPresent() && !offer.extensions().contains(EhloExtensions.CHUNKING)) {
            return Optional.of(Replies.NOT_IMPLEMENTED);
        }
        return missingRecipients();
    }

    /// The reply if no message may begin.
    private Optional<Reply> missingRecipients() {
        if (transaction.isEmpty()) {
            return Optional.of(Replies.NEED_MAIL);
        }
        return transaction.get().hasRecipients() ? Optional.empty() : Optional.of(Replies.NEED_RCPT);
    }

    private void closeIfUnreadable(Reply reply, MailTransaction current) {
        if (reply.equals(Replies.BARE_LINE_END_IN_MESSAGE) || !current.isFullyRead()) {
            closeAfterReply();
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
        return context.tls().isPresent() && tls.isEmpty() && arguments.isEmpty();
    }

    private Reply rejectTls() {
        if (mayStartTls()) {
            return Replies.NO_MEMORY_FOR_TLS;
        }
        if (context.tls().isEmpty()) {
            return Replies.NO_TLS;
        }
        return tls.isEmpty() ? Replies.SYNTAX : Replies.TLS_ACTIVE;
    }

    /// Begins TLS. Everything sent before is discarded, including bytes in the same packet as STARTTLS (RFC
    /// 3207).
    private void startTls() throws IOException {
        connection.reply(Replies.START_TLS);
        connection.flush();
        connection.discardInput();
        beginTls();
        endTransaction();
        client = Optional.empty();
    }

    private boolean takeMemoryForTls() {
        hasMemoryForTls = hasMemoryForTls || ClientMemory.ofProcess().take(ClientCost.SMTP_TLS.bytes());
        return hasMemoryForTls;
    }

    private void beginTls() throws IOException {
        connection
                .raw()
                .readUntil(System.nanoTime()
                        + context.options().timeouts().command().toNanos());
        SSLSocket secure = context.tls().orElseThrow().over(connection.raw());
        secure.startHandshake();
        connection.secure(secure);
        tls = secure.getSession().getProtocol() + " " + secure.getSession().getCipherSuite();
    }

    /// The reply after a deadline, or after [#drain()], which ends a read in the same way.
    private Reply timeoutReply() {
        return draining ? Replies.CLOSING : Replies.TIMEOUT;
    }

    private Optional<Verb> replyAndClose(Reply reply) {
        try {
            closeAfterReply();
            connection.reply(reply);
        } catch (IOException e) {
            LOG.debug("smtp: client {}: lost before {}", clientText(), reply.code());
        }
        return Optional.empty();
    }

    /// Ends the session after the replies are sent.
    private void closeAfterReply() {
        finished = true;
        connection.lingerOnClose();
    }

    private void endTransaction() {
        transaction.ifPresent(MailTransaction::close);
        transaction = Optional.empty();
        shareTaken.ifPresent(context.transactions()::giveBack);
        shareTaken = Optional.empty();
        identity.forgetForwarded();
    }

    /// Ends the transaction and closes the connection after its last reply.
    void end() {
        try {
            endTransaction();
        } finally {
            connection.close();
            if (hasMemoryForTls) {
                ClientMemory.ofProcess().giveBack(ClientCost.SMTP_TLS.bytes());
            }
        }
    }

    /// Ends the session: at once between transactions, otherwise after the current one. From any thread.
    void drain() {
        draining = true;
        if (idle) {
            connection.endInput();
        }
    }

    /// True if the client has been silent for so long that the session may be ended for a new one. From any
    /// thread.
    boolean mayBeReplaced() {
        return connection.silentFor().compareTo(idle ? MAX_IDLE : MAX_SILENCE) > 0;
    }

    /// Closes the connection at once. From any thread.
    void abort() {
        connection.abort();
    }
}
