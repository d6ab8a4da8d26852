package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;

/// Reads a calendar or a contact card (RFC 5545, RFC 6350, vCard 2.1): unfolds its lines, decodes its escapes,
/// and passes on its text, HTML descriptions, and files in base64.
public final class ContentLines {
    /// Parameters that mark a file, quoted-printable text, and HTML; parameters without a name are those of
    /// vCard 2.1.
    private static final String[] FILE = {"VALUE=BINARY", "ENCODING=BASE64", "ENCODING=B", "BASE64"};

    private static final String[] PRINTABLE = {"ENCODING=QUOTED-PRINTABLE", "QUOTED-PRINTABLE"};
    private static final String[] HTML = {"FMTTYPE=TEXT/HTML", "X-ALT-DESC"};

    private final String source;
    private final LinkSink sink;
    private final StringBuilder text = new StringBuilder();
    private int at;

    private ContentLines(String source, LinkSink sink) {
        this.source = source;
        this.sink = sink;
    }

    public static void read(String source, LinkSink sink) {
        if (sink.spend(source.length())) {
            ContentLines lines = new ContentLines(source, sink);
            while (lines.at < source.length()) {
                lines.line(lines.unfolded());
            }
            sink.addText(lines.text.toString());
        }
    }

    /// The next content line, unfolded; a soft line break of quoted-printable (vCard 2.1) continues it too.
    private String unfolded() {
        StringBuilder line = new StringBuilder();
        boolean printable = false;
        int colon = -1;
        int searched = 0;
        while (at < source.length()) {
            int end = endOfLine(at);
            line.append(source, at, end);
            at = nextLine(end);
            boolean soft = !line.isEmpty() && line.charAt(line.length() - 1) == '=';
            if (soft && colon < 0) {
                colon = line.indexOf(":", searched);
                searched = line.length();
                printable = colon > 0 && has(line.substring(0, colon), PRINTABLE);
            }
            soft &= printable;
            boolean folded = at < source.length() && (source.charAt(at) == ' ' || source.charAt(at) == '\t');
            if (!folded && !soft) {
                break;
            }
            line.setLength(soft ? line.length() - 1 : line.length());
            at += folded ? 1 : 0;
        }
        return line.toString();
    }

    private int endOfLine(int from) {
        int i = from;
        while (i < source.length() && source.charAt(i) != '\n' && source.charAt(i) != '\r') {
            i++;
        }
        return i;
    }

    private int nextLine(int end) {
        boolean both = end + 1 < source.length() && source.charAt(end) == '\r' && source.charAt(end + 1) == '\n';
        return Math.min(source.length(), both ? end + 2 : end + 1);
    }

    private void line(String line) {
        int colon = colon(line);
        String name = line.substring(0, colon);
        String value = line.substring(Math.min(line.length(), colon + 1));
        if (has(name, FILE)) {
            sink.addFile("", value + restOfBase64());
            return;
        }
        String plain = unescaped(has(name, PRINTABLE) ? quotedPrintable(value) : value);
        if (has(name, HTML)) {
            sink.addHtml(plain);
        }
        appendParameters(name);
        text.append(plain).append('\n');
    }

    /// Appends the name and the values of its parameters as lines: `EMAIL=user@example.com` is not an address.
    private void appendParameters(String name) {
        for (int from = 0, to; from <= name.length(); from = to + 1) {
            to = endOfParameter(name, from);
            int equals = name.indexOf('=', from, to);
            text.append(name, equals < 0 ? from : equals + 1, to).append('\n');
        }
    }

    /// The following lines of base64 without the blank of a continuation, which some programs write and read.
    private String restOfBase64() {
        StringBuilder rest = new StringBuilder();
        int end = endOfLine(at);
        while (at < end && isBase64(at, end)) {
            rest.append(source, at, end);
            at = nextLine(end);
            end = endOfLine(at);
        }
        return rest.toString();
    }

    private boolean isBase64(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = source.charAt(i);
            boolean digit = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!digit && c != '+' && c != '/' && c != '=') {
                return false;
            }
        }
        return true;
    }

    /// Whether the name itself or one of its parameters is among these, in quotes or not.
    private static boolean has(String name, String[] parameters) {
        for (int from = 0, to; from <= name.length(); from = to + 1) {
            to = endOfParameter(name, from);
            for (String parameter : parameters) {
                if (is(name, from, to, parameter)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int endOfParameter(String name, int from) {
        boolean quoted = false;
        int end = from;
        while (end < name.length() && (quoted || name.charAt(end) != ';')) {
            quoted ^= name.charAt(end++) == '"';
        }
        return end;
    }

    private static boolean is(String name, int from, int to, String parameter) {
        int quotes = to - from - parameter.length();
        return quotes == 0
                ? name.regionMatches(true, from, parameter, 0, to - from)
                : quotes == 2 && name.substring(from, to).replace("\"", "").equalsIgnoreCase(parameter);
    }

    /// The colon before the value: the first one outside quotes.
    private static int colon(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            quoted ^= c == '"';
            if (c == ':' && !quoted) {
                return i;
            }
        }
        int any = line.indexOf(':');
        return any < 0 ? line.length() : any;
    }

    private static String quotedPrintable(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = i + 2 < bytes.length && bytes[i] == '=' ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
            bytes[length++] = low < 0 ? bytes[i] : (byte) (high * 16 + low);
            i += low < 0 ? 0 : 2;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static String unescaped(String value) {
        if (value.indexOf('\\') < 0) {
            return value;
        }
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                char escaped = value.charAt(++i);
                plain.append(escaped == 'n' || escaped == 'N' ? '\n' : escaped);
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
