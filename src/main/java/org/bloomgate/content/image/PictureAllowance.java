package org.bloomgate.content.image;

import org.bloomgate.core.limit.Limit;

/// The limits of all pictures of one message together. Not thread-safe.
public final class PictureAllowance {
    /// Pictures, and pictures of a moving one, that are decoded.
    public static final int MAX_PICTURES = 20;

    /// Bytes of all of them as they are stored.
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    /// Pixels of all of them: 30 ms of CPU for a million.
    public static final long MAX_PIXELS = 6_000_000;

    /// Work beyond the pixels, on what looks like marks of codes, in units of some ten nanoseconds: a picture of one
    /// code takes a hundredth of it.
    static final long MAX_SEARCH = 5_000_000;

    private int pictures = MAX_PICTURES;
    private int bytes = MAX_BYTES;
    private long pixels = MAX_PIXELS;
    private long search = MAX_SEARCH;

    /// Bytes that the next picture may have.
    public int bytes() {
        return bytes;
    }

    /// Pays for work on marks; false, and the bound is named, when no more may be done.
    boolean search(long units, ImageVisitor looking) {
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
        if (width * height > pixels) {
            looking.reached(Limit.PICTURE_PIXELS);
            return false;
        }
        pictures--;
        bytes -= stored;
        pixels -= width * height;
        return true;
    }
}
