package org.bloomgate.content.image;

import java.util.Arrays;

/// The palette of a picture: the brightness and the opacity of each of its colours, by index. Indexes beyond
/// its end are black and opaque.
final class Palette {
    /// The most colours of a palette.
    static final int PLACES = 256;

    static final byte OPAQUE = (byte) 255;

    private final byte[] shades = new byte[PLACES];
    private final byte[] opacities = new byte[PLACES];
    private boolean transparent;

    Palette() {
        Arrays.fill(opacities, OPAQUE);
    }

    /// A palette of grey shades, from black to white.
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

    /// The shades of all colours on a page of this shade.
    byte[] on(int page) {
        byte[] mixed = new byte[PLACES];
        for (int place = 0; place < PLACES; place++) {
            mixed[place] = (byte) Shades.mixed(shades[place] & 0xff, opacities[place] & 0xff, page);
        }
        return mixed;
    }

    /// The shades of all colours as if all were opaque.
    byte[] shades() {
        return shades;
    }

    /// Whether any colour is not opaque.
    boolean isTransparent() {
        return transparent;
    }
}
