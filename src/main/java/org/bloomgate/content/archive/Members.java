package org.bloomgate.content.archive;

import java.util.Arrays;
import org.bloomgate.core.limit.Limit;

/// Takes one member out of an archive, within the [Allowance].
final class Members {
    private Members() {}

    /// A member deflated without a header (RFC 1951).
    ///
    /// @return bytes of the packed content that were used
    static int inflate(String name, byte[] archive, int from, int to, ArchiveVisitor opening) {
        Allowance allowance = opening.allowance();
        try (Inflation inflation = new Inflation(archive, from, to, true, opening::unpacked)) {
            inflation.readTo(ArchiveVisitor.HEAD_BYTES);
            if (!opening.wants(name, inflation.bytes(), inflation.length())) {
                return inflation.used();
            }
            int most = allowance.bytesFor((long) to - from);
            inflation.readTo(most);
            allowance.take(inflation.length());
            if (inflation.damaged()) {
                opening.reached(Limit.OPAQUE);
            } else if (!inflation.finished()) {
                allowance.cut(opening);
            }
            opening.member(name, inflation.bytes(), inflation.length());
            return inflation.used();
        }
    }

    /// A member that is stored as it is.
    static void copy(String name, byte[] archive, int from, int to, ArchiveVisitor opening) {
        byte[] head = Arrays.copyOfRange(archive, from, Math.min(to, from + ArchiveVisitor.HEAD_BYTES));
        if (!opening.wants(name, head, head.length)) {
            return;
        }
        Allowance allowance = opening.allowance();
        int length = Math.min(to - from, allowance.bytesFor((long) to - from));
        allowance.take(length);
        if (length < to - from) {
            allowance.cut(opening);
        }
        if (opening.spend(length)) {
            opening.member(name, Arrays.copyOfRange(archive, from, from + length), length);
        }
    }
}
