package org.bloomgate.content.image;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The format of a picture, by its first bytes.
enum PictureFormat {
    PNG("png"),
    JPEG("jpeg"),
    GIF("gif"),
    BMP("bmp"),
    /// A picture that is not read: WebP, TIFF, AVIF, HEIF, JPEG 2000, ICO, CUR.
    OTHER("");

    private static final int HEAD_BYTES = 18;

    private final String label;

    PictureFormat(String label) {
        this.label = label;
    }

    /// The name of its reader, if the JDK has one.
    String label() {
        return label;
    }

    static Optional<PictureFormat> of(byte[] bytes, int length) {
        String head = new String(bytes, 0, Math.min(length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
        if (head.startsWith("\u0089PNG\r\n\u001a\n")) {
            return Optional.of(PNG);
        }
        if (head.startsWith("\u00ff\u00d8\u00ff")) {
            return Optional.of(JPEG);
        }
        if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) {
            return Optional.of(GIF);
        }
        if (isBitmap(head)) {
            return Optional.of(BMP);
        }
        return isOther(head) ? Optional.of(OTHER) : Optional.empty();
    }

    /// Whether this is a BMP. Readers ignore the reserved bytes; the header after them is shorter than 256
    /// bytes.
    private static boolean isBitmap(String head) {
        return head.startsWith("BM") && (head.startsWith("\0\0\0\0", 6) || head.startsWith("\0\0\0", 15));
    }

    private static boolean isOther(String head) {
        return (head.startsWith("RIFF") && head.startsWith("WEBP", 8))
                || head.startsWith("II*\0")
                || head.startsWith("MM\0*")
                || head.startsWith("jP  \r\n", 4)
                || head.startsWith("ftypavi", 4)
                || head.startsWith("ftyphei", 4)
                || head.startsWith("ftypmif", 4)
                || isIcon(head);
    }

    /// Whether this is an icon or a cursor of 1 to 255 pictures: a reserved zero, the type, their number, and
    /// another reserved zero in the first entry.
    private static boolean isIcon(String head) {
        return (head.startsWith("\0\0\1\0") || head.startsWith("\0\0\2\0"))
                && head.length() == HEAD_BYTES
                && head.charAt(4) != 0
                && head.charAt(5) == 0
                && head.charAt(9) == 0;
    }
}
