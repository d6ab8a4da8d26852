package org.bloomgate.lookup;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.verdict.Listing;
import org.bloomgate.verdict.Verdict;

/// What a lookup found in one batch of keys.
///
/// @param findings the identifiers that are listed or unresolved, in order of the batch
/// @param keys number of keys probed
/// @param suspects number of keys that a filter could not rule out
/// @param refuted number of suspects that the exact tier proved not listed
public record Judgement(List<Finding> findings, int keys, int suspects, int refuted) {

    /// Nothing probed, nothing found.
    public static final Judgement NOTHING = new Judgement(List.of(), 0, 0, 0);

    public Judgement {
        findings = List.copyOf(findings);
    }

    /// The verdict on the whole: listed before unresolved before clean.
    public Verdict verdict() {
        List<Listing> listings = new ArrayList<>();
        Verdict rest = new Verdict.Clean();
        for (Finding finding : findings) {
            switch (finding.verdict()) {
                case Verdict.Listed listed -> listings.addAll(listed.listings());
                case Verdict.Unresolved unresolved -> rest = unresolved;
                case Verdict.Clean clean -> {}
            }
        }
        return listings.isEmpty() ? rest : new Verdict.Listed(listings);
    }

    /// Both together, for the envelope and the content of one message.
    public Judgement and(Judgement other) {
        List<Finding> both = new ArrayList<>(findings);
        both.addAll(other.findings);
        return new Judgement(both, keys + other.keys, suspects + other.suspects, refuted + other.refuted);
    }
}
