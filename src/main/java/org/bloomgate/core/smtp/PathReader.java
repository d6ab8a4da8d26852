package org.bloomgate.core.smtp;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Parses the path at the start of the arguments of MAIL or RCPT by the grammar of RFC 5321 4.1.2 with the
/// additions of RFC 6531 3.3. Anything outside the grammar is rejected: a lenient parser and the next hop would
/// see different addresses.
public final class PathReader {
    private static final Pattern FOUR_BYTES = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private static final String ATEXT_SPECIALS = "!#$%&'*+-/=?^_`{|}~";

    private final String text;
    private int at;

    private PathReader(String text, int from) {
        this.text = text;
        this.at = from;
    }

    /// A path and the position after its closing bracket.
    public record ParsedPath(MailPath path, int end) {}

    /// The path after a keyword with its colon, in any case. Blanks between them, which RFC 5321 3.3 forbids
    /// and many clients send, are skipped and not forwarded.
    ///
    /// @param text one byte a character
    public static Optional<ParsedPath> after(String keyword, String text) {
        if (!text.regionMatches(true, 0, keyword, 0, keyword.length())) {
            return Optional.empty();
        }
        int from = keyword.length();
        while (from < text.length() && text.charAt(from) == ' ') {
            from++;
        }
        return read(text, from);
    }

    /// The path that begins at a position; empty if there is no valid one.
    private static Optional<ParsedPath> read(String text, int from) {
        PathReader reader = new PathReader(text, from);
        return reader.path(from).filter(found -> wellFormed(found.path().wireText()));
    }

    private static boolean wellFormed(String bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
            return bytes.length() + 2 <= MailPath.MAX_BYTES;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private Optional<ParsedPath> path(int from) {
        if (!take('<')) {
            return Optional.empty();
        }
        boolean routed = peek() == '@';
        if (routed && !sourceRoute()) {
            return Optional.empty();
        }
        int start = at;
        boolean empty = peek() == '>' && !routed;
        boolean postmaster = text.regionMatches(true, from, "<postmaster>", 0, 12);
        if (postmaster) {
            at = from + 11;
        } else if (!empty && !mailbox()) {
            return Optional.empty();
        }
        String bytes = text.substring(start, at);
        return take('>') ? Optional.of(new ParsedPath(new MailPath(bytes), at)) : Optional.empty();
    }

    /// Reads `@a.example,@b.example:`. A server must accept a source route and may ignore it (RFC 5321 appendix
    /// C): it is neither looked up nor forwarded.
    private boolean sourceRoute() {
        do {
            if (!take('@') || !domain()) {
                return false;
            }
        } while (take(','));
        return take(':');
    }

    private boolean mailbox() {
        boolean local = peek() == '"' ? quotedString() : dotString();
        return local && take('@') && (peek() == '[' ? addressLiteral() : domain());
    }

    /// Reads a local part. Dots at its beginning, in a row or at its end, which the grammar does not permit, are
    /// accepted, because mailboxes of some Japanese and Russian providers have them and the common servers
    /// relay them unchanged.
    private boolean dotString() {
        int start = at;
        while (isAtext(peek()) || peek() == '.') {
            at++;
        }
        return at > start;
    }

    private boolean quotedString() {
        at++;
        while (peek() != '"') {
            if (peek() == '\\') {
                at++;
                if (peek() < ' ' || peek() > '~') {
                    return false;
                }
            } else if (peek() < ' ' || peek() == 0x7f) {
                return false;
            }
            at++;
        }
        return take('"');
    }

    private boolean domain() {
        int start = at;
        do {
            int label = at;
            while (isLetterOrDigit(peek()) || peek() == '-' || peek() == '_') {
                at++;
            }
            if (at == label || text.charAt(label) == '-' || text.charAt(at - 1) == '-') {
                return false;
            }
        } while (take('.'));
        return at - start <= 255;
    }

    private boolean addressLiteral() {
        int end = text.indexOf(']', at);
        if (end < 0) {
            return false;
        }
        String inside = text.substring(at + 1, end);
        at = end + 1;
        boolean six = TextForms.lowerCase(inside).startsWith("ipv6:");
        String address = six ? inside.substring(5) : inside;
        boolean plain = six
                ? TextScan.consistsOf(address, c -> TextScan.isHexDigit(c) || c == ':' || c == '.', 2, 45)
                : FOUR_BYTES.matcher(address).matches();
        return plain && isAddress(address);
    }

    private static boolean isAddress(String address) {
        try {
            InetAddress.ofLiteral(address);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isAtext(int b) {
        return isLetterOrDigit(b) || (b > 0 && ATEXT_SPECIALS.indexOf(b) >= 0);
    }

    /// Bytes of UTF-8 count as letters.
    private static boolean isLetterOrDigit(int b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b >= 0x80;
    }

    /// The next byte; -1 at the end.
    private int peek() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private boolean take(char b) {
        if (peek() != b) {
            return false;
        }
        at++;
        return true;
    }
}
