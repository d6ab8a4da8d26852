package org.bloomgate.server.milter;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bloomgate.core.smtp.LineEnds;
import org.bloomgate.server.spool.MarkedSubject;
import org.bloomgate.server.spool.MessageSpool;

/// The bytes of a message, assembled from its fields and the pieces of its body, without the fields that only
/// this gateway may write.
final class MilterMessage implements AutoCloseable {
    private static final String SUBJECT = "Subject";

    private final Negotiation negotiation;
    private final MessageSpool spool;
    private final ForgedFields forgedFields = new ForgedFields();
    private final List<String> subjects = new ArrayList<>();
    private final LineEnds lineEnds = new LineEnds();
    private boolean bodyBegun;

    MilterMessage(Negotiation negotiation, MessageSpool spool) {
        this.negotiation = negotiation;
        this.spool = spool;
    }

    MessageSpool spool() {
        return spool;
    }

    ForgedFields forgedFields() {
        return forgedFields;
    }

    /// @throws ProtocolException if the body has begun
    void addField(Command.Field field) throws ProtocolException {
        if (bodyBegun) {
            throw new ProtocolException("a header field after the body");
        }
        if (forgedFields.countIfForged(field.name())) {
            return;
        }
        String value = negotiation.toMessageValue(field.value());
        if (field.name().equalsIgnoreCase(SUBJECT) && spool.sizeBytes() < MarkedSubject.MAX_HEADER_BYTES) {
            subjects.add(value);
        }
        write(field.name() + ":" + toCrlf(value) + "\r\n");
    }

    /// Adds a piece of the body; the last one may be empty.
    void addBody(Frame piece) {
        beginBody();
        lineEnds.write(piece.bytes(), piece.from(), piece.to(), spool::write);
    }

    /// Called after the last piece.
    void finish() {
        lineEnds.finish(spool::write);
    }

    private void beginBody() {
        if (!bodyBegun) {
            bodyBegun = true;
            write("\r\n");
        }
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        lineEnds.write(bytes, 0, bytes.length, spool::write);
    }

    /// The kind of edit that marks the subject.
    int findMarkingEdit() {
        return subjects.isEmpty() ? Negotiation.ADD_HEADERS : Negotiation.CHANGE_HEADERS;
    }

    /// The edits that add a prefix to each Subject, as the relay does.
    List<MilterResponse> markSubjects(String prefix) {
        if (subjects.isEmpty()) {
            return List.of(MilterResponse.insert(SUBJECT, negotiation.toWireValue(" " + prefix)));
        }
        return IntStream.range(0, subjects.size())
                .mapToObj(i -> {
                    String value = MarkedSubject.prefixValue(toCrlf(subjects.get(i)), prefix);
                    return MilterResponse.change(i + 1, SUBJECT, negotiation.toWireValue(value.replace("\r\n", "\n")));
                })
                .toList();
    }

    private static String toCrlf(String value) {
        return value.indexOf('\n') < 0 ? value : value.replace("\r\n", "\n").replace("\n", "\r\n");
    }

    @Override
    public void close() {
        spool.close();
    }
}
