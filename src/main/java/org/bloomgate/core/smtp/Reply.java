package org.bloomgate.core.smtp;

import java.util.List;

/// One SMTP reply (RFC 5321 4.2): a code and its text lines, without code, separator or CRLF. A reply of the next hop
/// keeps its lines verbatim.
public record Reply(int code, List<String> lines) {
    public Reply {
        lines = List.copyOf(lines);
    }

    /// A reply of Bloomgate: one line that begins with the enhanced status code (RFC 3463).
    public static Reply of(int code, String enhanced, String text) {
        return new Reply(code, List.of(enhanced + " " + text));
    }

    public boolean positive() {
        return code / 100 == 2;
    }

    /// Code and lines in one line, for people.
    public String text() {
        return code + " " + String.join(" / ", lines);
    }

    /// The bytes on the wire, ISO 8859-1, every line ended with CRLF.
    public String toWire() {
        StringBuilder wire = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            wire.append(code)
                    .append(i < lines.size() - 1 ? '-' : ' ')
                    .append(lines.get(i))
                    .append("\r\n");
        }
        return wire.toString();
    }
}
