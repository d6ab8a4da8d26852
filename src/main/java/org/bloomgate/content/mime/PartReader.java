package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.archive.ZipWalk;
import org.bloomgate.content.document.ContentLines;
import org.bloomgate.content.document.OfficeXml;
import org.bloomgate.content.document.Pdf;
import org.bloomgate.content.document.RichText;
import org.bloomgate.content.html.DeclaredEntities;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.image.Pictures;
import org.bloomgate.content.links.CommandLinks;
import org.bloomgate.content.links.HtmlLinks;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.MarkupDrawing;
import org.bloomgate.content.links.PictureCodes;
import org.bloomgate.content.links.RawLinks;
import org.bloomgate.content.links.TextLinks;
import org.bloomgate.content.links.TextPlaces;
import org.bloomgate.core.key.ContentDigest;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Reads the content of a part: recognizes its kind, decodes its text, and finds the links in it.
final class PartReader {
    /// The most bytes of one archive or document that are read: the limits `archiveBytes` and `pdfBytes`.
    static final int MAX_FILE_BYTES = 16 * 1024 * 1024;

    /// The type of the header of a returned message; some programs include the whole message.
    private static final String RETURNED_HEADERS = "text/rfc822-headers";

    /// The work for a character of a document that is read a second time for codes that it draws.
    private static final long WORK_PER_DRAWING_CHAR = 6;

    /// The bytes of a text in an archive that are read at a time, and those that are read twice: more than a row has.
    static final int WINDOW_BYTES = Workspace.KEPT_BYTES;

    private static final int OVERLAP_BYTES = 64 * 1024;

    private final KeyExtractor keys;
    private final Allowance allowance;
    private final Workspace workspace;
    private final TextLinks textLinks;
    private final Nesting nesting;
    private final AttachmentReader attachmentReader;

    PartReader(KeyExtractor keys, Workspace workspace, Nesting nesting) {
        this.keys = keys;
        this.allowance = keys.allowance();
        this.workspace = workspace;
        this.textLinks = new TextLinks(keys);
        this.nesting = nesting;
        this.attachmentReader = new AttachmentReader(keys, textLinks, nesting, Place.LINK);
    }

    /// Adds the URLs of an external body, which is not in the message but opens with a click.
    void readExternalUrls(PartHeader header) {
        header.externalUrls().forEach(attachmentReader::addLink);
    }

    /// Reads a part.
    ///
    /// @param content without its transfer encoding
    void read(InputStream content, PartHeader header) throws IOException {
        if (keys.wants(KeyKind.HASH) && isFile(header)) {
            readAndDigest(content, header);
        } else {
            readLinks(content, header);
        }
    }

    /// Whether the part is a file, which has a digest. Displayed text is a file only if its header says so; a part
    /// of an Office document is not.
    private boolean isFile(PartHeader header) {
        return switch (PartKind.ofType(header.mimeType()).refineByName(header.name())) {
            case HTML, TEXT, MESSAGE -> header.isFile();
            case XML -> header.isFile() && nesting.level() == 0;
            case FOLDED_TEXT,
                    RTF,
                    PDF,
                    ZIP,
                    GZIP,
                    TAR,
                    CMS,
                    TNEF,
                    COMPOUND,
                    PICTURE,
                    MEDIA,
                    SEALED,
                    ENCRYPTED,
                    BINARY -> true;
        };
    }

    /// Reads a part and adds the digest of all its bytes; an empty file has none.
    private void readAndDigest(InputStream content, PartHeader header) throws IOException {
        MessageDigest sha256 = ContentDigest.begin();
        DigestInputStream file = new DigestInputStream(content, sha256);
        readLinks(file, header);
        boolean isEmpty = workspace.length() == 0;
        allowance.spend(workspace.length());
        workspace.skip(file, allowance);
        if (!isEmpty && !allowance.exhausted()) {
            keys.file(sha256.digest());
        }
    }

