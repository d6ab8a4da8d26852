package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.bloomgate.content.archive.Octets;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.RawLinks;
import org.bloomgate.core.key.Place;

/// Octets of no kind that is known, as Latin-1 and as UTF-16: URLs in them at [Place#RAW], as in old
/// Office documents, shortcuts and notebooks. Block by block, however long. An encrypted Office document
/// is the limit `opaque`.
final class BinaryScan {
    private static final int BLOCK_OCTETS = 64 * 1024;

    /// Most files of this kind are small, and a mail may have many.
    private static final int FIRST_OCTETS = 4096;

    /// Of the block before, so that a link across the border is whole, in UTF-16 too: of a longer one
    /// what stands before the border is the limit `urlBytes` already.
    private static final int CARRIED_OCTETS = 2 * KeyExtractor.MAX_URL_CHARS;

    private static final String COMPOUND_FILE = "\u00d0\u00cf\u0011\u00e0";
    private static final String ENCRYPTED = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";
    private static final int WORK_PER_OCTET = 2;

    private final KeyExtractor keys;
    private byte[] block = new byte[FIRST_OCTETS];
    private char[] text = new char[FIRST_OCTETS];

    BinaryScan(KeyExtractor keys) {
        this.keys = keys;
    }

    void read(InputStream octets) throws IOException {
        int length = octets.readNBytes(block, 0, FIRST_OCTETS);
        if (length == FIRST_OCTETS) {
            block = Arrays.copyOf(block, CARRIED_OCTETS + BLOCK_OCTETS);
            text = new char[block.length];
            length += octets.readNBytes(block, length, BLOCK_OCTETS - length);
        }
        boolean compound = Octets.standsAt(block, length, 0, COMPOUND_FILE);
        int fresh = length;
        while (fresh > 0 && keys.budget().spend((long) fresh * WORK_PER_OCTET)) {
            scan(length);
            if (compound && Octets.indexOf(block, length, ENCRYPTED, 0) >= 0) {
                keys.budget().reached("opaque");
            }
            int carried = Math.min(CARRIED_OCTETS, length);
            System.arraycopy(block, length - carried, block, 0, carried);
            fresh = octets.readNBytes(block, carried, Math.min(BLOCK_OCTETS, block.length - carried));
            length = carried + fresh;
        }
    }

    private void scan(int length) {
        for (int i = 0; i < length; i++) {
            text[i] = (char) (block[i] & 0xff);
        }
        RawLinks.read(text, 0, length, keys, Place.RAW);
        int wide = wide(length);
        RawLinks.read(text, 0, wide, keys, Place.RAW);
    }

    /// Characters of ASCII that a zero follows, wherever they stand; a line end for all between.
    private int wide(int length) {
        int written = 0;
        int i = 0;
        while (i + 1 < length) {
            boolean character = block[i] >= ' ' && block[i + 1] == 0;
            if (character) {
                text[written++] = (char) block[i];
            } else if (written > 0 && text[written - 1] != '\n') {
                text[written++] = '\n';
            }
            i += character ? 2 : 1;
        }
        return written;
    }
}
