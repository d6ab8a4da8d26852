package org.bloomgate.server.milter;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The capabilities of both sides. Only offered ones are requested: Postfix drops a milter that requests an
/// action it did not offer, or a higher version. Missing capabilities are logged, and the listener does without
/// them.
///
/// @param version 2 to 6
/// @param actions edits that were offered and are requested
/// @param protocol steps left out and replies not sent, as were offered
record Negotiation(int version, int actions, int protocol) {
    static final int OLDEST = 2;
    static final int NEWEST = 6;

    static final int ADD_HEADERS = 0x01;
    static final int REMOVE_RECIPIENTS = 0x08;
    static final int CHANGE_HEADERS = 0x10;
    private static final int SET_MACROS = 0x100;
    private static final int ACTIONS = ADD_HEADERS | REMOVE_RECIPIENTS | CHANGE_HEADERS | SET_MACROS;

    /// Steps that are left out.
    private static final int NO_END_OF_HEADER = 0x40;

    private static final int NO_UNKNOWN = 0x100;
    private static final int NO_DATA = 0x200;

    /// Replies that are not sent: five round trips a message are left of more than fifteen.
    static final int SILENT_FIELD = 0x80;

    static final int SILENT_HELO = 0x2000;
    static final int SILENT_DATA = 0x10000;
    static final int SILENT_UNKNOWN = 0x20000;
    static final int SILENT_END_OF_HEADER = 0x40000;
    static final int SILENT_BODY = 0x80000;

    /// Values come, and are sent, with the blank behind the colon.
    private static final int LEADING_BLANK = 0x100000;

    private static final int PROTOCOL = NO_END_OF_HEADER
            | NO_UNKNOWN
            | NO_DATA
            | SILENT_FIELD
            | SILENT_HELO
            | SILENT_DATA
            | SILENT_END_OF_HEADER
            | SILENT_BODY
            | LEADING_BLANK;

    /// Macros by stage, instead of those that the operator of the mail server chose for these: CONNECT, HELO,
    /// MAIL, and the end of the message.
    private static final List<MacroRequest> MACROS = List.of(
            new MacroRequest(0, Macros.DAEMON),
            new MacroRequest(1, Macros.TLS_VERSION + " " + Macros.CIPHER),
            new MacroRequest(2, Macros.LOGIN),
            new MacroRequest(5, Macros.QUEUE_ID));

    private record MacroRequest(int stage, String names) {}

    /// @throws ProtocolException when the version is too old
    static Negotiation with(Command.Negotiate offer) throws ProtocolException {
        if (offer.version() < OLDEST) {
            throw new ProtocolException("version " + offer.version() + " of the protocol");
        }
        return new Negotiation(
                Math.min(offer.version(), NEWEST), ACTIONS & offer.actions(), PROTOCOL & offer.protocol());
    }

    Answer answer() {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        data.writeBytes(words(version, actions, protocol));
        if (may(SET_MACROS)) {
            for (MacroRequest queried : MACROS) {
                data.writeBytes(words(queried.stage()));
                data.writeBytes((queried.names() + '\0').getBytes(StandardCharsets.US_ASCII));
            }
        }
        return Answer.negotiated(data.toByteArray());
    }

    private static byte[] words(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    /// Whether the mail server carries out an edit.
    boolean may(int action) {
        return (actions & action) != 0;
    }

    /// Whether a step is left out, or not answered.
    boolean agreed(int step) {
        return (protocol & step) != 0;
    }

    /// The policy actions that this mail server cannot carry out, each with what happens instead.
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!may(ADD_HEADERS)) {
            missing.add("adding fields: tagged mail goes unmarked");
        }
        if (!may(CHANGE_HEADERS)) {
            missing.add("changing fields: forged fields and subjects stay");
        }
        if (!may(REMOVE_RECIPIENTS)) {
            missing.add("removing recipients: a message that only some of them may get is deferred");
        }
        return missing;
    }

    /// The value of a field as in the message after the colon, its lines separated by LF.
    String received(String value) {
        return agreed(LEADING_BLANK) ? value : " " + value;
    }

    /// The value of a field as it is to stand in the message behind the colon, made ready to be sent.
    String sent(String value) {
        return !agreed(LEADING_BLANK) && value.startsWith(" ") ? value.substring(1) : value;
    }
}
