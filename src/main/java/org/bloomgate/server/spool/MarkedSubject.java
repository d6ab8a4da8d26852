package org.bloomgate.server.spool;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.bloomgate.server.nexthop.MessageBytes;

/// A message with a prefix in each Subject field, as programs that show one of several differ in which. Only the prefix
/// is inserted, so encoded-words and folding stay byte by byte. In the obsolete syntax a field name may be followed by
/// blanks (RFC 5322 4.5.5). As thread-safe as the message.
public final class MarkedSubject implements MessageBytes {
    /// The part of the header in which Subject fields are searched; it is in memory while the message is sent.
    public static final int MAX_HEADER_BYTES = 256 * 1024;

    /// The longest line (RFC 5322 2.1.1).
    private static final int MAX_LINE_BYTES = 998;

    private static final String FIELD = "Subject:";
    private static final byte[] NAME = "subject".getBytes(StandardCharsets.US_ASCII);

    private final MessageBytes message;
    private final int replacedBytes;
    private final byte[] mark;

    private MarkedSubject(MessageBytes message, int replacedBytes, byte[] marked) {
        this.message = message;
        this.replacedBytes = replacedBytes;
        this.mark = marked;
    }

    /// The message with the prefix in each Subject, or empty if it has no Subject. A Subject that begins with the
    /// prefix stays as it is.
    ///
    /// @param prefix printable ASCII
    public static Optional<MessageBytes> insertPrefix(MessageBytes message, String prefix) throws IOException {
        byte[] header = readHead(message, MAX_HEADER_BYTES);
        List<Integer> values = values(header);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        byte[] mark = prefix.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream marked = new ByteArrayOutputStream();
        int copied = 0;
        for (int value : values) {
            if (!isMarked(header, value, mark)) {
                marked.write(header, copied, value - copied);
                marked.writeBytes(addSeparators(header, value, mark));
                copied = value;
            }
        }
        return Optional.of(new MarkedSubject(message, copied, marked.toByteArray()));
    }

    private static boolean isMarked(byte[] header, int value, byte[] prefix) {
        int text = skipBlanks(header, value);
        return text + prefix.length <= header.length
                && Arrays.equals(header, text, text + prefix.length, prefix, 0, prefix.length);
    }

    /// Returns the value of a Subject field with the prefix.
    ///
    /// @param value the text after the colon, one byte for each character, folded with CRLF
    /// @param prefix printable ASCII
    public static String prefixValue(String value, String prefix) {
        byte[] header = (FIELD + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] mark = prefix.getBytes(StandardCharsets.US_ASCII);
        return isMarked(header, FIELD.length(), mark)
                ? value
                : new String(addSeparators(header, FIELD.length(), mark), StandardCharsets.US_ASCII) + value;
    }

    /// The prefix with a blank on either side, and a line break after it if the line would be too long.
    private static byte[] addSeparators(byte[] header, int value, byte[] prefix) {
        int end = value;
        while (end < header.length && header[end] != '\r') {
            end++;
        }
        int start = value;
        while (start > 0 && header[start - 1] != '\n') {
            start--;
        }
        String mark = " " + new String(prefix, StandardCharsets.US_ASCII);
        String gap = end == value || isBlank(header[value]) ? "" : " ";
        String fold = end - start + mark.length() + gap.length() > MAX_LINE_BYTES ? "\r\n" : "";
        return (mark + fold + gap).getBytes(StandardCharsets.US_ASCII);
    }

    /// The positions after the colons of the Subject fields.
    private static List<Integer> values(byte[] header) {
        List<Integer> values = new ArrayList<>();
        int line = 0;
        while (line < header.length && header[line] != '\r') {
            findValueAt(header, line).ifPresent(values::add);
            while (line < header.length && header[line] != '\n') {
                line++;
            }
            line++;
        }
        return values;
    }

    private static OptionalInt findValueAt(byte[] header, int line) {
        int at = line;
        while (at < header.length && at - line < NAME.length && (header[at] | 0x20) == NAME[at - line]) {
            at++;
        }
        if (at - line < NAME.length) {
            return OptionalInt.empty();
        }
        while (at < header.length && isBlank(header[at])) {
            at++;
        }
        return at < header.length && header[at] == ':' ? OptionalInt.of(at + 1) : OptionalInt.empty();
    }

    /// The position of the first byte of the text, which may be on a folded line.
    private static int skipBlanks(byte[] header, int value) {
        int at = value;
        while (at < header.length && (isBlank(header[at]) || isFold(header, at))) {
            at += isBlank(header[at]) ? 1 : 2;
        }
        return at;
    }

    private static boolean isFold(byte[] header, int at) {
        return header[at] == '\r' && at + 2 < header.length && isBlank(header[at + 2]);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static byte[] readHead(MessageBytes message, int count) throws IOException {
        try (InputStream bytes = message.open()) {
            return bytes.readNBytes(count);
        }
    }

    @Override
    public long sizeBytes() {
        return message.sizeBytes() + mark.length - replacedBytes;
    }

    @Override
    public boolean endsWithCrlf() throws IOException {
        return message.endsWithCrlf();
    }

    @Override
    public InputStream open() throws IOException {
        InputStream whole = message.open();
        whole.skipNBytes(replacedBytes);
        return new SequenceInputStream(new ByteArrayInputStream(mark), whole);
    }
}
