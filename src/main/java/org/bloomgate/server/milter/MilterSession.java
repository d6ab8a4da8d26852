package org.bloomgate.server.milter;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.core.smtp.Replies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The session with one mail server: reads commands, answers those that need an answer, and keeps the state
/// between them. Throws no exception. Used by its thread, except [#inTransaction()] and [#drain()].
final class MilterSession {
    private static final Logger LOG = LoggerFactory.getLogger(MilterSession.class);

    private static final Command.Connect NO_CLIENT = new Command.Connect("", Optional.empty(), 0);
    private static final int MAX_HELO_CHARS = 255;

    private final MtaConnection connection;
    private final Supplier<MilterContext> currentContext;
    private final MilterMetrics metrics;
    private final Set<String> loggedGaps;
    private final Macros macros = new Macros();
    private Command.Connect client = NO_CLIENT;
    private String helo = "";
    private Optional<MilterTransaction> transaction = Optional.empty();
    private volatile boolean inTransaction;
    private volatile boolean draining;

    /// @param currentContext the context for the next message
    /// @param loggedGaps missing capabilities already logged: one line each, not one for each connection
    MilterSession(MtaConnection connection, Supplier<MilterContext> currentContext, Set<String> loggedGaps) {
        this.connection = connection;
        this.currentContext = currentContext;
        this.loggedGaps = loggedGaps;
        this.metrics = currentContext.get().metrics();
    }

    MtaConnection connection() {
        return connection;
    }

    /// True while there is an open message.
    boolean inTransaction() {
        return inTransaction;
    }

    /// Defers new messages from now on.
    void drain() {
        draining = true;
    }

    /// Runs the session until either side ends it.
    void run() {
        try (connection) {
            Optional<Negotiation> negotiation = negotiate();
            while (negotiation.isPresent() && executeNext(negotiation.get())) {
                // the condition executes a command
            }
        } catch (ProtocolException e) {
            metrics.countProtocolError();
            LOG.warn("milter: connection closed: protocol error: {}", e.getMessage());
        } catch (IOException e) {
            LOG.debug("milter: connection lost: {}", e.toString());
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("milter: command failed", e);
        } finally {
            // A connection that was closed has interrupted the work; the records of the message are written all the
            // same.
            Thread.interrupted();
            connection.releaseMemory();
            transaction.ifPresent(MilterTransaction::recordLoss);
            endTransaction();
        }
    }

    private Optional<Negotiation> negotiate() throws IOException {
        Optional<Frame> first = connection.next();
        if (first.isEmpty()) {
            return Optional.empty();
        }
        if (!(CommandReader.read(first.get()) instanceof Command.Negotiate offer)) {
            throw new ProtocolException("no negotiation at the start of the connection");
        }
        Negotiation negotiation = Negotiation.with(offer);
        negotiation.findMissing().stream()
                .filter(loggedGaps::add)
                .forEach(missing -> LOG.warn("milter: mail server does not offer {}", missing));
        connection.send(List.of(negotiation.createAnswer()));
        return Optional.of(negotiation);
    }

    /// Executes the next command. False if the session is over.
    private boolean executeNext(Negotiation negotiation) throws IOException {
        Optional<Frame> frame = connection.next();
        return frame.isPresent() && execute(CommandReader.read(frame.get()), negotiation);
    }

    private boolean execute(Command command, Negotiation negotiation) throws IOException {
        switch (command) {
            case Command.Negotiate _ -> throw new ProtocolException("a second negotiation");
            case Command.MacroValues(byte stage, var values) -> macros.put(stage, values);
            case Command.Connect connect -> connect(connect);
            case Command.Helo(String name) -> helo(name, negotiation);
            case Command.Mail mail -> begin(mail, negotiation);
            case Command.Rcpt(String path) -> rcpt(path);
            case Command.Data _ -> acknowledge(negotiation, Negotiation.SILENT_DATA);
            case Command.Field field -> field(field, negotiation);
            case Command.EndOfHeader _ -> acknowledge(negotiation, Negotiation.SILENT_END_OF_HEADER);
            case Command.Body(Frame piece) -> body(piece, negotiation);
            case Command.EndOfMessage(Frame piece) -> end(piece);
            case Command.UnknownVerb _ -> acknowledge(negotiation, Negotiation.SILENT_UNKNOWN);
            case Command.Abort _ -> endTransaction();
            case Command.QuitNewConnection _ -> startOver();
            case Command.Quit _ -> {
                return false;
            }
        }
        return true;
    }

