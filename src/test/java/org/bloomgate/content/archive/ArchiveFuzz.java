package org.bloomgate.content.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/// What holds for any octets handed to the walks through archives, magic or not: nothing is thrown, the same octets
/// give the same members, and no more of them than are allowed.
public final class ArchiveFuzz {
    private ArchiveFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        Opened opened = opened(octets);
        Opened again = opened(octets);
        assertEquals(opened.members, again.members);
        assertEquals(opened.limits, again.limits);
        assertTrue(opened.members.size() <= Allowance.MAX_ENTRIES);
    }

    private static Opened opened(byte[] octets) {
        Opened opened = new Opened();
        ZipWalk.read(octets, octets.length, opened);
        GzipWalk.read("x.gz", octets, octets.length, opened);
        TarWalk.read(octets, octets.length, opened);
        return opened;
    }
}
