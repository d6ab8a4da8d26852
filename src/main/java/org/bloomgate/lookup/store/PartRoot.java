package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.bloomgate.base.io.Sha256;

/// Where the root of a part is in its file, and its digest. Whoever trusts these can verify each page of the part.
///
/// @param offset of the root: the pages end here
/// @param length in bytes
/// @param sha256 of the root, 64 lower-case hex digits
public record PartRoot(long offset, int length, String sha256) {
    /// The most bytes of a root: an index of 1 MiB, the longest feed dictionary, and keys.
    public static final int MAX_BYTES = 4 << 20;

    /// Ends the name of the file of a part.
    public static final String FILE_EXTENSION = ".pages";

    static PartRoot of(long offset, byte[] root) {
        return new PartRoot(offset, root.length, Sha256.hex(root));
    }

    /// Reads and verifies the root of a file.
    public static PartRoot read(Path file) throws IOException {
        try (PageFile part = PageFile.open(file)) {
            return part.root();
        }
    }

    /// Whether these bytes are the root.
    boolean isRoot(byte[] bytes) {
        return Sha256.hex(bytes).equals(sha256);
    }

    byte[] digest() {
        return HexFormat.of().parseHex(sha256);
    }
}
