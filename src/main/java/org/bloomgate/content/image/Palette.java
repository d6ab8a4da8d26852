package org.bloomgate.content.image;

import java.util.Arrays;

/// The colours that the pixels of a picture are places of: how bright each is and how opaque. Places beyond its end are
/// black and opaque.
final class Palette {
    /// Colours, at most.
    static final int PLACES = 256;

    static final byte OPAQUE = (byte) 255;

    private final byte[] shades = new byte[PLACES];
    private final byte[] opacities = new byte[PLACES];
    private boolean transparent;

    Palette() {
        Arrays.fill(opacities, OPAQUE);
    }

    /// Shades of grey, the first black and the last white.
    ///
    /// @param count from 2 to 256
    static Palette greys(int count) {
        Palette greys = new Palette();
        for (int place = 0; place < count; place++) {
            greys.shades[place] = (byte) (255 * place / (count - 1));
        }
        return greys;
    }

    void colour(int place, int red, int green, int blue) {
        shades[place] = (byte) Shades.ofColour(red, green, blue);
    }

    void opacity(int place, int opacity) {
        opacities[place] = (byte) opacity;
        transparent |= opacities[place] != OPAQUE;
    }

    /// The shades of all places on a page of this shade.
    byte[] on(int page) {
        byte[] mixed = new byte[PLACES];
        for (int place = 0; place < PLACES; place++) {
            mixed[place] = (byte) Shades.mixed(shades[place] & 0xff, opacities[place] & 0xff, page);
        }
        return mixed;
    }

    /// The shades of all places as if all were opaque.
    byte[] shades() {
        return shades;
    }

    /// True when a colour lets the page through.
    boolean isTransparent() {
        return transparent;
    }
}
