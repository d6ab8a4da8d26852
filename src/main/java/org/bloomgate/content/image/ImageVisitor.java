package org.bloomgate.content.image;

import java.util.Optional;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Receives the codes in the pictures of one message, and spends the cost of each picture before it is decoded.
public abstract class ImageVisitor {
    /// The pixels that are reserved for pictures of up to [#SMALL_PIXELS]: lures are small, and photos before a
    /// lure must not use up the limit.
    static final long KEPT_FOR_SMALL = 6_000_000;

    static final long SMALL_PIXELS = 1_500_000;

    private final Allowance allowance;

    /// The last picture that may be half of a code.
    Optional<Shades> half = Optional.empty();

    protected ImageVisitor(Allowance allowance) {
        this.allowance = allowance;
    }

    /// Receives the text of a code.
    public abstract void code(String text);

    /// The remaining allowance of the message.
    public final Allowance allowance() {
        return allowance;
    }

    /// Records that something is not read because of a limit.
    public final void reached(Limit limit) {
        allowance.reached(limit);
    }

    /// Spends work for finder patterns; false, with the limit recorded, if no more may be done.
    public final boolean search(long units) {
        return allowance.draw(Limit.QR_MARKS, units);
    }

    /// Whether another picture may be decoded; if not, the limit is recorded.
    public final boolean hasRoom() {
        return allowance.has(Limit.PICTURES)
                && allowance.has(Limit.PICTURE_BYTES)
                && allowance.has(Limit.PICTURE_PIXELS);
    }

    /// Spends the cost of a picture that is about to be decoded; false, with the limit recorded, if it may not
    /// be.
    ///
    /// @param stored number of its bytes
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
