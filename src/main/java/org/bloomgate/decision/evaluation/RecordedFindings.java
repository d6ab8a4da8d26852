package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// The findings of a lookup, as decisions record them.
final class RecordedFindings {
    /// Instead of a verdict, if an exception overrides the listing for all recipients.
    private static final String OVERRIDDEN = "overridden";

    private RecordedFindings() {}

    /// Listed and unresolved identifiers, in order of the message.
    static List<RecordedFinding> of(LookupResult lookupResult) {
        return lookupResult.findings().stream()
                .flatMap(RecordedFindings::ofFinding)
                .toList();
    }

    private static Stream<RecordedFinding> ofFinding(Finding finding) {
        return Stream.concat(
                findCounting(finding), finding.overridden().stream().map(overridden -> of(finding, overridden)));
    }

    private static Stream<RecordedFinding> findCounting(Finding finding) {
        return switch (finding.verdict()) {
            case Verdict.Clean _ -> Stream.empty();
            case Verdict.Unresolved unresolved ->
                Stream.of(of(finding, unresolved.kind().label(), Optional.empty(), ""));
            case Verdict.Listed listed ->
                listed.listings().stream()
                        .map(listing -> of(finding, listed.kind().label(), Optional.of(listing), ""));
        };
    }

    private static RecordedFinding of(Finding finding, Finding.Overridden overridden) {
        String verdict = overridden.by().scope().includesAllRecipients()
                ? OVERRIDDEN
                : finding.verdict().kind().label();
        return of(finding, verdict, overridden.listing(), overridden.by().text());
    }

    private static RecordedFinding of(Finding finding, String verdict, Optional<Listing> listing, String exception) {
        KeyKind identifierKind = finding.identifier().kind();
        return new RecordedFinding(
                identifierKind.label(),
                finding.identifier().value(),
                finding.identifier().where(),
                verdict,
                listing.map(found -> found.key().text()).orElse(""),
                listing.map(found -> found.key().kind())
                        .filter(kind -> kind != identifierKind)
                        .map(KeyKind::label)
                        .orElse(""),
                listing.map(Listing::feed).orElse(""),
                listing.map(Listing::category).orElse(""),
                listing.map(Listing::firstSeen),
                exception);
    }
}
