package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.journal.Decision.Found;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// The findings of a lookup, as decisions record them.
final class FoundInMail {
    /// Instead of a verdict, if an exception overrides the listing for all recipients.
    private static final String OVERRIDDEN = "overridden";

    private FoundInMail() {}

    /// Listed and unresolved identifiers, in order of the message.
    static List<Found> in(LookupResult lookupResult) {
        return lookupResult.findings().stream().flatMap(FoundInMail::of).toList();
    }

    private static Stream<Found> of(Finding finding) {
        return Stream.concat(counting(finding), finding.overridden().stream().map(one -> of(finding, one)));
    }

    private static Stream<Found> counting(Finding finding) {
        return switch (finding.verdict()) {
            case Verdict.Clean _ -> Stream.empty();
            case Verdict.Unresolved unresolved ->
                Stream.of(of(finding, unresolved.word().label(), Optional.empty(), ""));
            case Verdict.Listed listed ->
                listed.listings().stream()
                        .map(listing -> of(finding, listed.word().label(), Optional.of(listing), ""));
        };
    }

    private static Found of(Finding finding, Finding.Overridden one) {
        String verdict = one.by().scope().includesAllRecipients()
                ? OVERRIDDEN
                : finding.verdict().word().label();
        return of(finding, verdict, one.listing(), one.by().text());
    }

    private static Found of(Finding finding, String verdict, Optional<Listing> listing, String exception) {
        KeyKind own = finding.identifier().kind();
        return new Found(
                own.label(),
                finding.identifier().value(),
                finding.identifier().where(),
                verdict,
                listing.map(one -> one.key().text()).orElse(""),
                listing.map(one -> one.key().kind())
                        .filter(kind -> kind != own)
                        .map(KeyKind::label)
                        .orElse(""),
                listing.map(Listing::feed).orElse(""),
                listing.map(Listing::category).orElse(""),
                listing.map(Listing::firstSeen),
                exception);
    }
}
