package org.bloomgate.decision.authentication;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.text.TextForms;

/// The header fields of a message as bytes.
public final class DkimHeader {
    /// The most bytes of a header with its empty line.
    static final int MAX_BYTES = 1 << 20;

    static final int MAX_FIELDS = 10_000;

    private final Map<String, List<Field>> fields = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final InputStream body;
    private int count;
    private boolean tooLarge;
    private boolean wellFormed = true;

    /// A header field.
    ///
    /// @param bytes without the final CRLF
    /// @param start of the value
    @SuppressWarnings("ArrayRecordComponent")
    public record Field(byte[] bytes, int start) {
        /// The value, each byte a character.
        public String value() {
            return new String(bytes, start, bytes.length - start, StandardCharsets.ISO_8859_1);
        }
    }

    private DkimHeader(byte[] bytes, int end, InputStream body) {
        this.body = body;
        int start = 0;
        for (int i = 0; i < end; i++) {
            if (bytes[i] == '\r' && i + 1 < end && bytes[i + 1] == '\n') {
                boolean folded = i + 2 < end && (bytes[i + 2] == ' ' || bytes[i + 2] == '\t');
                if (!folded) {
                    add(Arrays.copyOfRange(bytes, start, i));
                    start = i + 2;
                }
                i++;
            } else if (bytes[i] == '\r' || bytes[i] == '\n') {
                wellFormed = false;
            }
        }
        wellFormed &= start == end;
    }

    private DkimHeader(InputStream body) {
        this.body = body;
        this.tooLarge = true;
    }

    /// Reads a message up to its empty line.
    public static DkimHeader read(InputStream message) throws IOException {
        byte[] bytes = new byte[16 * 1024];
        int length = 0;
        int bodyStart = -1;
        while (bodyStart < 0) {
            if (length == MAX_BYTES) {
                return new DkimHeader(message);
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
            int read = message.read(bytes, length, bytes.length - length);
            if (read < 0) {
                return new DkimHeader(bytes, length, message);
            }
            length += read;
            bodyStart = bodyStart(bytes, Math.max(0, length - read - 3), length);
        }
        InputStream read = new ByteArrayInputStream(bytes, bodyStart, length - bodyStart);
        return new DkimHeader(bytes, bodyStart - 2, new SequenceInputStream(read, message));
    }

    private static int bodyStart(byte[] bytes, int from, int length) {
        for (int i = from; i + 1 < length; i++) {
            boolean lineStart = i == 0 || (i >= 2 && bytes[i - 2] == '\r' && bytes[i - 1] == '\n');
            if (lineStart && bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i + 2;
            }
        }
        return -1;
    }

    private void add(byte[] field) {
        int nameEnd = 0;
        while (nameEnd < field.length && field[nameEnd] > ' ' && field[nameEnd] < 0x7f && field[nameEnd] != ':') {
            nameEnd++;
        }
        int colon = nameEnd;
        while (colon < field.length && (field[colon] == ' ' || field[colon] == '\t')) {
            colon++;
        }
        if (nameEnd == 0 || colon == field.length || field[colon] != ':') {
            wellFormed = false;
            return;
        }
        tooLarge |= ++count > MAX_FIELDS;
        if (!tooLarge) {
            String name = TextForms.lowerCase(new String(field, 0, nameEnd, StandardCharsets.US_ASCII));
            names.add(name);
            fields.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Field(field, colon + 1));
        }
    }

    /// The instances of a field from top to bottom.
    ///
    /// @param name in lower case
    public List<Field> fields(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /// The values of a field's instances above one of another field, from top to bottom; all of them if there
    /// are fewer of the other.
    ///
    /// Fields that a hop which removes forged fields may have overlooked are left out: those with a blank before
    /// the colon, and all fields of a malformed header.
    ///
    /// @param boundary name of the other field
    /// @param number which of them, from 1
    List<String> valuesAbove(String name, String boundary, int number) {
        int above = 0;
        int boundaries = 0;
        for (String other : names) {
            boundaries += other.equals(boundary) ? 1 : 0;
            if (boundaries == number) {
                break;
            }
            above += other.equals(name) ? 1 : 0;
        }
        return wellFormed
                ? fields(name).stream()
                        .limit(above)
                        .filter(field -> field.start() == name.length() + 1)
                        .map(Field::value)
                        .toList()
                : List.of();
    }

    /// The rest of the message.
    InputStream body() {
        return body;
    }

    boolean isTooLarge() {
        return tooLarge;
    }

    /// False if a line is neither a field nor the continuation of one, or if CR or LF occurs alone: other
    /// software may end the header there and show fields that are not signed as the body.
    boolean isWellFormed() {
        return wellFormed;
    }
}
