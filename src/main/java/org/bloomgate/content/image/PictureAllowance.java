package org.bloomgate.content.image;

import java.util.Optional;
import org.bloomgate.core.limit.Limit;

/// The limits of all pictures of one message together. Not thread-safe.
public final class PictureAllowance {
    /// Pictures, and pictures of a moving one, that are decoded.
    public static final int MAX_PICTURES = 60;

    /// Bytes of all of them as they are stored.
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    /// Pixels of all of them: a photo of a phone and an A4 page at 300 dpi.
    public static final long MAX_PIXELS = 24_000_000;

    /// The part of them that only pictures of up to [#SMALL_PIXELS] may use: lures are small, and photos before
    /// one must not leave it unread.
    static final long KEPT_FOR_SMALL = 6_000_000;

    static final long SMALL_PIXELS = 1_500_000;

    /// Work beyond the pixels, on what looks like marks of codes, in units of some ten nanoseconds: a picture
    /// of one code takes a hundredth of it.
    static final long MAX_SEARCH = 5_000_000;

    private int pictures = MAX_PICTURES;
    private int bytes = MAX_BYTES;
    private long pixels = MAX_PIXELS;
    private long search = MAX_SEARCH;
    private Optional<Shades> half = Optional.empty();

    /// The last picture that may be the half of one code.
    Optional<Shades> half() {
        return half;
    }

    void keepHalf(Shades picture) {
        half = Optional.of(picture);
    }

    /// Bytes that the next picture may have.
    public int bytes() {
        return bytes;
    }

    /// Pays for work on marks; false, and the bound is named, when no more may be done.
    public boolean search(long units, ImageVisitor looking) {
        search = Math.max(-1, search - units);
        if (search < 0) {
            looking.reached(Limit.QR_MARKS);
        }
        return search >= 0;
    }

    /// True while another picture may be decoded; else the bound that is in the way is named.
    public boolean hasRoom(ImageVisitor looking) {
        boolean room = pictures > 0 && bytes > 0 && pixels > 0;
        if (!room) {
            looking.reached(pictures == 0 ? Limit.PICTURES : bytes <= 0 ? Limit.PICTURE_BYTES : Limit.PICTURE_PIXELS);
        }
        return room;
    }

    /// Counts one that could not be decoded, which costs as much as a small one.
    void damaged() {
        pictures = Math.max(0, pictures - 1);
    }

    /// Pays for a picture about to be decoded; false, and the bound is named, when it may not be.
    ///
    /// @param stored its bytes
    public boolean take(int stored, long width, long height, ImageVisitor looking) {
        if (!hasRoom(looking)) {
            return false;
        }
        long kept = width * height > SMALL_PIXELS ? KEPT_FOR_SMALL : 0;
        if (width * height > pixels - kept) {
            looking.reached(Limit.PICTURE_PIXELS);
            return false;
        }
        pictures--;
        bytes -= stored;
        pixels -= width * height;
        return true;
    }
}