    /// Reads the links of a part. After an exception, the bytes read so far and the rest are scanned raw.
    private void readLinks(InputStream content, PartHeader header) throws IOException {
        workspace.clear();
        try {
            readAsShown(content, header);
        } catch (RuntimeException | StackOverflowError e) {
            allowance.fault(e);
            scanRaw(content);
        }
    }

    /// Reads a part as its content looks and, if it claims to be another kind of text or document, also as that kind: a
    /// text must not hide its links by beginning with `<!--`, nor a page or a PDF by beginning with `GIF8`. UTF-7,
    /// which only some clients decode, is read both ways too.
    private void readAsShown(InputStream content, PartHeader header) throws IOException {
        PartKind declaredKind = PartKind.ofType(header.mimeType());
        String name = header.name().isEmpty() ? "" : EncodedWords.decode(header.name(), allowance);
        PartKind namedKind = name.isEmpty() ? declaredKind : declaredKind.refineByName(name);
        workspace.read(content, PartKind.SNIFFED_BYTES);
        PartKind kind = namedKind.sniff(workspace.bytes(), workspace.length(), header.isFile());
        if (kind != declaredKind && (declaredKind.isText() || declaredKind.differsFrom(kind))) {
            readAsClaimed(declaredKind, content, header);
        }
        if (namedKind != declaredKind && namedKind.differsFrom(kind)) {
            readAsClaimed(namedKind, content, header);
        }
        if (namedKind != PartKind.PDF && kind.isPdfToo(workspace.bytes(), workspace.length())) {
            readAs(PartKind.PDF, content, header);
        }
        if (kind.isMediaOrPicture() && !PartKind.isMedia(declaredKind, name)) {
            readDisguised(content, header);
        }
        readAs(kind, content, header);
        if (TextDecoding.isUtf7(header.charset())) {
            readAs(kind, content, header.withoutCharset());
        }
    }

    /// Reads a part as the kind that it claims; the same bytes are read again afterwards.
    private void readAsClaimed(PartKind claimedKind, InputStream content, PartHeader header) throws IOException {
        if (claimedKind == PartKind.MESSAGE) {
            readWhole(content, Limit.ARCHIVE_BYTES);
            readMessage(prependBuffered(InputStream.nullInputStream()));
        } else {
            readAs(claimedKind, content, header);
        }
    }

    /// Reads bytes that begin like media although neither name nor type says so: as a zip file, which some
    /// programs recognize by its end, and raw.
    private void readDisguised(InputStream content, PartHeader header) throws IOException {
        readWhole(content, Limit.ARCHIVE_BYTES);
        if (ZipWalk.hasEnd(workspace.bytes(), workspace.length())) {
            attachmentReader.open(PartKind.ZIP, header.name(), workspace.bytes(), workspace.length());
        }
        boolean _ = new BinaryScan(keys).read(prependBuffered(InputStream.nullInputStream()));
    }

    private void readAs(PartKind kind, InputStream content, PartHeader header) throws IOException {
        switch (kind) {
            case HTML, XML, TEXT, FOLDED_TEXT -> {
                boolean hasRows = kind == PartKind.XML || (kind == PartKind.TEXT && !PartKind.isScript(header.name()));
                if (nesting.archives() > 0 && hasRows) {
                    readWindows(kind, content, header);
                    return;
                }
                fillText(content);
                if (header.mimeType().equals(RETURNED_HEADERS) && hasBody(workspace.bytes(), workspace.length())) {
                    readMessage(prependBuffered(InputStream.nullInputStream()));
                }
                boolean _ = decodeAndRead(kind, header);
            }
            case RTF -> {
                fillText(content);
                RichText.read(workspace.bytes(), workspace.length(), attachmentReader);
            }
            case PDF -> {
                readWhole(content, Limit.PDF_BYTES);
                Pdf.read(
                        workspace.bytes(),
                        workspace.length(),
                        new AttachmentReader(keys, textLinks, nesting, Place.PDF));
            }
            case MESSAGE -> readMessage(prependBuffered(content));
            case ZIP, GZIP, TAR, CMS, TNEF, COMPOUND -> {
                readWhole(content, Limit.ARCHIVE_BYTES);
                attachmentReader.open(kind, header.name(), workspace.bytes(), workspace.length());
            }
            case BINARY -> readBinary(content, header);
            case PICTURE -> readPicture(content);
            case MEDIA -> {}
            case SEALED -> allowance.reached(Limit.OPAQUE);
            case ENCRYPTED -> allowance.reached(Limit.ENCRYPTED);
        }
    }

