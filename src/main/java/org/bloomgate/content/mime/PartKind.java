package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.archive.CompoundFile;
import org.bloomgate.content.archive.GzipWalk;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.archive.TarWalk;
import org.bloomgate.content.document.SignedData;
import org.bloomgate.content.document.Tnef;
import org.bloomgate.content.image.Pictures;
import org.bloomgate.content.links.CommandLinks;
import org.bloomgate.core.text.TextForms;

/// How the content of a part is read. The content itself takes precedence over the file name, and the file name
/// over the declared type.
enum PartKind {
    HTML,
    TEXT,
    /// Lines folded as in iCalendar and vCard (RFC 5545 3.1): a line that begins with a blank continues the
    /// line before.
    FOLDED_TEXT,
    /// XML that is not HTML: parts of Office documents, feeds, settings.
    XML,
    RTF,
    PDF,
    /// A message, or a page saved with its pictures.
    MESSAGE,
    ZIP,
    GZIP,
    TAR,
    CMS,
    TNEF,
    /// A document of old Office programs, a message of Outlook, an installer.
    COMPOUND,
    /// An image, which is searched for codes.
    PICTURE,
    /// Audio, video, fonts: not read.
    MEDIA,
    /// Packed by a method that Bloomgate does not support: the limit `opaque`.
    SEALED,
    /// Encrypted for its reader: the limit `encrypted`.
    ENCRYPTED,
    /// Any other bytes, for example a shortcut: scanned raw.
    BINARY;

    /// The number of bytes that [#sniff] needs.
    static final int SNIFFED_BYTES = 1024;

    /// The largest third byte of a zip record: the record `PK\7\b` ends a member.
    private static final int MAX_ZIP_RECORD_BYTE = 8;

    /// Text has less than one odd character in 64.
    private static final int CHARS_PER_ODD_CHAR = 64;

    private static final int MIN_TEXT_CHARS = 4;

    private static final String[] SEALED_MAGIC = {
        "7z\u00bc\u00af'\u001c",
        "Rar!\u001a\u0007",
        "\u00fd7zXZ\0",
        "MSCF\0\0\0\0",
        "(\u00b5/\u00fd",
        "LZIP",
        "\u001f\u009d",
        "`\u00ea",
        "BZh",
        "KDMV",
        "vhdxfile",
        "xar!",
        "conectix",
        "MSWIM\0\0\0",
        "ITSF\u0003\0\0\0",
        "\u0004\"M\u0018"
    };

    /// A message under rights management.
    private static final String RIGHTS_MANAGED = "v\u00e8\u0004`\u00c4\u0011\u00e3\u0086";

    /// Disk images (VHD, DMG) end with a block of [#DISK_TRAILER_BYTES] that begins with one of these.
    private static final String[] DISK_TRAILERS = {"conectix", "koly"};

    private static final int DISK_TRAILER_BYTES = 512;

    private static final String[] MEDIA_MAGIC = {
        "RIFF",
        "OggS",
        "ID3",
        "wOFF",
        "wOF2",
        "OTTO",
        "fLaC",
        "\u001aE\u00df\u00a3",
        "\0\0\u0001\0",
        "\u00ff\u00fb",
        "\u0000\u0001\0\0"
    };

    /// Extensions of audio, video, font and image files.
    private static final Set<String> MEDIA_EXTENSIONS = Set.of(
            "mp3", "mp2", "mpga", "m4a", "m4b", "aac", "amr", "ogg", "oga", "opus", "flac", "wav", "wma", "mid", "midi",
            "aif", "aiff", "caf", "mp4", "m4v", "mov", "qt", "mpg", "mpeg", "avi", "mkv", "webm", "ogv", "wmv", "3gp",
            "3g2", "ttf", "otf", "woff", "woff2", "eot", "png", "apng", "jpg", "jpeg", "jpe", "jfif", "gif", "bmp",
            "dib", "webp", "tif", "tiff", "ico", "cur", "avif", "heic", "heif", "jp2");

    /// Sections and tables of contents of OneNote, whose text is UTF-16. Zeros follow them, which look like
    /// UTF-16 text.
    private static final String[] NOTEBOOK_MAGIC = {"\u00e4R\\{\u008c\u00d8\u00a7M", "\u00a1/\u00ffC\u00d9\u00efvL"};

    private static final String PDF_HEADER = "%PDF-";

    private static final String[] MARKUP = {
        "<!doctype html", "<html", "<head", "<body", "<script", "<meta", "<svg", "<style", "<table", "<!--"
    };

    static PartKind ofType(String mimeType) {
        return switch (mimeType) {
            case "application/xhtml+xml", "image/svg+xml" -> HTML;
            case "text/xml", "application/xml" -> XML;
            case "text/calendar", "text/vcard", "text/x-vcard", "text/directory", "application/ics" -> FOLDED_TEXT;
            case "application/pdf", "application/x-pdf" -> PDF;
            case "message/partial" -> MESSAGE;
            case "application/rtf", "text/rtf", "text/richtext" -> TEXT;
            default -> ofFamily(mimeType);
        };
    }

