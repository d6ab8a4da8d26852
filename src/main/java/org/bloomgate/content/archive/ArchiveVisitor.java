package org.bloomgate.content.archive;

import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Receives the members of an archive, supplies the allowance, and is notified of the limits that are reached.
public interface ArchiveVisitor {
    /// The number of first bytes of a member that are passed to [#wantsMember].
    int HEAD_BYTES = 1024;

    /// Spends work that is about to be done; false if no more may be done.
    boolean spend(long units);

    /// Spends the work for unpacked bytes; false if no more may be unpacked.
    boolean spendUnpacked(long bytes);

    /// Called when something is not read because of a limit.
    void reached(Limit limit);

    /// The remaining allowance of the message.
    Allowance allowance();

    /// Whether a member that begins like this is to be read. Otherwise, for example if it is a video, it costs
    /// nothing.
    boolean wantsMember(String name, byte[] head, int length);

    /// Receives a member, as far as it could be read. The receiver owns the bytes.
    void visitMember(String name, byte[] bytes, int length);
}
