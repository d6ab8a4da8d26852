package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// One pass over the structure of a message: fields to [HeaderFields], contents to [PartReader].
///
/// The parser itself bounds neither depth nor parts. Here a part `MessageLimits.depth()` containers down is not
/// opened but scanned raw, and so is everything behind the last part allowed; nothing recurses.
final class MimeWalk {
    /// Without the parser's own limits, which end the parse.
    static final MimeConfig CONFIG = new MimeConfig.Builder()
            .setStrictParsing(false)
            .setMaxLineLen(-1)
            .setMaxHeaderCount(-1)
            .setMaxHeaderLen(-1)
            .setMaxContentLen(-1)
            .build();

    private final MimeTokenStream tokens;
    private final BoundedFieldBuilder builder;
    private final RecentBytes bytes;
    private final HeaderFields fields;
    private final PartReader parts;
    private final Allowance allowance;
    private final Workspace workspace;

    /// Messages and multiparts open around the current part, the message itself not counted.
    private int depth;

    private boolean inMessageHeader;

    /// True while the multipart begun last had no part.
    private boolean withoutParts;

    /// @param workspace of the parts, too
    MimeWalk(
            RecentBytes bytes,
            HeaderFields fields,
            PartReader parts,
            Workspace workspace,
            Allowance allowance,
            Nesting nesting) {
        this.bytes = bytes;
        this.fields = fields;
        this.parts = parts;
        this.allowance = allowance;
        this.workspace = workspace;
        this.depth = nesting.level() - 1;
        this.builder = new BoundedFieldBuilder(allowance, fields.wantsHops());
        this.tokens = new MimeTokenStream(CONFIG, null, builder, new PartHeaderBuilder());
    }

    /// @throws MimeException when the parser gives up; the rest is then in `bytes`
    void walk() throws IOException, MimeException {
        try {
            readAll();
        } finally {
            builder.release();
        }
    }

    private void readAll() throws IOException, MimeException {
        tokens.parse(bytes);
        EntityState state = tokens.getState();
        while (state != EntityState.T_END_OF_STREAM) {
            if (!take(state)) {
                parts.readRaw(bytes.again());
                return;
            }
            state = tokens.next();
        }
    }

    /// False when no further part may be opened.
    private boolean take(EntityState state) throws IOException {
        switch (state) {
            case T_START_MESSAGE -> {
                enter();
                inMessageHeader = true;
                return allowance.draw(Limit.PARTS, 1);
            }
            case T_START_BODYPART -> {
                inMessageHeader = false;
                withoutParts = false;
                return allowance.draw(Limit.PARTS, 1);
            }
            case T_START_MULTIPART -> {
                withoutParts = true;
                workspace.forget();
                enter();
            }
            case T_END_MULTIPART -> endOfMultipart();
            case T_END_MESSAGE -> leave();
            case T_FIELD -> {
                if (inMessageHeader) {
                    fields.read(tokens.getField(), depth == 0);
                }
            }
            case T_END_HEADER -> endOfHeader();
            case T_BODY -> body();
            case T_PREAMBLE, T_EPILOGUE -> parts.readAround(tokens.getInputStream());
            case T_START_HEADER, T_END_BODYPART, T_RAW_ENTITY, T_END_OF_STREAM -> {}
        }
        return true;
    }

    private void endOfHeader() {
        int unreadFields = builder.takeUnreadFields();
        long unreadBytes = builder.takeUnreadBytes();
        if (inMessageHeader) {
            fields.pass(unreadFields, unreadBytes);
        }
        boolean open = depth < allowance.limits().depth();
        tokens.setRecursionMode(open ? RecursionMode.M_RECURSE : RecursionMode.M_FLAT);
    }

    /// Without a part, its content was read as text before the first part.
    private void endOfMultipart() throws IOException {
        leave();
        if (withoutParts) {
            parts.readUnparted();
        }
        withoutParts = false;
    }

    private void enter() {
        depth++;
        bytes.containers(depth + 1);
    }

    private void leave() {
        depth--;
        bytes.containers(Math.max(depth, 0) + 1);
    }

    private void body() throws IOException {
        PartHeader header = (PartHeader) tokens.getBodyDescriptor();
        parts.readElsewhere(header);
        if (header.ambiguous()) {
            parts.readAmbiguous(tokens.getInputStream());
        } else if (header.isContainer()) {
            allowance.reached(Limit.DEPTH);
            parts.readRaw(tokens.getDecodedInputStream());
        } else {
            content(header);
        }
    }

    private void content(PartHeader header) throws IOException {
        if (header.encodings().size() == 1) {
            content(tokens.getInputStream(), header.encoding(), header);
        } else {
            InputStream coded = tokens.getInputStream();
            byte[] bytes = coded.readNBytes(PartReader.MAX_FILE_BYTES);
            if (coded.read() >= 0) {
                allowance.reached(Limit.MIME);
            }
            for (TransferEncoding encoding : header.encodings()) {
                if (allowance.spend(bytes.length)) {
                    content(new ByteArrayInputStream(bytes), encoding, header);
                }
            }
        }
    }

    private void content(InputStream coded, TransferEncoding encoding, PartHeader header) throws IOException {
        switch (encoding) {
            case NONE -> parts.read(coded, header);
            case BASE64 -> base64(coded, header);
            case QUOTED_PRINTABLE -> parts.read(new QuotedPrintableBody(coded, workspace.encoded()), header);
            case UUENCODE -> parts.readText(coded);
            case UNKNOWN -> {
                allowance.reached(Limit.OPAQUE);
                parts.read(coded, header);
            }
        }
    }

    private void base64(InputStream coded, PartHeader header) throws IOException {
        Base64Body body = new Base64Body(coded, allowance.textAllowanceBytes(), workspace.encoded());
        parts.read(body, header);
        if (body.holdsText()) {
            parts.readRaw(body.text());
        }
        if (body.isCut()) {
            allowance.reached(Limit.PART_TEXT_BYTES);
        }
    }
}
