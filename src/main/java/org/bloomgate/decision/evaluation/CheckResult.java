package org.bloomgate.decision.evaluation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.List;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.Verdict;

/// The answer about one value; as JSON the object of `check --json` and an element of `/v1/check`'s results.
///
/// @param kind label of the kind
/// @param value as the client sent it; empty, and absent from the JSON, for a password
/// @param listings every listing that applies to the value
/// @param suspect whether a filter is positive for the value
/// @param reason why the verdict is unresolved, otherwise empty and absent from the JSON
@JsonPropertyOrder({"kind", "value", "verdict", "listings", "suspect", "reason"})
public record CheckResult(
        String kind,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String value,
        Verdict.Kind verdict,
        List<Statement> listings,
        boolean suspect,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason) {

    public CheckResult {
        listings = List.copyOf(listings);
    }

    /// The listing of one feed, and the key that it lists.
    ///
    /// @param key canonical text; for a password, the first five digits of its digest
    @JsonPropertyOrder({"feed", "category", "key", "firstSeen", "lastSeen"})
    public record Statement(String feed, String category, String key, Instant firstSeen, Instant lastSeen) {}

    public static CheckResult of(KeyKind kind, String value, Verdict verdict, boolean suspect) {
        String shownValue = kind.rules().isSecret() ? "" : value;
        return switch (verdict) {
            case Verdict.Clean _ -> new CheckResult(kind.label(), shownValue, verdict.kind(), List.of(), suspect, "");
            case Verdict.Listed listed ->
                new CheckResult(kind.label(), shownValue, listed.kind(), toStatements(listed), suspect, "");
            case Verdict.Unresolved unresolved ->
                new CheckResult(kind.label(), shownValue, unresolved.kind(), List.of(), suspect, unresolved.reason());
        };
    }

    /// A value is looked up for several places; a listing that applies to all of them is one statement.
    private static List<Statement> toStatements(Verdict.Listed listed) {
        return listed.listings().stream()
                .distinct()
                .map(listing -> new Statement(
                        listing.feed(), listing.category(), maskKey(listing), listing.firstSeen(), listing.lastSeen()))
                .toList();
    }

    private static String maskKey(Listing listing) {
        return listing.key().kind().rules().mask(listing.key().text());
    }
}
