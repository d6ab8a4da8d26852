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

/// Walks over the structure of a message once: fields go to [HeaderFields], contents to [PartReader].
///
/// The parser itself limits neither depth nor parts. This class does not open a part below
/// `MessageLimits.depth()` containers, nor anything after the last part allowed; both are scanned raw. Nothing
/// recurses.
final class MimeWalk {
    /// Disables the limits of the parser, at which it would stop.
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

    /// The number of messages and multiparts around the current part, without the message itself.
    private int depth;

    private boolean inMessageHeader;

    /// Whether the last multipart has had no part so far.
    private boolean hasNoParts;

    /// @param workspace also used by `parts`
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
        this.builder = new BoundedFieldBuilder(allowance, fields.needsHops());
        this.tokens = new MimeTokenStream(CONFIG, null, builder, new PartHeaderBuilder());
    }

    /// @throws MimeException if the parser gives up; the rest is then in `bytes`
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
            if (!handle(state)) {
                parts.readRaw(bytes.openAgain());
                return;
            }
            state = tokens.next();
        }
    }

    /// Handles a token; false if no further part may be opened.
    private boolean handle(EntityState state) throws IOException {
        switch (state) {
            case T_START_MESSAGE -> {
                enter();
                inMessageHeader = true;
                return allowance.draw(Limit.PARTS, 1);
            }
            case T_START_BODYPART -> {
                inMessageHeader = false;
                hasNoParts = false;
                return allowance.draw(Limit.PARTS, 1);
            }
            case T_START_MULTIPART -> {
                hasNoParts = true;
                workspace.clear();
                enter();
            }
            case T_END_MULTIPART -> endMultipart();
            case T_END_MESSAGE -> leave();
            case T_FIELD -> {
                if (inMessageHeader) {
                    fields.read(tokens.getField(), depth == 0);
                }
            }
            case T_END_HEADER -> endHeader();
            case T_BODY -> readBody();
            case T_PREAMBLE, T_EPILOGUE -> parts.readAround(tokens.getInputStream());
            case T_START_HEADER, T_END_BODYPART, T_RAW_ENTITY, T_END_OF_STREAM -> {}
        }
        return true;
    }

    private void endHeader() {
        int unreadFields = builder.takeUnreadFields();
        long unreadBytes = builder.takeUnreadBytes();
        if (inMessageHeader) {
            fields.countUnread(unreadFields, unreadBytes);
        }
        boolean mayRecurse = depth < allowance.limits().depth();
        tokens.setRecursionMode(mayRecurse ? RecursionMode.M_RECURSE : RecursionMode.M_FLAT);
    }

    /// Ends a multipart. One without parts has only been read as the text before its first part, so it is read again.
    private void endMultipart() throws IOException {
        leave();
        if (hasNoParts) {
            parts.readMultipartWithoutParts();
        }
        hasNoParts = false;
    }

    private void enter() {
        depth++;
        bytes.setOpenContainers(depth + 1);
    }

    private void leave() {
        depth--;
        bytes.setOpenContainers(Math.max(depth, 0) + 1);
    }

    private void readBody() throws IOException {
        PartHeader header = (PartHeader) tokens.getBodyDescriptor();
        parts.readExternalUrls(header);
        if (header.isAmbiguous()) {
            parts.readAmbiguous(tokens.getInputStream());
        } else if (header.isContainer()) {
            allowance.reached(Limit.DEPTH);
            parts.readRaw(tokens.getDecodedInputStream());
        } else {
            readContent(header);
        }
    }

    private void readContent(PartHeader header) throws IOException {
        if (header.encodings().size() == 1) {
            readContent(tokens.getInputStream(), header.firstEncoding(), header);
        } else {
            InputStream encoded = tokens.getInputStream();
            byte[] content = encoded.readNBytes(PartReader.MAX_FILE_BYTES);
            if (encoded.read() >= 0) {
                allowance.reached(Limit.MIME);
            }
            for (TransferEncoding encoding : header.encodings()) {
                if (allowance.spend(content.length)) {
                    readContent(new ByteArrayInputStream(content), encoding, header);
                }
            }
        }
    }

    private void readContent(InputStream encoded, TransferEncoding encoding, PartHeader header) throws IOException {
        switch (encoding) {
            case NONE -> parts.read(encoded, header);
            case BASE64 -> readBase64(encoded, header);
            case QUOTED_PRINTABLE -> parts.read(new QuotedPrintableBody(encoded, workspace.encodedBuffer()), header);
            case UUENCODE -> parts.readText(encoded);
            case UNKNOWN -> {
                allowance.reached(Limit.OPAQUE);
                parts.read(encoded, header);
            }
        }
    }

    private void readBase64(InputStream encoded, PartHeader header) throws IOException {
        Base64Body body = new Base64Body(encoded, allowance.textAllowanceBytes(), workspace.encodedBuffer());
        parts.read(body, header);
        if (body.hasStrayText()) {
            parts.readRaw(body.readStrayText());
        }
        if (body.isCut()) {
            allowance.reached(Limit.PART_TEXT_BYTES);
        }
    }
}
