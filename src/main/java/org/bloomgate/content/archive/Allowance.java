package org.bloomgate.content.archive;

/// What all archives of one message may hold together. Not thread-safe.
public final class Allowance {
    /// Members of all archives: the limit `archiveEntries`.
    public static final int MAX_ENTRIES = 200;

    /// Octets of all members, unpacked: the limit `archiveBytes`.
    public static final int MAX_OCTETS = 8 * 1024 * 1024;

    /// Octets unpacked for one octet packed: the limit `archiveRatio`. Deflate makes at most 1,032;
    /// text seldom more than 20.
    public static final int MAX_RATIO = 200;

    /// Unpacked without a look at the ratio: a small file of blanks is no bomb.
    static final int FREE_OCTETS = 64 * 1024;

    private int entries;
    private int octets;

    /// True while another member may be read.
    boolean takeEntry(ArchiveVisitor opening) {
        if (entries == MAX_ENTRIES) {
            opening.reached("archiveEntries");
            return false;
        }
        entries++;
        return true;
    }

    /// Octets that a member of so many packed ones may have.
    int octetsFor(long packed) {
        return (int) Math.min(Math.max(0, MAX_OCTETS - octets), Math.max(FREE_OCTETS, packed * MAX_RATIO));
    }

    /// Names the bound that cut a member at `octetsFor(..)`.
    void cut(ArchiveVisitor opening) {
        opening.reached(octets >= MAX_OCTETS ? "archiveBytes" : "archiveRatio");
    }

    void take(int unpacked) {
        octets += unpacked;
    }

    /// What a member took that is paid for elsewhere.
    public void giveBack(int unpacked) {
        octets -= unpacked;
    }
}
