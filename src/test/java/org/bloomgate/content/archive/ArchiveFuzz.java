package org.bloomgate.content.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bloomgate.core.limit.Allowance;

/// What holds for any bytes handed to the walks through archives, magic or not: nothing is thrown, the same bytes
/// give the same members, and no more of them than are allowed.
public final class ArchiveFuzz {
    private ArchiveFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        Opened opened = opened(bytes);
        Opened again = opened(bytes);
        assertEquals(opened.members, again.members);
        assertEquals(opened.limits(), again.limits());
        assertTrue(opened.members.size() <= Allowance.MAX_ARCHIVE_ENTRIES);
    }

    private static Opened opened(byte[] bytes) {
        Opened opened = new Opened();
        ZipWalk.read(bytes, bytes.length, opened);
        GzipWalk.read("x.gz", bytes, bytes.length, opened);
        TarWalk.read(bytes, bytes.length, opened);
        return opened;
    }
}
