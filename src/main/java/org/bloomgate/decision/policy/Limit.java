package org.bloomgate.decision.policy;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What may keep a message from being fully inspected, as `policy.onPartial` names it.
public enum Limit {
    /// Any that is not named beside it.
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
    WALL_TIME("wallTime"),
    UNWRAPPED("unwrapped"),
    URL_BYTES("urlBytes"),
    BASES("bases"),
    NESTING("nesting"),
    MAILBOXES("mailboxes"),
    DKIM_TAGS("dkimTags"),
    ADDRESS_CHARS("addressChars"),
    REWRITES("rewrites"),
    /// Names a document declares for texts of its own.
    ENTITIES("entities"),
    MALFORMED("malformed"),
    MIME("mime"),
    UTF7("utf7"),
    PDF_BYTES("pdfBytes"),
    PDF_INFLATED("pdfInflated"),
    PDF_DAMAGED("pdfDamaged"),
    PDF_OBJECTS("pdfObjects"),
    ARCHIVE_BYTES("archiveBytes"),
    ARCHIVE_DEPTH("archiveDepth"),
    ARCHIVE_ENTRIES("archiveEntries"),
    ARCHIVE_RATIO("archiveRatio"),
    /// A zip whose directory and members differ.
    ARCHIVE_MISMATCH("archiveMismatch"),
    SCRIPTS("scripts"),
    PHONES("phones"),
    /// Pictures of a message: how many, their bytes, their pixels.
    PICTURES("pictures"),
    PICTURE_BYTES("pictureBytes"),
    PICTURE_PIXELS("picturePixels"),
    /// A picture that is damaged, or of a format that is not read; further pictures of a PNG that moves.
    PICTURE_FORMAT("pictureFormat"),
    /// More marks of codes in a picture than are tried.
    QR_MARKS("qrMarks"),
    /// What nobody but its reader can open.
    ENCRYPTED("encrypted"),
    OPAQUE("opaque"),
    FAULT("fault");

    private static final Map<String, Limit> BY_LABEL =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Limit::label, Function.identity()));

    private final String label;

    Limit(String label) {
        this.label = label;
    }

    /// The limit of this name, [#DEFAULT] when nobody gave it one.
    static Limit named(String label) {
        return BY_LABEL.getOrDefault(label, DEFAULT);
    }

    /// The word in configuration, JSON and the journal.
    public String label() {
        return label;
    }
}
