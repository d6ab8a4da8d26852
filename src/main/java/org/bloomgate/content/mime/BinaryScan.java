package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.links.CommandLinks;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.RawLinks;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;

/// Finds URLs in bytes of an unknown kind, read as Latin-1 and as UTF-16, at [Place#RAW]: in old Office
/// documents, shortcuts and notebooks. It reads content of any length, block by block. An encrypted
/// Office document is the limit `opaque`.
final class BinaryScan {
    private static final int BLOCK_BYTES = 64 * 1024;

    /// The first block is small, because most files of this kind are, and a message may have many.
    private static final int FIRST_BYTES = 4096;

    /// Bytes kept of the previous block, so that a link across the boundary is complete, also in UTF-16. A
    /// longer link has reached the limit `urlBytes` before the boundary.
    private static final int CARRIED_BYTES = 2 * KeyExtractor.MAX_URL_CHARS;

    private static final String COMPOUND_FILE = "\u00d0\u00cf\u0011\u00e0";

    /// The size of the header and the class of a Windows shortcut (MS-SHLLINK 2.1).
    private static final String SHORTCUT = "L\0\0\0\u0001\u0014\u0002\0";

    private static final String ENCRYPTED = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

    /// Signature of the last record of a zip file; a comment of up to 64 KiB may follow the record.
    private static final String ZIP_END = "PK\u0005\u0006";

    private static final int WORK_PER_BYTE = 2;

    private final KeyExtractor keys;
    private byte[] block = new byte[FIRST_BYTES];
    private char[] text = new char[FIRST_BYTES];

    BinaryScan(KeyExtractor keys) {
        this.keys = keys;
    }

    /// @return whether the end of a zip file is in the last block
    boolean read(InputStream bytes) throws IOException {
        int length = bytes.readNBytes(block, 0, FIRST_BYTES);
        if (length == FIRST_BYTES) {
            block = Arrays.copyOf(block, CARRIED_BYTES + BLOCK_BYTES);
            text = new char[block.length];
            length += bytes.readNBytes(block, length, BLOCK_BYTES - length);
        }
        boolean isCompound = LittleEndian.isAt(block, length, 0, COMPOUND_FILE);
        boolean isShortcut = LittleEndian.isAt(block, length, 0, SHORTCUT);
        boolean hasZipEnd = false;
        int newBytes = length;
        while (newBytes > 0 && keys.allowance().spend((long) newBytes * WORK_PER_BYTE)) {
            scan(length, isShortcut);
            if (isCompound && LittleEndian.indexOf(block, length, ENCRYPTED, 0) >= 0) {
                keys.allowance().reached(Limit.OPAQUE);
            }
            hasZipEnd = LittleEndian.indexOf(block, length, ZIP_END, 0) >= 0;
            int carriedBytes = Math.min(CARRIED_BYTES, length);
            System.arraycopy(block, length - carriedBytes, block, 0, carriedBytes);
            newBytes = bytes.readNBytes(block, carriedBytes, Math.min(BLOCK_BYTES, block.length - carriedBytes));
            length = carriedBytes + newBytes;
        }
        return hasZipEnd;
    }

    private void scan(int length, boolean isShortcut) {
        for (int i = 0; i < length; i++) {
            text[i] = (char) (block[i] & 0xff);
        }
        RawLinks.read(text, 0, length, keys, Place.RAW);
        int wideLength = copyWideText(length);
        RawLinks.read(text, 0, wideLength, keys, Place.RAW);
        if (isShortcut) {
            CommandLinks.read(CommandLinks.Shell.BATCH, new String(text, 0, wideLength), keys);
        }
    }

    /// Copies to `text` all ASCII characters that are followed by a zero, at any position, with a line end for
    /// everything between them.
    private int copyWideText(int length) {
        int size = 0;
        int i = 0;
        while (i + 1 < length) {
            boolean isCharacter = block[i] >= ' ' && block[i + 1] == 0;
            if (isCharacter) {
                text[size++] = (char) block[i];
            } else if (size > 0 && text[size - 1] != '\n') {
                text[size++] = '\n';
            }
            i += isCharacter ? 2 : 1;
        }
        return size;
    }
}
