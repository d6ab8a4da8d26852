package org.bloomgate.content.archive;

import java.util.Arrays;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Takes one member out of an archive, within the [Allowance].
final class Members {
    /// Bytes unpacked for one byte packed: the limit `archiveRatio`. Deflate makes at most 1,032;
    /// text seldom more than 20.
    private static final int MAX_RATIO = 200;

    /// Below this size the ratio is not checked: a small file of blanks is not a bomb.
    static final int FREE_BYTES = 64 * 1024;

    private Members() {}

    /// Bytes that a member of this many packed ones may have.
    static int bytesFor(long packed, Allowance allowance) {
        return (int) Math.min(allowance.left(Limit.ARCHIVE_BYTES), Math.max(FREE_BYTES, packed * MAX_RATIO));
    }

    /// Names the bound that cut a member at `bytesFor(..)`.
    static void cut(Allowance allowance) {
        allowance.reached(allowance.left(Limit.ARCHIVE_BYTES) == 0 ? Limit.ARCHIVE_BYTES : Limit.ARCHIVE_RATIO);
    }

    /// A member deflated without a header (RFC 1951).
    ///
    /// @return bytes of the packed content that were used
    static int inflate(String name, byte[] archive, int from, int to, ArchiveVisitor opening) {
        Allowance allowance = opening.allowance();
        long before = allowance.heap();
        try (Inflation inflation =
                new Inflation(archive, from, to, true, opening::unpacked, allowance, Limit.ARCHIVE_BYTES)) {
            inflation.readTo(ArchiveVisitor.HEAD_BYTES);
            if (!opening.wants(name, inflation.bytes(), inflation.length())) {
                return inflation.used();
            }
            int most = bytesFor((long) to - from, allowance);
            inflation.readTo(most);
            allowance.draw(Limit.ARCHIVE_BYTES, inflation.length());
            if (inflation.damaged()) {
                opening.reached(Limit.OPAQUE);
            } else if (!inflation.finished() && !inflation.refused()) {
                cut(allowance);
            }
            opening.member(name, inflation.bytes(), inflation.length());
            return inflation.used();
        } finally {
            allowance.heapBackTo(before);
        }
    }

    /// A member that is stored as it is.
    static void copy(String name, byte[] archive, int from, int to, ArchiveVisitor opening) {
        byte[] head = Arrays.copyOfRange(archive, from, Math.min(to, from + ArchiveVisitor.HEAD_BYTES));
        if (!opening.wants(name, head, head.length)) {
            return;
        }
        Allowance allowance = opening.allowance();
        int length = Math.min(to - from, bytesFor((long) to - from, allowance));
        allowance.draw(Limit.ARCHIVE_BYTES, length);
        if (length < to - from) {
            cut(allowance);
        }
        long before = allowance.heap();
        if (opening.spend(length) && allowance.takeHeap(Limit.ARCHIVE_BYTES, length)) {
            opening.member(name, Arrays.copyOfRange(archive, from, from + length), length);
        }
        allowance.heapBackTo(before);
    }
}
