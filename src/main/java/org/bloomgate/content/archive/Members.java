package org.bloomgate.content.archive;

import java.util.Arrays;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Unpacks one member of an archive, within the [Allowance].
final class Members {
    /// The most unpacked bytes for each packed byte: the limit `archiveRatio`. The ratio of deflate is at most 1,032;
    /// that of text is seldom more than 20.
    private static final int MAX_RATIO = 400;

    /// Below this size the ratio is not checked: a small file of blanks is not a bomb.
    static final int FREE_BYTES = 64 * 1024;

    private Members() {}

    /// The bytes that a member with this many packed bytes may have.
    static int bytesFor(long packed, Allowance allowance) {
        return (int) Math.min(allowance.left(Limit.ARCHIVE_BYTES), Math.max(FREE_BYTES, packed * MAX_RATIO));
    }

    /// Records the limit that cut a member at `bytesFor(..)`.
    static void cut(Allowance allowance) {
        allowance.reached(allowance.left(Limit.ARCHIVE_BYTES) == 0 ? Limit.ARCHIVE_BYTES : Limit.ARCHIVE_RATIO);
    }

    /// Unpacks a member that is deflated without a header (RFC 1951).
    ///
    /// @return the number of packed bytes that were read
    static int inflate(String name, byte[] archive, int from, int to, ArchiveVisitor opening) {
        Allowance allowance = opening.allowance();
        long before = allowance.heap();
        try (Inflation inflation =
                new Inflation(archive, from, to, true, opening::spendUnpacked, allowance, Limit.ARCHIVE_BYTES)) {
            inflation.readTo(ArchiveVisitor.HEAD_BYTES);
            if (!opening.wantsMember(name, inflation.bytes(), inflation.length())) {
                return inflation.used();
            }
            int most = bytesFor((long) to - from, allowance);
            // One byte more tells a member that is too long from one that ends at the bound.
            int length = Math.min(inflation.readTo(most + 1).length(), most);
            allowance.draw(Limit.ARCHIVE_BYTES, length);
            if (inflation.damaged()) {
                opening.reached(Limit.OPAQUE);
            } else if (inflation.length() > most) {
                cut(allowance);
            }
            opening.visitMember(name, inflation.bytes(), length);
            return inflation.used();
        } finally {
            allowance.heapBackTo(before);
        }
    }

    /// Reads a member that is stored without compression.
    static void copy(String name, byte[] archive, int from, int to, ArchiveVisitor opening) {
        byte[] head = Arrays.copyOfRange(archive, from, Math.min(to, from + ArchiveVisitor.HEAD_BYTES));
        if (!opening.wantsMember(name, head, head.length)) {
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
            opening.visitMember(name, Arrays.copyOfRange(archive, from, from + length), length);
        }
        allowance.heapBackTo(before);
    }
}
