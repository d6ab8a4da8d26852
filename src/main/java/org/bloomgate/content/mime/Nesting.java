package org.bloomgate.content.mime;

import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// How deep within other files a part is.
///
/// @param level files around it, attached messages among them
/// @param archives those of them that are zip, gzip or tar
record Nesting(int level, int archives) {
    /// Archives within archives that are opened: the limit `archiveDepth`.
    static final int MAX_ARCHIVES = 3;

    /// Files of any kind within one another: the limit `depth`.
    static final int MAX_LEVEL = 8;

    static final Nesting NONE = new Nesting(0, 0);

    /// True while a file of this kind may be opened here.
    boolean mayOpen(PartKind kind, Allowance allowance) {
        boolean archive = kind == PartKind.ZIP || kind == PartKind.GZIP || kind == PartKind.TAR;
        if (archive ? archives == MAX_ARCHIVES : level == MAX_LEVEL) {
            allowance.reached(archive ? Limit.ARCHIVE_DEPTH : Limit.DEPTH);
            return false;
        }
        return true;
    }

    /// Where a file within this one is.
    Nesting within(PartKind kind) {
        boolean archive = kind == PartKind.ZIP || kind == PartKind.GZIP || kind == PartKind.TAR;
        return new Nesting(level + 1, archive ? archives + 1 : archives);
    }
}
