package org.bloomgate.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IconFormatTest {
    private static final String LINK = "https://a.example/x";
    private static final DrawnCode CODE = DrawnCode.of(LINK, 3);
    private static final byte[] SMALL = new DrawnCode(DrawnCode.page(16, 16, Color.RED)).as("png");

    /// Of the directory's first entry, where it says where its picture is.
    private static final int PLACE = 18;

    private static void isRead(byte[] file) {
        assertSeen(Set.of(LINK), Set.of(), file);
    }

    private static void assertSeen(Set<String> codes, Set<String> limits, byte[] file) {
        Seen seen = Seen.in(file);
        assertEquals(codes, seen.codes);
        assertEquals(limits, seen.limits);
    }

    @ParameterizedTest
    @ValueSource(ints = {StoredIcon.ICON, StoredIcon.CURSOR})
    void aPngIsReadWhicheverPictureItIs(int kind) {
        isRead(new StoredIcon().with(CODE.as("png")).as(kind));
        isRead(new StoredIcon().with(SMALL).with(CODE.as("png")).as(kind));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8, 24, 32})
    void aBitmapIsRead(int bits) {
        isRead(icon(StoredIcon.bitmap(CODE.image(), bits)));
    }

    @Test
    void aBitmapIsSeenThroughItsMaskOrItsOpacities() {
        isRead(icon(StoredIcon.masked(CODE.image())));
        isRead(icon(StoredIcon.transparent(CODE.image())));
    }

    private static byte[] icon(byte[] picture) {
        return new StoredIcon().with(picture).as(StoredIcon.ICON);
    }

    @Test
    void whatIsNotThereIsNamed() {
        byte[] whole = icon(StoredIcon.bitmap(CODE.image(), 1));
        assertSeen(Set.of(), Set.of("pictureFormat"), Arrays.copyOf(whole, 300));
        byte[] elsewhere = new StoredIcon().with(SMALL).with(SMALL).as(StoredIcon.ICON);
        elsewhere[PLACE + 3] = 1;
        assertSeen(Set.of(), Set.of("pictureFormat"), elsewhere);
    }

    @Test
    void aBitmapThatIsCompressedIsNamed() {
        byte[] compressed = icon(StoredIcon.bitmap(CODE.image(), 8));
        int compression = 38;
        compressed[compression] = 1;
        assertSeen(Set.of(), Set.of("pictureFormat"), compressed);
    }

    @Test
    void onePictureTooManyIsNamed() {
        BufferedImage page = DrawnCode.page(30, 30, Color.WHITE);
        StoredIcon icon = new StoredIcon();
        for (int i = 0; i < PictureAllowance.MAX_PICTURES; i++) {
            icon.with(StoredIcon.bitmap(page, 1));
        }
        assertSeen(Set.of(), Set.of(), icon.as(StoredIcon.ICON));
        assertSeen(Set.of(), Set.of("pictures"), icon.with(CODE.as("png")).as(StoredIcon.ICON));
    }

    @Test
    void otherOctetsAreNoIcon() {
        assertFalse(Pictures.isPicture(new byte[] {0, 0, 1, 0, 1, 0}, 6));
        byte[] within = icon(SMALL);
        within[PLACE] = 4;
        assertFalse(Pictures.isPicture(within, within.length));
        byte[] targa = new byte[64];
        targa[2] = 2;
        assertFalse(Pictures.isPicture(targa, targa.length));
    }

    @Test
    void damageThrowsNothing() {
        byte[] whole = icon(StoredIcon.bitmap(CODE.image(), 8));
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(4, 62)] = (byte) random.nextInt();
            Seen.in(damaged);
        }
    }
}
