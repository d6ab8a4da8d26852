package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bloomgate.content.archive.GzipWalk;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.archive.TarWalk;
import org.bloomgate.content.document.SignedData;
import org.bloomgate.content.document.Tnef;
import org.bloomgate.content.image.Pictures;
import org.bloomgate.core.text.TextForms;

/// How the content of a part is read. What it holds takes precedence over what its name says, and that before
/// what it claims to be.
enum PartKind {
    HTML,
    TEXT,
    /// Lines folded as in iCalendar and vCard (RFC 5545 3.1): a line that begins with a blank continues
    /// the last.
    FOLDED_TEXT,
    /// Anything in XML but HTML: parts of Office documents, feeds, settings.
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
    /// Read for the codes in it.
    PICTURE,
    /// Sound, film, fonts: not read.
    MEDIA,
    /// Packed by a method that is unknown here: the limit `opaque`.
    SEALED,
    /// Encrypted for its reader: the limit `encrypted`.
    ENCRYPTED,
    /// Any other bytes, an old Office document perhaps: scanned raw.
    BINARY;

    /// Bytes that [#sniff] wants to see.
    static final int SNIFFED_BYTES = 1024;

    /// The largest third byte of a zip record: `PK\7\b` ends a member.
    private static final int LAST_ZIP_MARK = 8;

    /// One odd character in this many is a text still.
    private static final int CHARS_TO_AN_ODD_ONE = 64;

    private static final int SHORTEST_TEXT = 4;

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

    /// Images of disks (VHD, DMG) end with a block of this size that begins so.
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

    /// Endings of names of sound, film, fonts and pictures.
    private static final Set<String> MEDIA_NAMES = Set.of(
            "mp3", "mp2", "mpga", "m4a", "m4b", "aac", "amr", "ogg", "oga", "opus", "flac", "wav", "wma", "mid", "midi",
            "aif", "aiff", "caf", "mp4", "m4v", "mov", "qt", "mpg", "mpeg", "avi", "mkv", "webm", "ogv", "wmv", "3gp",
            "3g2", "ttf", "otf", "woff", "woff2", "eot", "png", "apng", "jpg", "jpeg", "jpe", "jfif", "gif", "bmp",
            "dib", "webp", "tif", "tiff", "ico", "cur", "avif", "heic", "heif", "jp2");

    /// Sections and tables of contents of OneNote, whose text is UTF-16. Zeros follow, which look like wide
    /// text.
    private static final String[] NOTEBOOK_MAGIC = {"\u00e4R\\{\u008c\u00d8\u00a7M", "\u00a1/\u00ffC\u00d9\u00efvL"};

    private static final String PDF_HEADER = "%PDF-";

    private static final String[] MARKUP = {
        "<!doctype html", "<html", "<head", "<body", "<script", "<meta", "<svg", "<style", "<table", "<!--"
    };

    static PartKind declared(String mimeType) {
        return switch (mimeType) {
            case "application/xhtml+xml", "image/svg+xml" -> HTML;
            case "text/xml", "application/xml" -> XML;
            case "text/calendar", "text/vcard", "text/x-vcard", "text/directory", "application/ics" -> FOLDED_TEXT;
            case "application/pdf", "application/x-pdf" -> PDF;
            case "message/partial" -> MESSAGE;
            case "application/rtf", "text/rtf", "text/richtext" -> TEXT;
            default -> declaredFamily(mimeType);
        };
    }

    private static PartKind declaredFamily(String mimeType) {
        String family = mimeType.substring(0, Math.max(0, mimeType.indexOf('/')));
        return switch (family) {
            case "text" -> mimeType.contains("html") ? HTML : TEXT;
            case "message" -> TEXT;
            case "image", "audio", "video", "font" -> MEDIA;
            default -> BINARY;
        };
    }

