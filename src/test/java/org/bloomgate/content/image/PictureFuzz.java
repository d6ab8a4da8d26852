package org.bloomgate.content.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;

/// What holds for any bytes taken as a picture, and for any text taken for a drawing: nothing is thrown, and the
/// same bytes give the same answer.
public final class PictureFuzz {
    private PictureFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        Seen seen = Seen.in(bytes);
        Seen again = Seen.in(bytes);
        assertEquals(seen.codes, again.codes);
        assertEquals(seen.limits(), again.limits());
        char[] text = new String(bytes, StandardCharsets.UTF_8).toCharArray();
        BlockText.read(text, text.length, new Seen());
        int side = (int) Math.sqrt(bytes.length);
        if (Pictures.mayHoldCode(side, side)) {
            Pictures.read(side, side, 1, bytes, new Seen());
        }
    }
}