    private void connect(Command.Connect connect) throws IOException {
        endTransaction();
        macros.clearAfter('C');
        client = connect;
        helo = "";
        connection.expectAnswer();
        connection.send(List.of(
                isRejectedAtConnect() ? MilterResponse.reply(Replies.REFUSED_AT_CONNECT) : MilterResponse.CONTINUE));
    }

    /// True if a feed with `atConnect` lists the client.
    private boolean isRejectedAtConnect() {
        MtaClient mtaClient = MtaClient.of(client, helo, macros);
        return !mtaClient.isOriginating()
                && currentContext
                        .get()
                        .messages()
                        .rejectsAtConnect(mtaClient.toConnectingClient(), "milter", mtaClient.describe());
    }

    /// Handles HELO, which may be repeated after STARTTLS.
    private void helo(String name, Negotiation negotiation) throws IOException {
        helo = name.substring(0, Math.min(name.length(), MAX_HELO_CHARS));
        acknowledge(negotiation, Negotiation.SILENT_HELO);
    }

    /// Begins a message. An earlier one that was neither ended nor aborted is aborted.
    private void begin(Command.Mail mail, Negotiation negotiation) throws IOException {
        transaction.ifPresent(MilterTransaction::close);
        transaction = Optional.empty();
        macros.clearAfter('M');
        inTransaction = true;
        if (draining) {
            inTransaction = false;
            connection.send(List.of(MilterResponse.DEFER));
            return;
        }
        connection.expectAnswer();
        MilterTransaction newTransaction =
                new MilterTransaction(currentContext.get(), negotiation, MtaClient.of(client, helo, macros), mail);
        transaction = Optional.of(newTransaction);
        newTransaction.evaluateSender();
        connection.send(List.of(MilterResponse.CONTINUE));
    }

    private void rcpt(String path) throws IOException {
        connection.expectAnswer();
        connection.send(List.of(requireTransaction().addRecipient(path)));
    }

    private void field(Command.Field field, Negotiation negotiation) throws IOException {
        requireTransaction().addField(field);
        acknowledge(negotiation, Negotiation.SILENT_FIELD);
    }

    private void body(Frame piece, Negotiation negotiation) throws IOException {
        requireTransaction().addBody(piece);
        acknowledge(negotiation, Negotiation.SILENT_BODY);
    }

    private void end(Frame piece) throws IOException {
        connection.expectAnswer();
        List<MilterResponse> answers = requireTransaction().end(piece, macros.findValue(Macros.QUEUE_ID));
        connection.send(answers);
        endTransaction();
    }

    private MilterTransaction requireTransaction() throws ProtocolException {
        return transaction.orElseThrow(() -> new ProtocolException("a command that needs a message, without one"));
    }

    private void acknowledge(Negotiation negotiation, int step) throws IOException {
        if (!negotiation.hasAgreed(step)) {
            connection.send(List.of(MilterResponse.CONTINUE));
        }
    }

    /// Ends the message after its verdict or an abort. The mail server may abort twice, and after the verdict.
    private void endTransaction() {
        transaction.ifPresent(MilterTransaction::close);
        transaction = Optional.empty();
        macros.clearAfter('H');
        inTransaction = false;
    }

    private void startOver() {
        endTransaction();
        macros.clear();
        client = NO_CLIENT;
        helo = "";
    }
}
