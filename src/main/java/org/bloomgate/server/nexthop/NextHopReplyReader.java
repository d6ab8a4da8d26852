package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.smtp.Reply;

/// Reads replies (RFC 5321 4.2) strictly: lines end with CRLF, a line has at most 4,096 bytes and a reply at
/// most 128 lines, all with the same code of three digits. Anything else is a fault, after which the connection
/// is unusable.
///
/// The text is decoded as ISO 8859-1, so that its bytes can be passed on unchanged, except that control
/// characters become `?` and the text of a line is cut at [#MAX_TEXT_BYTES]. Not thread-safe.
final class NextHopReplyReader {
    static final int MAX_LINE_BYTES = 4_096;
    static final int MAX_LINES = 128;
    /// The longest text, so that code, separator and CRLF fit in the 512 bytes of RFC 5321 4.5.3.1.5.
    static final int MAX_TEXT_BYTES = 506;

    private final InputStream in;
    private final byte[] buffer = new byte[MAX_LINE_BYTES];
    private int start;
    private int end;

    NextHopReplyReader(InputStream in) {
        this.in = in;
    }

    /// @throws IOException when reading fails or times out
    Reply read() throws NextHopFault, IOException {
        List<String> lines = new ArrayList<>(1);
        int code = 0;
        boolean last = false;
        while (!last) {
            int length = fillLine();
            int codeOfLine = parseCode(length);
            if (code != 0 && code != codeOfLine) {
                throw createProtocolError("codes " + code + " and " + codeOfLine + " in one reply");
            }
            if (lines.size() == MAX_LINES) {
                throw createProtocolError("a reply of more than " + MAX_LINES + " lines");
            }
            code = codeOfLine;
            last = length == 3 || buffer[start + 3] == ' ';
            lines.add(parseText(length));
            start += length + 2;
        }
        return new Reply(code, lines);
    }

    /// True if unsolicited bytes have arrived after the last reply.
    boolean hasUnreadBytes() {
        return start < end;
    }

    /// Reads until the line at `start` is complete; returns its length without CRLF.
    private int fillLine() throws NextHopFault, IOException {
        int seen = 0;
        while (true) {
            for (int i = start + seen; i < end; i++) {
                if (buffer[i] == '\n') {
                    if (i == start || buffer[i - 1] != '\r') {
                        throw createProtocolError("a reply line with a bare LF");
                    }
                    return i - 1 - start;
                }
            }
            seen = end - start;
            if (seen == buffer.length) {
                throw createProtocolError("a reply line of more than " + MAX_LINE_BYTES + " bytes");
            }
            fill();
        }
    }

    private void fill() throws NextHopFault, IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
        int count = in.read(buffer, end, buffer.length - end);
        if (count < 0) {
            throw new NextHopFault(NextHopFault.Kind.LOST, "closed the connection");
        }
        end += count;
    }

    private int parseCode(int length) throws NextHopFault {
        boolean wellFormed = length >= 3
                && isInRange(0, '2', '5')
                && isInRange(1, '0', '9')
                && isInRange(2, '0', '9')
                && (length == 3 || buffer[start + 3] == ' ' || buffer[start + 3] == '-');
        if (!wellFormed) {
            throw createProtocolError("a reply line that begins \"" + toPrintable(start, Math.min(length, 20)) + "\"");
        }
        return (buffer[start] - '0') * 100 + (buffer[start + 1] - '0') * 10 + buffer[start + 2] - '0';
    }

    private boolean isInRange(int position, char low, char high) {
        return buffer[start + position] >= low && buffer[start + position] <= high;
    }

    private String parseText(int length) {
        return length <= 4 ? "" : toPrintable(start + 4, Math.min(length - 4, MAX_TEXT_BYTES));
    }

    private String toPrintable(int from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            byte b = buffer[from + i];
            boolean control = (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
            bytes[i] = control ? (byte) '?' : b;
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static NextHopFault createProtocolError(String what) {
        return new NextHopFault(NextHopFault.Kind.NONSENSE, "sent " + what);
    }
}
