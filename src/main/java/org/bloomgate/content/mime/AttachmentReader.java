package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.bloomgate.content.archive.ArchiveVisitor;
import org.bloomgate.content.archive.GzipWalk;
import org.bloomgate.content.archive.TarWalk;
import org.bloomgate.content.archive.ZipWalk;
import org.bloomgate.content.document.CompoundDocument;
import org.bloomgate.content.document.LinkSink;
import org.bloomgate.content.document.SignedData;
import org.bloomgate.content.document.Tnef;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.content.image.Pictures;
import org.bloomgate.content.links.HtmlLinks;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.LenientBase64;
import org.bloomgate.content.links.RawLinks;
import org.bloomgate.content.links.ScriptLinks;
import org.bloomgate.content.links.TextLinks;
import org.bloomgate.content.links.TextPlaces;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Opens archives and envelopes, and receives the content of documents: links, text and HTML are read here, and
/// files in them are passed to a [PartReader] of the next level of nesting.
final class AttachmentReader implements ArchiveVisitor, LinkSink {
    private static final int WORK_PER_UNPACKED_BYTE = 3;

    /// The work for a character of a script: for its text, and for the words that it decodes.
    private static final int WORK_PER_SCRIPT_CHAR = 4;

    private static final int WORK_PER_TEXT = 100;
    private static final int WORK_PER_HTML = 400;

    private final KeyExtractor keys;
    private final Allowance allowance;
    private final TextLinks textLinks;
    private final Nesting nesting;
    private final Map<Nesting, PartReader> readers = new HashMap<>();
    private PartKind openedKind = PartKind.BINARY;
    private final Place place;

    /// @param place the place of the links in the document
    AttachmentReader(KeyExtractor keys, TextLinks textLinks, Nesting nesting, Place place) {
        this.keys = keys;
        this.allowance = keys.allowance();
        this.textLinks = textLinks;
        this.nesting = nesting;
        this.place = place;
    }

    /// Opens an archive or an envelope, unless it is nested too deeply, which is a limit.
    void open(PartKind kind, String name, byte[] bytes, int length) {
        if (!nesting.mayOpen(kind, allowance)) {
            return;
        }
        this.openedKind = kind;
        switch (kind) {
            case ZIP -> ZipWalk.read(bytes, length, this);
            case GZIP -> GzipWalk.read(name, bytes, length, this);
            case TAR -> TarWalk.read(bytes, length, this);
            case CMS -> SignedData.read(bytes, length, this);
            case TNEF -> Tnef.read(bytes, length, this);
            case COMPOUND -> {
                if (!CompoundDocument.read(bytes, length, this)) {
                    readDamaged(bytes, length);
                }
            }
            case HTML, TEXT, FOLDED_TEXT, XML, RTF, PDF, MESSAGE, PICTURE, MEDIA, SEALED, ENCRYPTED, BINARY ->
                throw new IllegalArgumentException(kind.name());
        }
    }

    @Override
    public boolean spend(long units) {
        return allowance.spend(units);
    }

    @Override
    public boolean spendUnpacked(long bytes) {
        allowance.inspects(bytes);
        return allowance.spend(bytes * WORK_PER_UNPACKED_BYTE);
    }

    @Override
    public void reached(Limit limit) {
        allowance.reached(limit);
    }

    @Override
    public Allowance allowance() {
        return allowance;
    }

    @Override
    public boolean wantsMember(String name, byte[] head, int length) {
        PartKind kind = PartKind.BINARY.refineByName(name).sniff(head, length, true);
        return !PartKind.isMedia(PartKind.BINARY, name)
                || kind.isPdfToo(head, length)
                || switch (kind) {
                    case MEDIA -> false;
                    case PICTURE -> keys.pictures().hasRoom();
                    default -> true;
                };
    }

    @Override
    public void visitMember(String name, byte[] bytes, int length) {
        if (Pictures.isPicture(bytes, length)) {
            allowance.giveBackPicture(Limit.ARCHIVE_BYTES, length);
        }
        addFile(name, bytes, length);
    }

