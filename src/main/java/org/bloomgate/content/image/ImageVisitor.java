package org.bloomgate.content.image;

import java.util.Optional;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// The pictures of one message: hears of the codes in them, and pays for each before it is decoded.
public abstract class ImageVisitor {
    /// The part of the pixels that only pictures of up to [#SMALL_PIXELS] may use: lures are small, and photos before
    /// one must not leave it unread.
    static final long KEPT_FOR_SMALL = 6_000_000;

    static final long SMALL_PIXELS = 1_500_000;

    private final Allowance allowance;

    /// The last picture that may be the half of one code.
    Optional<Shades> half = Optional.empty();

    protected ImageVisitor(Allowance allowance) {
        this.allowance = allowance;
    }

    /// The text of a code.
    public abstract void code(String text);

    /// The remaining allowance of the message.
    public final Allowance allowance() {
        return allowance;
    }

    /// Something was left unread, by the name of the bound.
    public final void reached(Limit limit) {
        allowance.reached(limit);
    }

    /// Pays for work on marks; false, and the bound is named, when no more may be done.
    public final boolean search(long units) {
        return allowance.draw(Limit.QR_MARKS, units);
    }

    /// True while another picture may be decoded; else the bound that is in the way is named.
    public final boolean hasRoom() {
        return allowance.has(Limit.PICTURES)
                && allowance.has(Limit.PICTURE_BYTES)
                && allowance.has(Limit.PICTURE_PIXELS);
    }

    /// Pays for a picture about to be decoded; false, and the bound is named, when it may not be.
    ///
    /// @param stored its bytes
    public final boolean take(int stored, long width, long height) {
        if (!hasRoom()) {
            return false;
        }
        long kept = width * height > SMALL_PIXELS ? KEPT_FOR_SMALL : 0;
        if (width * height > allowance.left(Limit.PICTURE_PIXELS) - kept) {
            reached(Limit.PICTURE_PIXELS);
            return false;
        }
        return allowance.draw(Limit.PICTURES, 1)
                && allowance.draw(Limit.PICTURE_BYTES, stored)
                && allowance.draw(Limit.PICTURE_PIXELS, width * height);
    }
}