    /// Reads unknown bytes. A zip file after other bytes is opened, because programs recognize it by its end. A zip
    /// file whose end is beyond the bytes that are read, and a disk image, is the limit `opaque`.
    private void readBinary(InputStream content, PartHeader header) throws IOException {
        workspace.readUpTo(content, MAX_FILE_BYTES, allowance, Limit.OPAQUE);
        boolean isZip = ZipWalk.hasEnd(workspace.bytes(), workspace.length());
        if (isZip) {
            attachmentReader.open(PartKind.ZIP, header.name(), workspace.bytes(), workspace.length());
        } else if (PartKind.isDiskImage(workspace.bytes(), workspace.length())) {
            allowance.reached(Limit.OPAQUE);
        }
        boolean hasZipEnd = new BinaryScan(keys).read(prependBuffered(content));
        if (hasZipEnd && !isZip) {
            allowance.reached(Limit.OPAQUE);
        }
    }

    /// Reads a picture, unless no more pictures may be decoded.
    private void readPicture(InputStream content) throws IOException {
        PictureCodes codes = keys.pictures();
        if (codes.hasRoom()) {
            workspace.readUpTo(content, (int) allowance.left(Limit.PICTURE_BYTES), allowance, Limit.PICTURE_BYTES);
            if (content.read() >= 0) {
                allowance.reached(Limit.PICTURE_BYTES);
            } else {
                Pictures.read(workspace.bytes(), workspace.length(), codes);
            }
        }
    }

