package org.bloomgate.message;

import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import org.bloomgate.html.TextBuffer;
import org.bloomgate.key.ContentDigest;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Place;

/// The content of one part: its kind, its text, the links in it.
final class PartReader {
    private final KeyExtractor keys;
    private final InspectionBudget budget;
    private final Workspace workspace;
    private final TextLinks textLinks;

    PartReader(KeyExtractor keys, Workspace workspace) {
        this.keys = keys;
        this.budget = keys.budget();
        this.workspace = workspace;
        this.textLinks = new TextLinks(keys);
    }

    /// @param content transfer encoding taken off
    void read(InputStream content, PartHeader header) throws IOException {
        if (keys.wants(KeyKind.HASH) && isFile(header)) {
            digest(content, header);
        } else {
            readLinks(content, header);
        }
    }

    /// Text to be shown is no file, unless its header calls it one.
    private static boolean isFile(PartHeader header) {
        return switch (PartKind.declared(header.mimeType())) {
            case HTML, TEXT -> header.file();
            case FOLDED_TEXT, PDF, OPAQUE -> true;
        };
    }

    /// The same with a digest of every octet on the way; an empty file has none.
    private void digest(InputStream content, PartHeader header) throws IOException {
        MessageDigest sha256 = ContentDigest.begin();
        DigestInputStream file = new DigestInputStream(content, sha256);
        readLinks(file, header);
        boolean empty = workspace.length() == 0;
        budget.spend(workspace.length());
        workspace.skip(file, budget);
        if (!empty && !budget.exhausted()) {
            keys.file(sha256.digest());
        }
    }

    /// Whatever is thrown on the way ends the reading of this part: what was taken of it and what is left of it
    /// are scanned raw.
    private void readLinks(InputStream content, PartHeader header) throws IOException {
        try {
            readAsShown(content, header);
        } catch (RuntimeException | StackOverflowError thrown) {
            budget.fault(thrown);
            scanRaw(content);
        }
    }

    /// A part that claims to be text and looks like something else is read both ways, as is UTF-7, which some clients
    /// decode: a text must not hide its links by beginning with `<!--`.
    private void readAsShown(InputStream content, PartHeader header) throws IOException {
        PartKind declared = PartKind.declared(header.mimeType());
        workspace.read(content, PartKind.SNIFFED_OCTETS);
        PartKind kind = declared.sniff(workspace.octets(), workspace.length());
        if (kind != declared && declared.isText()) {
            readAs(declared, content, header);
        }
        readAs(kind, content, header);
        if (TextDecoding.isUtf7(header.charset())) {
            readAs(kind, content, header.withoutCharset());
        }
    }

    private void readAs(PartKind kind, InputStream content, PartHeader header) throws IOException {
        switch (kind) {
            case HTML -> {
                decode(content, header.charset());
                TextBuffer html = workspace.decoded();
                new HtmlLinks(keys, textLinks, workspace.joined())
                        .relativeTo(header.base())
                        .read(html.array(), 0, html.length());
            }
            case TEXT -> {
                decode(content, header.charset());
                textLinks.read(workspace.decoded(), TextPlaces.SHOWN);
            }
            case FOLDED_TEXT -> {
                decode(content, header.charset());
                unfold(workspace.decoded());
                textLinks.read(workspace.decoded(), TextPlaces.SHOWN);
            }
            case PDF -> {
                workspace.readOn(content, PdfLinks.MAX_OCTETS);
                if (content.read() >= 0) {
                    budget.reached("pdfBytes");
                }
                PdfLinks.read(workspace.octets(), workspace.length(), keys);
            }
            case OPAQUE -> {}
        }
    }

    /// Whatever the octets are: URLs in them at [Place#RAW].
    void readRaw(InputStream octets) throws IOException {
        workspace.read(octets, 0);
        scanRaw(octets);
    }

    /// The octets in the workspace and those to come. Nothing is left to fall back on: what is thrown ends the
    /// scan.
    private void scanRaw(InputStream rest) throws IOException {
        try {
            fill(rest);
            TextBuffer text = workspace.decoded();
            text.clear();
            TextDecoding.decode(workspace.octets(), workspace.length(), "", budget, text);
            RawLinks.read(text.array(), 0, text.length(), keys, Place.RAW);
        } catch (RuntimeException | StackOverflowError thrown) {
            budget.fault(thrown);
        }
    }

    private void decode(InputStream content, String charset) throws IOException {
        fill(content);
        workspace.decoded().clear();
        TextDecoding.decode(workspace.octets(), workspace.length(), charset, budget, workspace.decoded());
        budget.spend(workspace.length());
    }

    /// Reads on up to what the budget allows.
    private void fill(InputStream content) throws IOException {
        workspace.readOn(content, budget.textAllowanceBytes());
        budget.takeText(workspace.length(), content.read() >= 0);
    }

    private static void unfold(TextBuffer text) {
        char[] chars = text.array();
        int kept = 0;
        int i = 0;
        while (i < text.length()) {
            int behind = chars[i] == '\r' && i + 1 < text.length() && chars[i + 1] == '\n' ? i + 2 : i + 1;
            boolean lineEnd = chars[i] == '\n' || behind == i + 2;
            if (lineEnd && behind < text.length() && (chars[behind] == ' ' || chars[behind] == '\t')) {
                i = behind + 1;
            } else {
                chars[kept++] = chars[i++];
            }
        }
        text.truncate(kept);
    }
}
