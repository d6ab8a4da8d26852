package org.bloomgate.decision.evaluation;

import java.util.List;
import org.bloomgate.decision.authentication.AuthenticationOutcome.Covered;
import org.bloomgate.decision.authentication.Coverage;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.SenderNames;

/// For which parts of a message its sender is authenticated.
///
/// @param names addresses that the message names as its sender
/// @param mailFrom for the reverse-path
/// @param from for the address in From
/// @param brand for the brand that From names
record SenderProof(SenderNames names, Coverage mailFrom, Coverage from, Coverage brand) {

    /// A signature vouches for the author in From. It says nothing about another mailbox in the envelope: a replayed
    /// message can have any reverse-path.
    SenderProof {
        mailFrom = mailFrom.everything() || names.mailFrom().equals(names.from()) ? mailFrom : Coverage.NOTHING;
    }

    SenderProof(SenderNames names, Covered covered) {
        this(names, covered.mailFrom(), covered.from(), covered.brand());
    }

    /// Whether the exception of the finding counts.
    boolean counts(Finding finding, ListingException exception) {
        return !exception.needsProof()
                || (mailFrom.covers(finding.identifier()) && exception.scope().includesSender(names.mailFrom()))
                || (from.covers(finding.identifier()) && exception.scope().includesSender(names.from()));
    }

    /// Whether the author is authenticated as the brand that From names.
    boolean isBrandProven() {
        return brand.covers(Resemblance.FROM);
    }

    /// Whether the author is authenticated for the links of the body.
    boolean isAuthorProven() {
        return from.everything() || from.body();
    }

    /// Whether the author is authenticated for every place that resembles a protected name.
    boolean isAuthorProven(List<Resemblance> resemblances) {
        return resemblances.stream().allMatch(resemblance -> from.covers(resemblance.where()));
    }
}
