package org.bloomgate.decision.evaluation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// The result for one message; as JSON, the object of `scan --json` and `/v1/messages`.
///
/// @param file name of the message, `-` for a stream
/// @param action label of the action by policy
/// @param enforced label of the action that is carried out, which differs in shadow mode
/// @param identifiers all identifiers that could be listed, in order of the message
/// @param limits names of the limits reached, in alphabetical order; empty means fully inspected
/// @param lookAlikes imitations of protected names; absent from the JSON if empty
/// @param history what is new to the memory of the site; absent from the JSON if nothing is
/// @param authentication of the sender; absent from the JSON if it was not needed
/// @param decision that the other components come from; not part of the JSON
/// @param evaluation that made the decision; not part of the JSON
@JsonPropertyOrder({
    "file",
    "verdict",
    "action",
    "enforced",
    "identifiers",
    "limits",
    "lookAlikes",
    "history",
    "authentication"
})
public record ScanResult(
        String file,
        Verdict.Kind verdict,
        Action action,
        Action enforced,
        List<Identified> identifiers,
        List<String> limits,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Resemblance> lookAlikes,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<HistoryFacts> history,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Authentication> authentication,
        @JsonIgnore MessageDecision decision,
        @JsonIgnore MessageEvaluation evaluation) {

    public ScanResult {
        identifiers = List.copyOf(identifiers);
        limits = List.copyOf(limits);
        lookAlikes = List.copyOf(lookAlikes);
    }

    static ScanResult of(
            String file, MessageDecision decision, List<Identified> identifiers, MessageEvaluation evaluation) {
        return new ScanResult(
                file,
                decision.verdict(),
                decision.action(),
                decision.enforced(),
                identifiers,
                Limit.labels(decision.limits()),
                evaluation.resemblances(),
                evaluation.facts().toOptional(),
                evaluation.authentication(),
                decision,
                evaluation);
    }

    /// One identifier of the message.
    ///
    /// @param kind label of its kind
    /// @param value canonical form
    /// @param where the place in the message
    /// @param verdict on this identifier alone
    /// @param listings of all feeds; absent from the JSON if empty
    @JsonPropertyOrder({"kind", "value", "where", "verdict", "listings"})
    public record Identified(
            String kind,
            String value,
            String where,
            Verdict.Kind verdict,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ListedBy> listings) {

        public Identified {
            listings = List.copyOf(listings);
        }

        /// Returns the identifiers with their verdicts, in the same order.
        static List<Identified> listAll(List<Identifier> identifiers, LookupResult lookupResult) {
            List<Identified> identified = new ArrayList<>(identifiers.size());
            for (Identifier identifier : identifiers) {
                identified.add(of(identifier, lookupResult.rest()));
            }
            for (Finding finding : lookupResult.findings()) {
                identified.set(finding.position(), of(finding.identifier(), lookupResult.verdictOn(finding)));
            }
            return identified;
        }

        private static Identified of(Identifier identifier, Verdict verdict) {
            return new Identified(
                    identifier.kind().label(),
                    identifier.value(),
                    identifier.where(),
                    verdict.kind(),
                    switch (verdict) {
                        case Verdict.Listed listed ->
                            listed.listings().stream()
                                    .map(ListedBy::of)
                                    .distinct()
                                    .toList();
                        case Verdict.Clean _, Verdict.Unresolved _ -> List.of();
                    });
        }
    }

    /// The feed that lists an identifier, and the category.
    @JsonPropertyOrder({"feed", "category"})
    public record ListedBy(String feed, String category) {
        private static ListedBy of(Listing listing) {
            return new ListedBy(listing.feed(), listing.category());
        }
    }
}
