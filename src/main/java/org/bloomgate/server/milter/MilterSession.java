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

/// The conversation with one mail server: takes a command, answers it when an answer is wanted, keeps the state between
/// two. No exception leaves it. Belongs to its thread, but for [#inMail()] and [#drain()].
final class MilterSession {
    private static final Logger LOG = LoggerFactory.getLogger(MilterSession.class);

    private static final Command.Connect NOBODY = new Command.Connect("", Optional.empty(), 0);
    private static final int MAX_HELO = 255;

    private final Connection connection;
    private final Supplier<MilterContext> inForce;
    private final MilterMetrics metrics;
    private final Set<String> told;
    private final Macros macros = new Macros();
    private Command.Connect client = NOBODY;
    private String helo = "";
    private Optional<MilterTransaction> mail = Optional.empty();
    private volatile boolean inMail;
    private volatile boolean draining;

    /// @param inForce what the next mail works with
    /// @param told missing capabilities that were logged: one line each, not one for each connection
    MilterSession(Connection connection, Supplier<MilterContext> inForce, Set<String> told) {
        this.connection = connection;
        this.inForce = inForce;
        this.told = told;
        this.metrics = inForce.get().metrics();
    }

    Connection connection() {
        return connection;
    }

    /// Whether a message is under way.
    boolean inMail() {
        return inMail;
    }

    /// From now on new mail is sent away for a while.
    void drain() {
        draining = true;
    }

    /// Talks until one of the two has had enough.
    void run() {
        try (connection) {
            Optional<Negotiation> negotiation = negotiate();
            while (negotiation.isPresent() && next(negotiation.get())) {
                // all is done in the condition
            }
        } catch (ProtocolException e) {
            metrics.protocolError();
            LOG.warn("closing a connection that does not keep to the milter protocol: {}", e.getMessage());
        } catch (IOException e) {
            LOG.debug("mail server lost: {}", e.toString());
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("a command of the mail server failed", e);
        } finally {
            // A connection that was closed has interrupted the work; the records of the message are written all the
            // same.
            Thread.interrupted();
            connection.releaseMemory();
            mail.ifPresent(MilterTransaction::lost);
            endMail();
        }
    }

    private Optional<Negotiation> negotiate() throws IOException {
        Optional<Frame> first = connection.next();
        if (first.isEmpty()) {
            return Optional.empty();
        }
        if (!(CommandReader.read(first.get()) instanceof Command.Negotiate offer)) {
            throw new ProtocolException("a connection that does not begin with a negotiation");
        }
        Negotiation negotiation = Negotiation.with(offer);
        negotiation.missing().stream()
                .filter(told::add)
                .forEach(missing -> LOG.warn("a mail server does not offer {}", missing));
        connection.answer(List.of(negotiation.answer()));
        return Optional.of(negotiation);
    }

    /// False when the session is over.
    private boolean next(Negotiation negotiation) throws IOException {
        Optional<Frame> frame = connection.next();
        return frame.isPresent() && execute(CommandReader.read(frame.get()), negotiation);
    }

    private boolean execute(Command command, Negotiation agreed) throws IOException {
        switch (command) {
            case Command.Negotiate _ -> throw new ProtocolException("a second negotiation");
            case Command.MacroValues(byte stage, var values) -> macros.put(stage, values);
            case Command.Connect connect -> connect(connect);
            case Command.Helo(String name) -> helo(name, agreed);
            case Command.Mail mail -> begin(mail, agreed);
            case Command.Rcpt(String path) -> rcpt(path);
            case Command.Data _ -> acknowledge(agreed, Negotiation.SILENT_DATA);
            case Command.Field field -> field(field, agreed);
            case Command.EndOfHeader _ -> acknowledge(agreed, Negotiation.SILENT_END_OF_HEADER);
            case Command.Body(Frame piece) -> body(piece, agreed);
            case Command.EndOfMessage(Frame piece) -> end(piece);
            case Command.UnknownVerb _ -> acknowledge(agreed, Negotiation.SILENT_UNKNOWN);
            case Command.Abort _ -> endMail();
            case Command.QuitNewConnection _ -> startAnew();
            case Command.Quit _ -> {
                return false;
            }
        }
        return true;
    }

    private void connect(Command.Connect connect) throws IOException {
        endMail();
        macros.forgetBehind('C');
        client = connect;
        helo = "";
        connection.oweAnswer();
        connection.answer(List.of(isRefused() ? Answer.reply(Replies.REFUSED_AT_CONNECT) : Answer.CONTINUE));
    }

    /// True if a feed with `atConnect` lists the client. A fault rejects no one: mail is evaluated later.
    private boolean isRefused() {
        MilterContext with = inForce.get();
        MtaClient caller = MtaClient.of(client, helo, macros);
        try {
            boolean refused =
                    !caller.originating() && with.evaluator().refusesAtConnect(with.layers(), caller.caller());
            if (refused) {
                LOG.info("client {} refused at its greeting", caller.text());
            }
            return refused;
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("client {} could not be asked about", caller.text(), e);
            return false;
        }
    }

    /// May come again, after STARTTLS.
    private void helo(String name, Negotiation agreed) throws IOException {
        helo = name.substring(0, Math.min(name.length(), MAX_HELO));
        acknowledge(agreed, Negotiation.SILENT_HELO);
    }

    /// A message that was neither ended nor aborted before is aborted now.
    private void begin(Command.Mail begun, Negotiation agreed) throws IOException {
        mail.ifPresent(MilterTransaction::close);
        mail = Optional.empty();
        macros.forgetBehind('M');
        inMail = true;
        if (draining) {
            inMail = false;
            connection.answer(List.of(Answer.DEFER));
            return;
        }
        connection.oweAnswer();
        MilterTransaction transaction =
                new MilterTransaction(inForce.get(), agreed, MtaClient.of(client, helo, macros), begun);
        mail = Optional.of(transaction);
        transaction.mailFrom();
        connection.answer(List.of(Answer.CONTINUE));
    }

    private void rcpt(String path) throws IOException {
        connection.oweAnswer();
        connection.answer(List.of(current().rcpt(path)));
    }

    private void field(Command.Field field, Negotiation agreed) throws IOException {
        current().field(field);
        acknowledge(agreed, Negotiation.SILENT_FIELD);
    }

    private void body(Frame piece, Negotiation agreed) throws IOException {
        current().body(piece);
        acknowledge(agreed, Negotiation.SILENT_BODY);
    }

    private void end(Frame piece) throws IOException {
        connection.oweAnswer();
        List<Answer> answers = current().end(piece, macros.value(Macros.QUEUE_ID));
        connection.answer(answers);
        endMail();
    }

    private MilterTransaction current() throws ProtocolException {
        return mail.orElseThrow(() -> new ProtocolException("a part of a mail that has not begun"));
    }

    private void acknowledge(Negotiation agreed, int step) throws IOException {
        if (!agreed.agreed(step)) {
            connection.answer(List.of(Answer.CONTINUE));
        }
    }

    /// Ends a message at its verdict or an abort. An abort may come twice, and after the verdict.
    private void endMail() {
        mail.ifPresent(MilterTransaction::close);
        mail = Optional.empty();
        macros.forgetBehind('H');
        inMail = false;
    }

    private void startAnew() {
        endMail();
        macros.clear();
        client = NOBODY;
        helo = "";
    }
}
