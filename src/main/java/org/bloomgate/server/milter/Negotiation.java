package org.bloomgate.server.milter;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The negotiated capabilities. Only those that the mail server offers are requested: Postfix disconnects a
/// milter that requests an action it did not offer, or a higher version. Missing capabilities are logged and
/// not used.
///
/// @param version 2 to 6
/// @param actions offered edits that are requested
/// @param protocol offered steps that are left out, and responses that are not sent
record Negotiation(int version, int actions, int protocol) {
    static final int MIN_VERSION = 2;
    static final int MAX_VERSION = 6;

    static final int ADD_HEADERS = 0x01;
    static final int REMOVE_RECIPIENTS = 0x08;
    static final int CHANGE_HEADERS = 0x10;
    private static final int SET_MACROS = 0x100;
    private static final int ACTIONS = ADD_HEADERS | REMOVE_RECIPIENTS | CHANGE_HEADERS | SET_MACROS;

    /// Steps that are left out.
    private static final int NO_END_OF_HEADER = 0x40;

    private static final int NO_UNKNOWN = 0x100;
    private static final int NO_DATA = 0x200;

    /// Responses that are not sent: five round trips for each message remain of more than fifteen.
    static final int SILENT_FIELD = 0x80;

    static final int SILENT_HELO = 0x2000;
    static final int SILENT_DATA = 0x10000;
    static final int SILENT_UNKNOWN = 0x20000;
    static final int SILENT_END_OF_HEADER = 0x40000;
    static final int SILENT_BODY = 0x80000;

    /// Values are received and sent with the blank after the colon.
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

    /// The requested macros by stage: CONNECT, HELO, MAIL and the end of the message. They replace the macros that the
    /// operator of the mail server chose for these stages.
    private static final List<MacroRequest> MACROS = List.of(
            new MacroRequest(0, Macros.DAEMON),
            new MacroRequest(1, Macros.TLS_VERSION + " " + Macros.CIPHER),
            new MacroRequest(2, Macros.LOGIN),
            new MacroRequest(5, Macros.QUEUE_ID));

    private record MacroRequest(int stage, String names) {}

    /// @throws ProtocolException if the version is too old
    static Negotiation with(Command.Negotiate offer) throws ProtocolException {
        if (offer.version() < MIN_VERSION) {
            throw new ProtocolException("version " + offer.version() + " of the protocol");
        }
        return new Negotiation(
                Math.min(offer.version(), MAX_VERSION), ACTIONS & offer.actions(), PROTOCOL & offer.protocol());
    }

    MilterResponse createAnswer() {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        data.writeBytes(encodeWords(version, actions, protocol));
        if (supports(SET_MACROS)) {
            for (MacroRequest request : MACROS) {
                data.writeBytes(encodeWords(request.stage()));
                data.writeBytes((request.names() + '\0').getBytes(StandardCharsets.US_ASCII));
            }
        }
        return MilterResponse.negotiate(data.toByteArray());
    }

    private static byte[] encodeWords(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    /// True if the mail server carries out this edit.
    boolean supports(int action) {
        return (actions & action) != 0;
    }

    /// True if this step is left out, or not answered.
    boolean hasAgreed(int step) {
        return (protocol & step) != 0;
    }

    /// Returns the missing capabilities, each with its consequence.
    List<String> findMissing() {
        List<String> missing = new ArrayList<>();
        if (!supports(ADD_HEADERS)) {
            missing.add("adding fields: tagged messages are not marked");
        }
        if (!supports(CHANGE_HEADERS)) {
            missing.add("changing fields: forged fields and subjects stay");
        }
        if (!supports(REMOVE_RECIPIENTS)) {
            missing.add("removing recipients: a message that only some recipients may get is deferred");
        }
        return missing;
    }

    /// Returns the value of a field as in the message after the colon, with LF between its lines.
    String toMessageValue(String value) {
        return hasAgreed(LEADING_BLANK) ? value : " " + value;
    }

    /// Converts the value of a field, as in the message after the colon, to the form for sending.
    String toWireValue(String value) {
        return !hasAgreed(LEADING_BLANK) && value.startsWith(" ") ? value.substring(1) : value;
    }
}
