package org.bloomgate.content.image;

/// Recognizes pictures and searches them for codes.
public final class Pictures {
    private Pictures() {}

    /// Whether these are the first bytes of a picture, also of one in a format that is not read.
    public static boolean isPicture(byte[] bytes, int length) {
        return PictureFormat.of(bytes, length).isPresent();
    }

    /// Reads a stored picture.
    public static void read(byte[] bytes, int length, ImageVisitor looking) {
        PictureFormat.of(bytes, length)
                .filter(format -> looking.hasRoom())
                .ifPresent(format -> new PictureFile(format, bytes, length, looking).read());
    }

    /// Searches pixels that [ImageVisitor#take] has permitted.
    ///
    /// @param colours samples of a pixel: 1 for grey, 3 for red, green and blue, 4 for inks
    /// @param samples one byte each, row by row
    public static void read(int width, int height, int colours, byte[] samples, ImageVisitor looking) {
        Codes.read(Shades.of(width, height, colours, samples), looking);
    }

    /// Whether a picture of this size may contain a code.
    public static boolean mayHoldCode(int width, int height) {
        return Math.min(width, height) >= Codes.SMALLEST_SIDE;
    }
}
