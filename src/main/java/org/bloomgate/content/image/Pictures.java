package org.bloomgate.content.image;

/// Looks for codes in what may be a picture.
public final class Pictures {
    private Pictures() {}

    /// True for the first bytes of a picture, also of one that is not read.
    public static boolean isPicture(byte[] bytes, int length) {
        return PictureFormat.of(bytes, length).isPresent();
    }

    /// A stored picture.
    public static void read(byte[] bytes, int length, ImageVisitor looking) {
        PictureFormat.of(bytes, length)
                .filter(format -> looking.hasRoom())
                .ifPresent(format -> new PictureFile(format, bytes, length, looking).read());
    }

    /// Decodes pixels that [ImageVisitor#take] has permitted.
    ///
    /// @param colours samples of a pixel: 1 for grey, 3 for red, green and blue, 4 for inks
    /// @param samples a byte each, row after row
    public static void read(int width, int height, int colours, byte[] samples, ImageVisitor looking) {
        Codes.read(Shades.of(width, height, colours, samples), looking);
    }

    /// True when a picture of this size may hold a code.
    public static boolean mayHoldCode(int width, int height) {
        return Math.min(width, height) >= Codes.SMALLEST_SIDE;
    }
}
