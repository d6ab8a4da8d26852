package org.bloomgate.http;

import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.journal.Decision.Found;
import org.bloomgate.lookup.Finding;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.verdict.Verdict;

/// The findings of a judgement as the journal keeps them.
final class FoundIn {
    private FoundIn() {}

    static List<Found> judgement(Judgement judgement) {
        return judgement.findings().stream().flatMap(FoundIn::finding).toList();
    }

    private static Stream<Found> finding(Finding finding) {
        return switch (finding.verdict()) {
            case Verdict.Clean clean -> Stream.empty();
            case Verdict.Unresolved unresolved -> Stream.of(found(finding, "", "", ""));
            case Verdict.Listed listed ->
                listed.listings().stream()
                        .map(listing -> found(finding, listing.key().text(), listing.feed(), listing.category()));
        };
    }

    private static Found found(Finding finding, String key, String feed, String category) {
        return new Found(
                finding.identifier().kind().label(),
                finding.identifier().value(),
                finding.identifier().where(),
                finding.verdict().word(),
                key,
                feed,
                category);
    }
}