    /// Reads a text or a sheet of an archive, whose bytes the archive has paid, in windows that overlap, as far as its
    /// rows do not depend on each other. The rest is read as a part of its own is.
    private void readWindows(PartKind kind, InputStream content, PartHeader header) throws IOException {
        workspace.readUpTo(content, WINDOW_BYTES, allowance, Limit.PART_TEXT_BYTES);
        while (true) {
            workspace.payForText(allowance);
            boolean isSeparable = decodeAndRead(kind, header);
            int next = content.read();
            if (next < 0 || allowance.exhausted()) {
                return;
            }
            InputStream rest = new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) next}), content);
            if (!isSeparable) {
                fillText(rest);
                boolean _ = decodeAndRead(kind, header);
                return;
            }
            workspace.keepLast(OVERLAP_BYTES);
            workspace.readUpTo(rest, WINDOW_BYTES, allowance, Limit.PART_TEXT_BYTES);
        }
    }

    /// Returns whether what follows may be read in another window.
    private boolean decodeAndRead(PartKind kind, PartHeader header) throws IOException {
        boolean isSeparable = decodeAndRead(workspace.bytes(), workspace.length(), kind, header)
                && TextDecoding.isNarrow(workspace.bytes(), workspace.length());
        if (TextDecoding.isDoubtful(workspace.bytes(), workspace.length(), header.charset())) {
            byte[] narrow = WideText.withoutZeros(workspace.bytes(), workspace.length());
            boolean _ = decodeAndRead(narrow, narrow.length, kind, header);
        }
        return isSeparable;
    }

    private boolean decodeAndRead(byte[] bytes, int length, PartKind kind, PartHeader header) throws IOException {
        TextDecoding.decode(bytes, length, header.charset(), allowance, workspace.clearDecoded());
        allowance.spend(length);
        return switch (kind) {
            case XML -> readXml(header);
            case TEXT -> readPlainText(header);
            case FOLDED_TEXT -> {
                ContentLines.read(workspace.decoded().toString(), attachmentReader);
                yield false;
            }
            default -> {
                readHtml(header);
                yield false;
            }
        };
    }

    /// Whether anything but blanks follows an empty line.
    private static boolean hasBody(byte[] bytes, int length) {
        int ends = 0;
        int at = 0;
        while (at < length && ends < 2) {
            byte c = bytes[at++];
            ends = c == '\n' ? ends + 1 : c == '\r' ? ends : 0;
        }
        while (at < length && bytes[at] <= ' ' && bytes[at] >= 0) {
            at++;
        }
        return at < length;
    }

    private boolean readXml(PartHeader header) {
        TextBuffer text = workspace.decoded();
        // A char has at most three bytes of UTF-8.
        boolean isSeparable = text.length() - readOffice(text) < OVERLAP_BYTES / 3;
        expandEntities().ifPresent(this::readOffice);
        if (nesting.archives() == 0) {
            readHtml(header);
        }
        return isSeparable;
    }

    private int readOffice(TextBuffer xml) {
        return OfficeXml.read(xml.array(), xml.length(), attachmentReader);
    }

    /// Reads the part as HTML and, if it declares entities, also as XML with these expanded, as some programs
    /// do.
    private void readHtml(PartHeader header) {
        readHtml(workspace.decoded(), header);
        expandEntities().ifPresent(xml -> readHtml(xml, header));
    }

    /// The part with its declared entities expanded; empty if it declares none. The declarations themselves are
    /// scanned raw.
    private Optional<TextBuffer> expandEntities() {
        TextBuffer part = workspace.decoded();
        Optional<DeclaredEntities.Expansion> expansion =
                DeclaredEntities.expandDocument(part.array(), 0, part.length());
        if (expansion.isEmpty()) {
            return Optional.empty();
        }
        TextBuffer declarations = expansion.get().declarations();
        RawLinks.read(declarations.array(), 0, declarations.length(), keys, Place.RAW);
        if (expansion.get().cut()) {
            allowance.reached(Limit.ENTITIES);
        }
        TextBuffer text = expansion.get().text();
        return allowance.spend(text.length()) ? Optional.of(text) : Optional.empty();
    }

    private void readHtml(TextBuffer html, PartHeader header) {
        Place scripts = header.isFile() ? Place.SCRIPT_ATTACHMENT : Place.SCRIPT;
        new HtmlLinks(keys, textLinks, workspace.joined(), scripts)
                .relativeTo(header.base())
                .read(html.array(), 0, html.length());
        if (!allowance.exhausted()) {
            allowance.spend(
                    WORK_PER_DRAWING_CHAR * MarkupDrawing.read(html.array(), 0, html.length(), keys.pictures()));
        }
    }

    /// Reads a text, and the files that are encoded in it. A text file that contains markup is also read as
    /// HTML, because any program may open it.
    private boolean readPlainText(PartHeader header) throws IOException {
        TextBuffer text = workspace.decoded();
        boolean hasFiles = InlineFiles.isIn(text.array(), text.length());
        if (hasFiles) {
            InlineFiles.read(text.toString(), attachmentReader);
        }
        textLinks.read(text, TextPlaces.SHOWN);
        if (header.joinsLines() && allowance.spend(text.length())) {
            textLinks.read(FlowedText.join(text), TextPlaces.SHOWN);
        }
        if (header.isFile() && PartKind.isScript(header.name())) {
            attachmentReader.addScript(text.toString());
            PartKind.shellOf(header.name()).ifPresent(shell -> CommandLinks.read(shell, text.toString(), keys));
        }
        boolean hasMarkup = header.isFile() && InlineFiles.containsMarkup(text);
        if (hasMarkup && allowance.spend(text.length())) {
            readHtml(header);
        }
        return !hasFiles && !hasMarkup;
    }

    /// Reads another message, with a parser of its own.
    private void readMessage(InputStream content) throws IOException {
        if (nesting.mayOpen(PartKind.MESSAGE, allowance)) {
            RecentBytes bytes = new RecentBytes(content, allowance);
            long heapBefore = allowance.heap();
            Workspace innerWorkspace = workspace.createNested();
            MessageReader.read(bytes, keys, innerWorkspace, nesting.deepen(PartKind.MESSAGE));
            innerWorkspace.giveBackLarge();
            allowance.heapBackTo(heapBefore);
        } else {
            boolean _ = new BinaryScan(keys).read(content);
        }
    }

    /// Returns the bytes that were read to recognize the content, followed by the rest.
    private InputStream prependBuffered(InputStream rest) {
        return new SequenceInputStream(new ByteArrayInputStream(workspace.bytes(), 0, workspace.length()), rest);
    }

    /// Reads to the end, or up to [#MAX_FILE_BYTES].
    private void readWhole(InputStream content, Limit limit) throws IOException {
        workspace.readUpTo(content, MAX_FILE_BYTES, allowance, limit);
        if (content.read() >= 0) {
            allowance.reached(limit);
        }
        allowance.spend(workspace.length());
    }

    /// Reads a body as text in which a file may be encoded, whatever its type.
    void readText(InputStream content) throws IOException {
        workspace.read(content, 0);
        readAs(PartKind.TEXT, content, PartHeader.ofFile(""));
    }

    /// Reads the text before the first part or after the last one, which clients show only if they read it as
    /// a part.
    void readAround(InputStream bytes) throws IOException {
        readRaw(bytes);
        readLostParts();
    }

    /// Reads a multipart that programs read differently: with every boundary in it, as text, and if there is no
    /// boundary, the files that are encoded in base64 in it.
    void readAmbiguous(InputStream bytes) throws IOException {
        allowance.reached(Limit.MIME);
        readText(bytes);
        if (!readLostParts()) {
            LostParts.readBase64(workspace.bytes(), workspace.length(), attachmentReader);
        }
    }

    /// Reads the bytes in the workspace again, which are a multipart in which the declared boundary does not
    /// occur.
    void readMultipartWithoutParts() throws IOException {
        allowance.reached(Limit.MIME);
        readAs(PartKind.TEXT, InputStream.nullInputStream(), PartHeader.ofFile(""));
        LostParts.readBase64(workspace.bytes(), workspace.length(), attachmentReader);
    }

    /// Reads the bytes in the workspace with each of the boundaries in them.
    ///
    /// @return whether there are any
    private boolean readLostParts() throws IOException {
        Set<String> boundaries = LostParts.findBoundaries(workspace.bytes(), workspace.length(), allowance);
        for (String boundary : boundaries) {
            allowance.reached(Limit.MIME);
            InputStream header = new ByteArrayInputStream(LostParts.createHeader(boundary));
            readMessage(new SequenceInputStream(header, prependBuffered(InputStream.nullInputStream())));
        }
        return !boundaries.isEmpty();
    }

    /// Whether the buffers are small enough to be kept.
    boolean isWorthKeeping() {
        return workspace.isWorthKeeping();
    }

    /// Finds the URLs in any bytes, at [Place#RAW].
    void readRaw(InputStream bytes) throws IOException {
        workspace.read(bytes, 0);
        scanRaw(bytes);
    }

    /// Scans the bytes in the workspace and the rest. An exception ends the scan, because there is no other way to
    /// read them.
    private void scanRaw(InputStream rest) throws IOException {
        try {
            fillText(rest);
            scanRaw(workspace.bytes(), workspace.length());
            if (TextDecoding.isDoubtful(workspace.bytes(), workspace.length(), "")) {
                byte[] narrow = WideText.withoutZeros(workspace.bytes(), workspace.length());
                scanRaw(narrow, narrow.length);
            }
        } catch (RuntimeException | StackOverflowError e) {
            allowance.fault(e);
        }
    }

    private void scanRaw(byte[] bytes, int length) {
        TextBuffer text = workspace.clearDecoded();
        TextDecoding.decode(bytes, length, "", allowance, text);
        RawLinks.read(text.array(), 0, text.length(), keys, Place.RAW);
    }

    /// Reads more text, as much as the allowance permits.
    private void fillText(InputStream content) throws IOException {
        workspace.readUpTo(content, allowance.textAllowanceBytes(), allowance, Limit.PART_TEXT_BYTES);
        workspace.payForText(allowance);
        allowance.takeText(workspace.length(), content.read() >= 0);
    }
}
