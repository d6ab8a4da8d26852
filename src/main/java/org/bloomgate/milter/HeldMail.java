package org.bloomgate.milter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.nexthop.MessageOctets;
import org.bloomgate.transit.MarkedSubject;
import org.bloomgate.transit.MessageSpool;

/// The octets of a mail, put together again from its fields and the pieces of its body, but for the fields that only
/// this gateway may write.
final class HeldMail implements AutoCloseable {
    private static final String SUBJECT = "Subject";

    private final Negotiation negotiation;
    private final MessageSpool spool;
    private final ForgedFields forged = new ForgedFields();
    private Optional<String> subject = Optional.empty();
    private boolean body;

    HeldMail(Negotiation negotiation, MessageSpool spool) {
        this.negotiation = negotiation;
        this.spool = spool;
    }

    MessageSpool spool() {
        return spool;
    }

    ForgedFields forged() {
        return forged;
    }

    /// @throws ProtocolException when the body has begun
    void field(Command.Field field) throws ProtocolException {
        if (body) {
            throw new ProtocolException("a header field behind the body");
        }
        if (forged.takes(field.name())) {
            return;
        }
        String value = negotiation.received(field.value());
        if (subject.isEmpty() && field.name().equalsIgnoreCase(SUBJECT)) {
            subject = Optional.of(value);
        }
        write(field.name() + ":" + crlf(value) + "\r\n");
    }

    /// A piece of the body; the last one may be empty.
    void body(Frame piece) {
        beginBody();
        spool.write(piece.octets(), piece.from(), piece.to());
    }

    private void beginBody() {
        if (!body) {
            body = true;
            write("\r\n");
        }
    }

    private void write(String text) {
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        spool.write(octets, 0, octets.length);
    }

    /// The edit that marks the subject.
    int marking() {
        return subject.isPresent() ? Negotiation.CHANGE_HEADERS : Negotiation.ADD_HEADERS;
    }

    /// What puts a prefix before the subject, in the way the relay does.
    Answer marked(String prefix) throws IOException {
        if (subject.isEmpty()) {
            return Answer.insert(SUBJECT, negotiation.sent(" " + prefix));
        }
        String field = SUBJECT + ":" + crlf(subject.get()) + "\r\n";
        InMemory alone = new InMemory(field.getBytes(StandardCharsets.ISO_8859_1));
        try (InputStream marked = MarkedSubject.of(alone, prefix).orElse(alone).open()) {
            String text = new String(marked.readAllBytes(), StandardCharsets.ISO_8859_1);
            String value = text.substring(SUBJECT.length() + 1, text.length() - 2);
            return Answer.change(1, SUBJECT, negotiation.sent(value.replace("\r\n", "\n")));
        }
    }

    private static String crlf(String value) {
        return value.indexOf('\n') < 0 ? value : value.replace("\r\n", "\n").replace("\n", "\r\n");
    }

    @Override
    public void close() {
        spool.close();
    }

    private static final class InMemory implements MessageOctets {
        private final byte[] octets;

        InMemory(byte[] octets) {
            this.octets = octets;
        }

        @Override
        public long sizeBytes() {
            return octets.length;
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(octets);
        }
    }
}
