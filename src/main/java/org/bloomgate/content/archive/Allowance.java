package org.bloomgate.content.archive;

import org.bloomgate.core.limit.Limit;

/// The limits of all archives of one message together. Not thread-safe.
public final class Allowance {
    /// Members of all archives: the limit `archiveEntries`.
    public static final int MAX_ENTRIES = 200;

    /// Bytes of all members, unpacked: the limit `archiveBytes`.
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    /// Bytes unpacked for one byte packed: the limit `archiveRatio`. Deflate makes at most 1,032;
    /// text seldom more than 20.
    public static final int MAX_RATIO = 200;

    /// Below this size the ratio is not checked: a small file of blanks is not a bomb.
    static final int FREE_BYTES = 64 * 1024;

    private int entries;
    private int bytes;

    /// True while another member may be read.
    boolean takeEntry(ArchiveVisitor opening) {
        if (entries == MAX_ENTRIES) {
            opening.reached(Limit.ARCHIVE_ENTRIES);
            return false;
        }
        entries++;
        return true;
    }

    /// Bytes that a member of this many packed ones may have.
    int bytesFor(long packed) {
        return (int) Math.min(Math.max(0, MAX_BYTES - bytes), Math.max(FREE_BYTES, packed * MAX_RATIO));
    }

    /// Names the bound that cut a member at `bytesFor(..)`.
    void cut(ArchiveVisitor opening) {
        opening.reached(bytes >= MAX_BYTES ? Limit.ARCHIVE_BYTES : Limit.ARCHIVE_RATIO);
    }

    void take(int unpacked) {
        bytes += unpacked;
    }

    /// Returns the bytes of a member that are counted elsewhere.
    public void giveBack(int unpacked) {
        bytes -= unpacked;
    }
}