    /// The kind by the extension of the file name, otherwise the declared kind.
    PartKind named(String name) {
        return switch (suffix(name)) {
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

    /// True for a file that is run when it is opened, or may be.
    static boolean isScript(String name) {
        return switch (suffix(name)) {
            case "js", "jse", "mjs", "vbs", "vbe", "wsf", "ps1", "psm1", "bat", "cmd", "sct", "wsc" -> true;
            default -> false;
        };
    }

    /// True for what is played or shown as sound, film, a font or a picture: by the end of its name or, without
    /// one, by its type.
    static boolean isMedia(PartKind declared, String name) {
        String suffix = suffix(name);
        return suffix.isEmpty() ? declared == MEDIA : MEDIA_NAMES.contains(suffix);
    }

    /// The letters behind the last dot, in lower case; blanks and dots at the end do not count, as on
    /// Windows.
    private static String suffix(String name) {
        int end = name.length();
        while (end > 0 && (name.charAt(end - 1) <= ' ' || name.charAt(end - 1) == '.')) {
            end--;
        }
        int dot = name.lastIndexOf('.', end - 1);
        return dot < 0 ? "" : TextForms.lowerCase(name.substring(dot + 1, end));
    }

    /// The kind by the first bytes, otherwise the declared kind. UTF-16 is recognised by leaving out zeros.
    ///
    /// @param file true for what is saved rather than shown
    PartKind sniff(byte[] bytes, int length, boolean file) {
        if (length == 0) {
            return this;
        }
        if (begins(bytes, length, NOTEBOOK_MAGIC)) {
            return BINARY;
        }
        PartKind magic = magic(bytes, length);
        boolean word = magic.isMediaOrPicture() && isPlainText(bytes, Math.min(length, SNIFFED_BYTES));
        if (magic != BINARY && !word) {
            return magic;
        }
        String start = new String(bytes, 0, Math.min(length, SNIFFED_BYTES), StandardCharsets.ISO_8859_1);
        return sniffText(start.indexOf('\0') < 0 ? start : start.replace("\0", ""), file);
    }

    /// The kind by the signature of a format; [#BINARY] for none.
    private static PartKind magic(byte[] bytes, int length) {
        int first = bytes[0] & 0xff;
        if (first == 'P'
                && LittleEndian.standsAt(bytes, length, 0, "PK")
                && LittleEndian.at(bytes, length, 2) <= LAST_ZIP_MARK) {
            return ZIP;
        }
        if (LittleEndian.standsAt(bytes, length, 0, GzipWalk.MAGIC)) {
            return GZIP;
        }
        if (LittleEndian.standsAt(bytes, length, TarWalk.MAGIC_AT, TarWalk.MAGIC)) {
            return TAR;
        }
        if (LittleEndian.standsAt(bytes, length, 0, Tnef.MAGIC)) {
            return TNEF;
        }
        if (first == 0x30 && SignedData.looksLike(bytes, length)) {
            return CMS;
        }
        if (LittleEndian.standsAt(bytes, length, 7, "**ACE**") || LittleEndian.standsAt(bytes, length, 2, "-lh")) {
            return SEALED;
        }
        if (LittleEndian.standsAt(bytes, length, 0, RIGHTS_MANAGED)) {
            return ENCRYPTED;
        }
        if (Pictures.isPicture(bytes, length)) {
            return PICTURE;
        }
        boolean film = LittleEndian.standsAt(bytes, length, 4, "ftyp");
        return begins(bytes, length, SEALED_MAGIC)
                ? SEALED
                : film || begins(bytes, length, MEDIA_MAGIC) ? MEDIA : BINARY;
    }

    /// Whether it is the image of a disk by its end.
    static boolean isDisk(byte[] bytes, int length) {
        for (String trailer : DISK_TRAILERS) {
            if (LittleEndian.standsAt(bytes, length, length - DISK_TRAILER_BYTES, trailer)) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(byte[] bytes, int length, String[] magics) {
        for (String magic : magics) {
            if (LittleEndian.standsAt(bytes, length, 0, magic)) {
                return true;
            }
        }
        return false;
    }

    private PartKind sniffText(String start, boolean file) {
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
        if (file && !isText() && MessageHead.looksLike(start)) {
            return MESSAGE;
        }
        boolean readable = this == BINARY || this == SEALED || this == MEDIA || this == ENCRYPTED;
        return readable && looksLikeText(start) ? TEXT : this;
    }

    /// True for types whose content is shown as it is.
    boolean isText() {
        return this == TEXT || this == FOLDED_TEXT;
    }

    /// True for what a program shows as markup or text because of its name or type, whatever numbers it
    /// begins with.
    boolean isMarkupOrText() {
        return isText() || this == HTML || this == XML || this == RTF;
    }

    /// True for a claim of a name or type whose programs show what those for `kind` do not.
    boolean differsFrom(PartKind kind) {
        return (this == MESSAGE || this == PDF) ? kind != this : isMarkupOrText() && !kind.isMarkupOrText();
    }

    /// True for what begins as something that is not read, or for its pixels only, and is a PDF to programs
    /// that look for its header within the first 1,024 bytes (PDF Reference 1.7, appendix H, note 13).
    boolean isPdfToo(byte[] bytes, int length) {
        return (isMediaOrPicture() || this == SEALED || this == GZIP)
                && LittleEndian.indexOf(bytes, Math.min(length, SNIFFED_BYTES), PDF_HEADER, 0) >= 0;
    }

    boolean isMediaOrPicture() {
        return this == MEDIA || this == PICTURE;
    }

    /// Some numbers of media are words (`RIFF`, `ID3`): no character follows that no text has.
    private static boolean isPlainText(byte[] bytes, int length) {
        int at = 0;
        while (at < length && isOfText((char) (bytes[at] & 0xff))) {
            at++;
        }
        return at == length;
    }

    private static boolean isOfText(char c) {
        return (c >= ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f') && c != 0x7f;
    }

    /// Hardly any character that no text has.
    private static boolean looksLikeText(String start) {
        int odd = 0;
        for (int i = 0; i < start.length(); i++) {
            odd += isOfText(start.charAt(i)) ? 0 : 1;
        }
        return odd * CHARS_TO_AN_ODD_ONE < start.length() && start.length() >= SHORTEST_TEXT;
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