    private static PartKind ofFamily(String mimeType) {
        String family = mimeType.substring(0, Math.max(0, mimeType.indexOf('/')));
        return switch (family) {
            case "text" -> mimeType.contains("html") ? HTML : TEXT;
            case "message" -> TEXT;
            case "image", "audio", "video", "font" -> MEDIA;
            default -> BINARY;
        };
    }

    /// Returns the kind by the extension of the file name; this kind if the extension says nothing.
    PartKind refineByName(String name) {
        return switch (findExtension(name)) {
            case "html", "htm", "xhtml", "xht", "shtml", "shtm", "svg", "hta" -> HTML;
            case "xml", "rels", "vml", "rdf" -> XML;
            case "eml", "mht", "mhtml" -> MESSAGE;
            case "ics", "vcs", "vcf", "ifb" -> FOLDED_TEXT;
            case "pdf", "fdf" -> PDF;
            case "pgp", "gpg", "rpmsg" -> this == BINARY ? ENCRYPTED : this;
            case "zip",
                    "gz",
                    "tgz",
                    "tar",
                    "7z",
                    "rar",
                    "xz",
                    "bz2",
                    "iso",
                    "img",
                    "cab",
                    "ace",
                    "arj",
                    "lzh",
                    "zst",
                    "vhd",
                    "vhdx",
                    "vmdk",
                    "dmg",
                    "wim",
                    "chm",
                    "lz4" -> this == BINARY ? SEALED : this;
            default -> this;
        };
    }

    /// Whether opening the file may run it.
    static boolean isScript(String name) {
        return switch (findExtension(name)) {
            case "js", "jse", "mjs", "vbs", "vbe", "wsf", "ps1", "psm1", "bat", "cmd", "sct", "wsc", "sh", "command" ->
                true;
            default -> false;
        };
    }

    /// The language of a script for a shell.
    static Optional<CommandLinks.Shell> shellOf(String name) {
        return switch (findExtension(name)) {
            case "ps1", "psm1" -> Optional.of(CommandLinks.Shell.POWERSHELL);
            case "bat", "cmd" -> Optional.of(CommandLinks.Shell.BATCH);
            case "sh", "command" -> Optional.of(CommandLinks.Shell.SH);
            default -> Optional.empty();
        };
    }

    /// Whether a file is audio, video, a font or an image: by its extension or, if it has none, by its declared
    /// type.
    static boolean isMedia(PartKind declaredKind, String name) {
        String extension = findExtension(name);
        return extension.isEmpty() ? declaredKind == MEDIA : MEDIA_EXTENSIONS.contains(extension);
    }

    /// The extension in lower case. Blanks and dots at the end of the name are ignored, as on Windows.
    private static String findExtension(String name) {
        int end = name.length();
        while (end > 0 && (name.charAt(end - 1) <= ' ' || name.charAt(end - 1) == '.')) {
            end--;
        }
        int dot = name.lastIndexOf('.', end - 1);
        return dot < 0 ? "" : TextForms.lowerCase(name.substring(dot + 1, end));
    }

    /// Returns the kind by the first bytes; this kind if they say nothing. Zeros are ignored, so that UTF-16 is
    /// recognized.
    ///
    /// @param isFile whether the content is saved rather than shown
    PartKind sniff(byte[] bytes, int length, boolean isFile) {
        if (length == 0) {
            return this;
        }
        if (startsWithAny(bytes, length, NOTEBOOK_MAGIC)) {
            return BINARY;
        }
        PartKind signatureKind = findBySignature(bytes, length);
        boolean isWord = signatureKind.isMediaOrPicture() && isPlainText(bytes, Math.min(length, SNIFFED_BYTES));
        if (signatureKind != BINARY && !isWord) {
            return signatureKind;
        }
        String start = new String(bytes, 0, Math.min(length, SNIFFED_BYTES), StandardCharsets.ISO_8859_1);
        return sniffText(start.indexOf('\0') < 0 ? start : start.replace("\0", ""), isFile);
    }

