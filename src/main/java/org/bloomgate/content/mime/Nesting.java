package org.bloomgate.content.mime;

import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// How deep a part is nested in other files.
///
/// @param level number of files around the part, including attached messages
/// @param archives number of these files that are zip, gzip or tar
record Nesting(int level, int archives) {
    /// The depth to which archives in archives are opened: the limit `archiveDepth`.
    static final int MAX_ARCHIVES = 3;

    /// The depth to which files of any kind are opened: the limit `depth`.
    static final int MAX_LEVEL = 8;

    static final Nesting NONE = new Nesting(0, 0);

    /// Whether a file of this kind may be opened here; otherwise the limit is recorded.
    boolean mayOpen(PartKind kind, Allowance allowance) {
        boolean isArchive = kind == PartKind.ZIP || kind == PartKind.GZIP || kind == PartKind.TAR;
        if (isArchive ? archives == MAX_ARCHIVES : level == MAX_LEVEL) {
            allowance.reached(isArchive ? Limit.ARCHIVE_DEPTH : Limit.DEPTH);
            return false;
        }
        return true;
    }

    /// The nesting of the files in a file of this kind.
    Nesting deepen(PartKind kind) {
        boolean isArchive = kind == PartKind.ZIP || kind == PartKind.GZIP || kind == PartKind.TAR;
        return new Nesting(level + 1, isArchive ? archives + 1 : archives);
    }
}
