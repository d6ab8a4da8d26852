package org.bloomgate.content.mime;

import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.stream.FieldBuilder;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteArrayBuffer;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.jspecify.annotations.Nullable;

/// Builds header fields for the parser, with three differences from the parser's own builder: lines of a field
/// beyond `MessageLimits.headerBytes()` are ignored instead of ending the parse; a line that is not a field is
/// skipped without an exception (with exceptions, 10 MB of such lines take half a second); and unused fields,
/// most of a header, are only counted.
final class BoundedFieldBuilder implements FieldBuilder {
    private static final int WORK_PER_FIELD = 96;

    private final DefaultFieldBuilder fields = new DefaultFieldBuilder(-1);
    private final Allowance allowance;
    private final boolean needsHops;
    private int unreadFields;
    private long unreadBytes;

    /// @param needsHops true if the Received fields are needed
    BoundedFieldBuilder(Allowance allowance, boolean needsHops) {
        this.allowance = allowance;
        this.needsHops = needsHops;
    }

    @Override
    public void reset() {
        fields.reset();
    }

    @Override
    public void append(ByteArrayBuffer line) throws MimeException {
        if (fields.getRaw().length() + line.length() > allowance.limits().headerBytes()) {
            allowance.reached(Limit.HEADER_BYTES);
        } else {
            fields.append(line);
        }
    }

    @Override
    public @Nullable RawField build() throws MimeException {
        RecycledByteArrayBuffer raw = fields.getRaw();
        allowance.spend(WORK_PER_FIELD + (long) raw.length());
        int nameLength = measureName(raw);
        if (nameLength == 0) {
            return null;
        }
        if (!HeaderFields.uses(raw, nameLength, needsHops) && !PartHeaderBuilder.mayUse(raw, nameLength)) {
            unreadFields++;
            unreadBytes += raw.length();
            return null;
        }
        return fields.build();
    }

    /// The number of fields not built since the last call.
    int takeUnreadFields() {
        int count = unreadFields;
        unreadFields = 0;
        return count;
    }

    /// The bytes of the fields not built since the last call.
    long takeUnreadBytes() {
        long count = unreadBytes;
        unreadBytes = 0;
        return count;
    }

    /// The length of the field's name, which consists of printable characters and is followed by blanks, if
    /// any, and a colon (RFC 5322 3.6.8, 4.5); 0 if the line is not a field.
    private static int measureName(RecycledByteArrayBuffer raw) {
        int i = 0;
        while (i < raw.length() && raw.byteAt(i) > ' ' && raw.byteAt(i) < 0x7f && raw.byteAt(i) != ':') {
            i++;
        }
        int name = i;
        while (i < raw.length() && (raw.byteAt(i) == ' ' || raw.byteAt(i) == '\t')) {
            i++;
        }
        return i < raw.length() && raw.byteAt(i) == ':' ? name : 0;
    }

    /// Whether the field has this name, or, if `name` ends in a hyphen, a name that begins with it.
    static boolean isNamed(RecycledByteArrayBuffer raw, int length, String name) {
        if (name.endsWith("-") ? length < name.length() : length != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Vocabulary.lower((char) raw.byteAt(i)) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public RecycledByteArrayBuffer getRaw() {
        return fields.getRaw();
    }

    @Override
    public void release() {
        fields.release();
    }
}
