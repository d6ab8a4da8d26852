package org.bloomgate.message;

import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.stream.FieldBuilder;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteArrayBuffer;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/// Builds header fields for the parser, with two differences to its own builder: lines beyond
/// [MessageLimits#headerBytes()] of one field are left out instead of ending the parse, and what is no field is skipped
/// without the exception that made 10 MB of such lines cost half a second.
final class BoundedFieldBuilder implements FieldBuilder {
    private static final int WORK_PER_FIELD = 96;

    private final DefaultFieldBuilder fields = new DefaultFieldBuilder(-1);
    private final InspectionBudget budget;

    BoundedFieldBuilder(InspectionBudget budget) {
        this.budget = budget;
    }

    @Override
    public void reset() {
        fields.reset();
    }

    @Override
    public void append(ByteArrayBuffer line) throws MimeException {
        if (fields.getRaw().length() + line.length() > budget.limits().headerBytes()) {
            budget.reached("headerBytes");
        } else {
            fields.append(line);
        }
    }

    @Override
    public @Nullable RawField build() throws MimeException {
        RecycledByteArrayBuffer raw = fields.getRaw();
        budget.spend(WORK_PER_FIELD + (long) raw.length());
        return isField(raw) ? fields.build() : null;
    }

    /// A name of printable characters, blanks perhaps, and a colon (RFC 5322 3.6.8, 4.5).
    private static boolean isField(RecycledByteArrayBuffer raw) {
        int i = 0;
        while (i < raw.length() && raw.byteAt(i) > ' ' && raw.byteAt(i) < 0x7f && raw.byteAt(i) != ':') {
            i++;
        }
        int name = i;
        while (i < raw.length() && (raw.byteAt(i) == ' ' || raw.byteAt(i) == '\t')) {
            i++;
        }
        return name > 0 && i < raw.length() && raw.byteAt(i) == ':';
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
