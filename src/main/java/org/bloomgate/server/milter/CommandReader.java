package org.bloomgate.server.milter;

import java.net.InetAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Parses commands. The parser is strict where the evaluation depends on the command. It accepts macros in any form,
/// because only the login affects the result.
final class CommandReader {
    /// The longest path or name; Postfix and Sendmail accept command lines of about 2,000 bytes.
    static final int MAX_ARGUMENT_BYTES = 4_096;

    /// Macros beyond this size in one packet are ignored.
    static final int MAX_MACRO_BYTES = 64 * 1024;

    private static final int NEGOTIATION_BYTES = 3 * Integer.BYTES;
    private static final String IPV6 = "ipv6:";
    private static final Set<String> RELAYED_PARAMETERS = Set.of("BODY=8BITMIME", "SMTPUTF8");

    private CommandReader() {}

    /// @throws ProtocolException if the frame is not a command, or is incomplete
    static Command read(Frame frame) throws ProtocolException {
        return switch (frame.command()) {
            case 'O' -> parseNegotiation(frame);
            case 'C' -> parseConnect(frame);
            case 'H' -> new Command.Helo(parseArgument(frame));
            case 'M' -> new Command.Mail(parseArgument(frame), parseParameters(frame));
            case 'R' -> new Command.Rcpt(parseArgument(frame));
            case 'T' -> new Command.Data();
            case 'L' -> parseField(frame);
            case 'N' -> new Command.EndOfHeader();
            case 'B' -> new Command.Body(frame);
            case 'E' -> new Command.EndOfMessage(frame);
            case 'D' -> parseMacros(frame);
            case 'A' -> new Command.Abort();
            case 'Q' -> new Command.Quit();
            case 'K' -> new Command.QuitNewConnection();
            case 'U' -> new Command.UnknownVerb();
            default -> throw new ProtocolException("unknown command 0x" + Integer.toHexString(frame.command() & 0xff));
        };
    }

    private static Command parseNegotiation(Frame frame) throws ProtocolException {
        if (frame.length() < NEGOTIATION_BYTES) {
            throw new ProtocolException("a negotiation of " + frame.length() + " bytes");
        }
        ByteBuffer words = ByteBuffer.wrap(frame.bytes(), frame.from(), NEGOTIATION_BYTES);
        return new Command.Negotiate(words.getInt(), words.getInt(), words.getInt());
    }

    /// Parses host, NUL and a letter for the family: U (unknown), L with a path, 4 and 6 with a port of two
    /// bytes and an address.
    private static Command parseConnect(Frame frame) throws ProtocolException {
        int end = requireNul(frame, frame.from());
        String host = decodeText(frame, frame.from(), end);
        if (end + 1 >= frame.to()) {
            throw new ProtocolException("a connection without a family");
        }
        byte family = frame.bytes()[end + 1];
        return switch (family) {
            case 'U', 'L' -> new Command.Connect(host, Optional.empty(), 0);
            case '4', '6' -> parseConnect(frame, host, end + 2);
            default -> throw new ProtocolException("unknown family 0x" + Integer.toHexString(family & 0xff));
        };
    }

    private static Command parseConnect(Frame frame, String host, int at) throws ProtocolException {
        if (at + Short.BYTES > frame.to()) {
            throw new ProtocolException("a connection without a port");
        }
        int port = ByteBuffer.wrap(frame.bytes()).getShort(at) & 0xffff;
        int address = at + Short.BYTES;
        return new Command.Connect(host, parseAddress(decodeText(frame, address, requireNul(frame, address))), port);
    }

    /// Parses an address. Sendmail writes `IPv6:` before it, other mail servers put it in brackets.
    private static Optional<InetAddress> parseAddress(String text) {
        boolean isBracketed = text.startsWith("[") && text.endsWith("]") && text.length() > 1;
        String withoutBrackets = isBracketed ? text.substring(1, text.length() - 1) : text;
        return IpLiteral.parse(
                TextForms.lowerCase(withoutBrackets).startsWith(IPV6)
                        ? withoutBrackets.substring(IPV6.length())
                        : withoutBrackets);
    }

    /// The first argument; each ends with NUL.
    private static String parseArgument(Frame frame) throws ProtocolException {
        int end = requireNul(frame, frame.from());
        if (end - frame.from() > MAX_ARGUMENT_BYTES) {
            throw new ProtocolException("an argument of " + (end - frame.from()) + " bytes");
        }
        return decodeText(frame, frame.from(), end);
    }

    /// The parameters of RFC 6152 and RFC 6531, in order.
    private static String parseParameters(Frame frame) throws ProtocolException {
        int path = requireNul(frame, frame.from());
        return TextScan.split(TextForms.upperCase(decodeText(frame, path, frame.to())), c -> c == 0).stream()
                .filter(RELAYED_PARAMETERS::contains)
                .distinct()
                .map(parameter -> " " + parameter)
                .collect(Collectors.joining());
    }

    /// Parses name, NUL, value, NUL. Nothing may follow: the mail server and this gateway could read a field
    /// with a NUL in it differently.
    private static Command parseField(Frame frame) throws ProtocolException {
        int name = requireNul(frame, frame.from());
        int value = requireNul(frame, name + 1);
        if (name == frame.from() || value + 1 != frame.to()) {
            throw new ProtocolException("a header field that is not name and value");
        }
        return new Command.Field(decodeText(frame, frame.from(), name), decodeText(frame, name + 1, value));
    }

    /// Parses any macros: the stage, names or values may be missing.
    private static Command parseMacros(Frame frame) {
        if (frame.length() == 0) {
            return new Command.MacroValues((byte) 0, Map.of());
        }
        Map<String, String> values = new HashMap<>();
        int end = Math.min(frame.to(), frame.from() + MAX_MACRO_BYTES);
        int at = frame.from() + 1;
        while (at < end) {
            int name = findNul(frame, at, end);
            int value = findNul(frame, Math.min(name + 1, end), end);
            String key = decodeText(frame, at, name);
            if (Macros.KNOWN.contains(key)) {
                values.put(key, decodeText(frame, Math.min(name + 1, end), value));
            }
            at = value + 1;
        }
        return new Command.MacroValues(frame.bytes()[frame.from()], values);
    }

    private static int findNul(Frame frame, int from, int end) {
        int at = from;
        while (at < end && frame.bytes()[at] != 0) {
            at++;
        }
        return at;
    }

    private static int requireNul(Frame frame, int from) throws ProtocolException {
        int at = findNul(frame, from, frame.to());
        if (at >= frame.to()) {
            throw new ProtocolException("a text without its end in command " + (char) (frame.command() & 0x7f));
        }
        return at;
    }

    private static String decodeText(Frame frame, int from, int to) {
        return new String(frame.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    }
}
