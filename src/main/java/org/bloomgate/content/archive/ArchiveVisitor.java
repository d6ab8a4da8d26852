package org.bloomgate.content.archive;

import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Who has an archive opened: pays for it, takes its members, and hears which bounds were reached.
public interface ArchiveVisitor {
    /// Bytes of a member that [#wants] is shown.
    int HEAD_BYTES = 1024;

    /// Pays for work about to be done; false when nothing more may be done.
    boolean spend(long units);

    /// Pays for bytes that were unpacked; false when nothing more may be.
    boolean unpacked(long bytes);

    /// Something was left unread, by the name of the bound.
    void reached(Limit limit);

    /// The remaining allowance of the message.
    Allowance allowance();

    /// False when a member that begins like this holds nothing to read, as a picture does: it then costs
    /// nothing.
    boolean wants(String name, byte[] head, int length);

    /// A member as far as it could be read. The bytes belong to the taker.
    void member(String name, byte[] bytes, int length);
}