    /// The kind by the signature of a format; [#BINARY] for none.
    private static PartKind findBySignature(byte[] bytes, int length) {
        int first = bytes[0] & 0xff;
        if (first == 'P'
                && LittleEndian.isAt(bytes, length, 0, "PK")
                && LittleEndian.at(bytes, length, 2) <= MAX_ZIP_RECORD_BYTE) {
            return ZIP;
        }
        if (LittleEndian.isAt(bytes, length, 0, GzipWalk.MAGIC)) {
            return GZIP;
        }
        if (LittleEndian.isAt(bytes, length, TarWalk.MAGIC_AT, TarWalk.MAGIC)) {
            return TAR;
        }
        if (LittleEndian.isAt(bytes, length, 0, Tnef.MAGIC)) {
            return TNEF;
        }
        if (LittleEndian.isAt(bytes, length, 0, CompoundFile.MAGIC)) {
            return COMPOUND;
        }
        if (first == 0x30 && SignedData.looksLike(bytes, length)) {
            return CMS;
        }
        if (LittleEndian.isAt(bytes, length, 7, "**ACE**") || LittleEndian.isAt(bytes, length, 2, "-lh")) {
            return SEALED;
        }
        if (LittleEndian.isAt(bytes, length, 0, RIGHTS_MANAGED)) {
            return ENCRYPTED;
        }
        if (Pictures.isPicture(bytes, length)) {
            return PICTURE;
        }
        boolean isVideo = LittleEndian.isAt(bytes, length, 4, "ftyp");
        return startsWithAny(bytes, length, SEALED_MAGIC)
                ? SEALED
                : isVideo || startsWithAny(bytes, length, MEDIA_MAGIC) ? MEDIA : BINARY;
    }

    /// Whether the bytes end like a disk image.
    static boolean isDiskImage(byte[] bytes, int length) {
        for (String trailer : DISK_TRAILERS) {
            if (LittleEndian.isAt(bytes, length, length - DISK_TRAILER_BYTES, trailer)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWithAny(byte[] bytes, int length, String[] magics) {
        for (String magic : magics) {
            if (LittleEndian.isAt(bytes, length, 0, magic)) {
                return true;
            }
        }
        return false;
    }

    private PartKind sniffText(String start, boolean isFile) {
        if (this == PDF || start.contains(PDF_HEADER) || start.startsWith("%FDF-")) {
            return PDF;
        }
        String text = start.stripLeading();
        if (text.startsWith("{\\rt")) {
            return RTF;
        }
        if (this == HTML) {
            return HTML;
        }
        if (text.startsWith("BEGIN:VC")) {
            return FOLDED_TEXT;
        }
        if (looksLikeHtml(start)) {
            return HTML;
        }
        if (text.startsWith("<?xml") || text.startsWith("\u00ef\u00bb\u00bf<?xml")) {
            String lower = TextForms.lowerCase(start);
            return lower.contains("<html") || lower.contains("<svg") ? HTML : XML;
        }
        if (isFile && !isText() && MessageHead.looksLike(start)) {
            return MESSAGE;
        }
        boolean mayBeText = this == BINARY || this == SEALED || this == MEDIA || this == ENCRYPTED;
        return mayBeText && looksLikeText(start) ? TEXT : this;
    }

    /// Whether the content is shown as it is.
    boolean isText() {
        return this == TEXT || this == FOLDED_TEXT;
    }

    /// Whether a program shows the content as markup or text because of its name or type, whatever magic number
    /// it begins with.
    boolean isMarkupOrText() {
        return isText() || this == HTML || this == XML || this == RTF;
    }

    /// Whether the programs for this kind, which a name or type claims, may show content that the programs for
    /// `kind` do not.
    boolean differsFrom(PartKind kind) {
        return (this == MESSAGE || this == PDF) ? kind != this : isMarkupOrText() && !kind.isMarkupOrText();
    }

    /// Whether the bytes begin like content that is not read, or only for its pixels, but are a PDF for
    /// programs that search for its header in the first 1,024 bytes (PDF Reference 1.7, appendix H, note 13).
    boolean isPdfToo(byte[] bytes, int length) {
        return (isMediaOrPicture() || this == SEALED || this == GZIP)
                && LittleEndian.indexOf(bytes, Math.min(length, SNIFFED_BYTES), PDF_HEADER, 0) >= 0;
    }

    boolean isMediaOrPicture() {
        return this == MEDIA || this == PICTURE;
    }

    /// Whether all characters are those of a text: some magic numbers of media are words (`RIFF`, `ID3`).
    private static boolean isPlainText(byte[] bytes, int length) {
        int at = 0;
        while (at < length && isTextCharacter((char) (bytes[at] & 0xff))) {
            at++;
        }
        return at == length;
    }

    private static boolean isTextCharacter(char c) {
        return (c >= ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f') && c != 0x7f;
    }

    /// Whether almost all characters occur in text.
    private static boolean looksLikeText(String start) {
        int odd = 0;
        for (int i = 0; i < start.length(); i++) {
            odd += isTextCharacter(start.charAt(i)) ? 0 : 1;
        }
        return odd * CHARS_PER_ODD_CHAR < start.length() && start.length() >= MIN_TEXT_CHARS;
    }

    private static boolean looksLikeHtml(String start) {
        int tag = 0;
        while (tag < start.length() && (start.charAt(tag) <= ' ' || start.charAt(tag) >= 0x80)) {
            tag++;
        }
        for (String opening : MARKUP) {
            if (start.regionMatches(true, tag, opening, 0, opening.length())) {
                return true;
            }
        }
        return false;
    }
}
