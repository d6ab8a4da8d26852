package org.bloomgate.core.limit;

import java.util.Collection;
import java.util.List;
import org.bloomgate.base.config.Labelled;

/// The limits that may keep a message from being fully inspected. `policy.onPartial` has an action for each.
public enum Limit implements Labelled {
    /// Never reached: in `policy.onPartial`, the key for every limit that has no key of its own there.
    DEFAULT("default"),
    HEADER_BYTES("headerBytes"),
    HEADER_FIELDS("headerFields"),
    PARTS("parts"),
    DEPTH("depth"),
    PART_TEXT_BYTES("partTextBytes"),
    MESSAGE_TEXT_BYTES("messageTextBytes"),
    ENCODED_WORDS("encodedWordsPerField"),
    IDENTIFIERS("identifiers"),
    KEYS("keys"),
    WORDS("words"),
    WORK("work"),
    UNWRAPPED("unwrapped"),
    URL_BYTES("urlBytes"),
    BASES("bases"),
    NESTING("nesting"),
    MAILBOXES("mailboxes"),
    DKIM_TAGS("dkimTags"),
    ADDRESS_CHARS("addressChars"),
    REWRITES("rewrites"),
    /// Entities that a document declares.
    ENTITIES("entities"),
    MALFORMED("malformed"),
    MIME("mime"),
    UTF7("utf7"),
    PDF_BYTES("pdfBytes"),
    PDF_INFLATED("pdfInflated"),
    PDF_DAMAGED("pdfDamaged"),
    PDF_OBJECTS("pdfObjects"),
    /// Text in a font without a character map.
    PDF_FONTS("pdfFonts"),
    ARCHIVE_BYTES("archiveBytes"),
    ARCHIVE_DEPTH("archiveDepth"),
    ARCHIVE_ENTRIES("archiveEntries"),
    ARCHIVE_RATIO("archiveRatio"),
    /// A zip file whose directory and members differ.
    ARCHIVE_MISMATCH("archiveMismatch"),
    SCRIPTS("scripts"),
    /// A script of an HTML or SVG file that writes or navigates, and in which no URL was found; any script that
    /// is encoded or consists of symbols.
    SCRIPT_OPAQUE("scriptOpaque"),
    PHONES("phones"),
    /// The pictures of a message: their number, their bytes, their pixels.
    PICTURES("pictures"),
    PICTURE_BYTES("pictureBytes"),
    PICTURE_PIXELS("picturePixels"),
    /// A picture that is damaged or of a format that is not read, and further pictures of an animated PNG.
    PICTURE_FORMAT("pictureFormat"),
    /// More finder patterns in a picture than are tried.
    QR_MARKS("qrMarks"),
    /// Content that only its recipient can decrypt.
    ENCRYPTED("encrypted"),
    OPAQUE("opaque"),
    /// Keys that lists which exist only in DNS were not queried for.
    ZONE_KEYS("zoneKeys"),
    /// The reading took too long and was stopped, as a last resort beside all other limits.
    TIME("time"),
    FAULT("fault");

    private final String label;

    Limit(String label) {
        this.label = label;
    }

    /// The name in configuration, JSON and the journal.
    @Override
    public String label() {
        return label;
    }

    /// The labels of several limits in alphabetical order.
    public static List<String> labels(Collection<Limit> limits) {
        return limits.stream().map(Limit::label).sorted().toList();
    }
}