    @Override
    public void addFile(String name, byte[] bytes, int length) {
        if (length == 0 || !allowance.draw(Limit.PARTS, 1)) {
            return;
        }
        long heapBefore = allowance.heap();
        Nesting innerNesting = nesting.deepen(openedKind);
        PartReader reader = readers.computeIfAbsent(
                innerNesting, deeper -> new PartReader(keys, new Workspace(new LargeBuffers()), deeper));
        try {
            reader.read(new ByteArrayInputStream(bytes, 0, length), PartHeader.ofFile(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!reader.isWorthKeeping()) {
            readers.remove(innerNesting);
        }
        allowance.heapBackTo(heapBefore);
    }

    @Override
    public void addUnknown(byte[] bytes, int length) {
        switch (PartKind.BINARY.sniff(bytes, length, true)) {
            case BINARY, TEXT, MEDIA -> scanRaw(bytes, length);
            default -> addFile("", bytes, length);
        }
    }

    /// Reads a compound file as programs do that do not know its format.
    private void readDamaged(byte[] bytes, int length) {
        if (ZipWalk.hasEnd(bytes, length)) {
            ZipWalk.read(bytes, length, this);
        }
        scanRaw(bytes, length);
    }

    private void scanRaw(byte[] bytes, int length) {
        try {
            boolean _ = new BinaryScan(keys).read(new ByteArrayInputStream(bytes, 0, length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void addFile(String name, String base64) {
        if (allowance.has(Limit.PARTS) && allowance.spend(base64.length())) {
            byte[] bytes = LenientBase64.decode(base64);
            addFile(name, bytes, bytes.length);
        }
    }

    /// Adds a link, or a share (`\\host\x`, `file://host/x`).
    @Override
    public void addLink(String url) {
        String link = url.strip();
        if (Vocabulary.startsWithIgnoringCase(link, "mailto:")) {
            keys.address(link, place);
        } else {
            keys.url(link, place);
            if (link.indexOf(':', link.indexOf(':') + 1) > 0
                    || Vocabulary.startsWithIgnoringCase(link, "javascript:")) {
                char[] chars = link.toCharArray();
                RawLinks.read(chars, 0, chars.length, keys, place);
            }
        }
    }

    @Override
    public void addText(String text) {
        if (!text.isBlank() && allowance.spend(WORK_PER_TEXT + (long) text.length())) {
            textLinks.read(
                    new TextBuffer(Math.max(16, text.length())).append(text),
                    place == Place.PDF ? TextPlaces.PAGE : TextPlaces.SHOWN);
        }
    }

    @Override
    public void addHtml(String html) {
        if (allowance.spend(WORK_PER_HTML + (long) html.length())) {
            char[] chars = html.toCharArray();
            TextBuffer joined = new TextBuffer(Math.min(1024, 16 + chars.length));
            new HtmlLinks(keys, textLinks, joined, Place.SCRIPT_ATTACHMENT).read(chars, 0, chars.length);
        }
    }

    @Override
    public boolean wantsPicture(int width, int height) {
        return Pictures.mayHoldCode(width, height) && keys.pictures().take(0, width, height);
    }

    @Override
    public void addPicture(int width, int height, int colours, byte[] samples) {
        Pictures.read(width, height, colours, samples, keys.pictures());
    }

    @Override
    public void addDrawing(Drawing drawing) {
        drawing.read(keys.pictures());
    }

    @Override
    public void addScript(String script) {
        if (!allowance.spend((long) script.length() * WORK_PER_SCRIPT_CHAR)) {
            return;
        }
        char[] chars = script.toCharArray();
        RawLinks.read(chars, 0, chars.length, keys, Place.SCRIPT_ATTACHMENT);
        boolean _ = new ScriptLinks(keys, Place.SCRIPT_ATTACHMENT, markup -> addHtml(new String(markup)))
                .read(chars, 0, chars.length);
        readCodedWords(chars);
    }

    /// Reads words that a shell decodes: `powershell -enc ..`.
    private void readCodedWords(char[] script) {
        ScriptLinks links = new ScriptLinks(keys, Place.SCRIPT_ATTACHMENT, markup -> addHtml(new String(markup)));
        int from = 0;
        for (int i = 0; i <= script.length; i++) {
            if (i == script.length || script[i] <= ' ') {
                links.readCoded(script, from, i);
                from = i + 1;
            }
        }
    }
}
