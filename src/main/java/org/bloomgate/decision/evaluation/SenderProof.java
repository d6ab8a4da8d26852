package org.bloomgate.decision.evaluation;

import org.bloomgate.decision.authentication.Coverage;
import org.bloomgate.lookup.lookup.Finding;
import org.bloomgate.lookup.lookup.ListingException;
import org.bloomgate.lookup.lookup.SenderNames;

/// For which parts of a message its sender is authenticated.
///
/// @param names that the message names
/// @param mailFrom for the reverse-path
/// @param from for the address in From
record SenderProof(SenderNames names, Coverage mailFrom, Coverage from) {

    static SenderProof none(SenderNames names) {
        return new SenderProof(names, Coverage.NOTHING, Coverage.NOTHING);
    }

    static SenderProof full(SenderNames names) {
        return new SenderProof(names, Coverage.EVERYTHING, Coverage.EVERYTHING);
    }

    /// Whether the exception of the finding counts.
    boolean counts(Finding finding, ListingException exception) {
        return !exception.needsProof()
                || (mailFrom.covers(finding.identifier()) && exception.holdsFrom(names.mailFrom()))
                || (from.covers(finding.identifier()) && exception.holdsFrom(names.from()));
    }

    /// Whether the sender whom readers see is the one that is named.
    boolean provesAuthor() {
        return !from.equals(Coverage.NOTHING);
    }
}
