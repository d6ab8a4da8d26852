package org.bloomgate.lookup.tier;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.bloomgate.core.limit.Limit;

/// The findings of a lookup for one batch of keys.
///
/// @param findings the identifiers that are listed or unresolved, in order of the batch
/// @param rest the verdict on all others: clean, or unresolved if there was no layer
/// @param keys number of keys probed
/// @param suspects number of keys that a filter could not rule out
/// @param refuted number of suspects that the exact tier proved not listed
/// @param filters where there were suspects
/// @param limits that kept keys from being looked up
public record LookupResult(
        List<Finding> findings,
        Verdict rest,
        int keys,
        int suspects,
        int refuted,
        List<FilterHits> filters,
        Set<Limit> limits) {

    private static final Verdict CLEAN = new Verdict.Clean();
    private static final Verdict NO_SNAPSHOT = new Verdict.Unresolved("no snapshot", Set.of());

    /// No keys and no findings.
    public static final LookupResult NOTHING = new LookupResult(List.of(), CLEAN, 0, 0, 0);

    /// No lookup: there were no layers.
    public static final LookupResult NO_LAYERS = new LookupResult(List.of(), NO_SNAPSHOT, 0, 0, 0);

    public LookupResult {
        findings = List.copyOf(findings);
        filters = List.copyOf(filters);
        limits = Set.copyOf(limits);
    }

    /// Without the hits of each filter, and without limits.
    public LookupResult(List<Finding> findings, Verdict rest, int keys, int suspects, int refuted) {
        this(findings, rest, keys, suspects, refuted, List.of(), Set.of());
    }

    /// The same with only those exceptions of each finding that count.
    public LookupResult excepting(BiPredicate<Finding, ListingException> counting) {
        return findings.isEmpty()
                ? this
                : with(findings.stream()
                        .map(finding -> finding.excepting(exception -> counting.test(finding, exception)))
                        .toList());
    }

    /// The same with only the findings that pass the filter.
    public LookupResult only(Predicate<Finding> filter) {
        return with(findings.stream().filter(filter).toList());
    }

    private LookupResult with(List<Finding> some) {
        return new LookupResult(some, rest, keys, suspects, refuted, filters, limits);
    }

    /// The verdict on the whole: listed before unresolved before clean.
    public Verdict verdict() {
        List<Listing> listings = new ArrayList<>();
        Verdict unlisted = rest;
        for (Finding finding : findings) {
            switch (finding.verdict()) {
                case Verdict.Listed listed -> listings.addAll(listed.listings());
                case Verdict.Unresolved unresolved -> unlisted = unresolved;
                case Verdict.Clean _ -> {}
            }
        }
        return listings.isEmpty() ? unlisted : new Verdict.Listed(listings);
    }

    /// False if there was no layer: nothing is clean then.
    public boolean hadLayers() {
        return rest instanceof Verdict.Clean;
    }

    /// The verdict on one finding, after exceptions for all recipients.
    public Verdict verdictOn(Finding finding) {
        Verdict verdict = finding.verdict();
        return verdict instanceof Verdict.Clean ? rest : verdict;
    }

    /// Both together, for the envelope and the content of one message.
    public LookupResult and(LookupResult other) {
        List<Finding> both = new ArrayList<>(findings);
        both.addAll(other.findings);
        Set<Limit> limitsOfBoth = new HashSet<>(limits);
        limitsOfBoth.addAll(other.limits);
        Verdict unlisted = hadLayers() ? other.rest : rest;
        return new LookupResult(
                both,
                unlisted,
                keys + other.keys,
                suspects + other.suspects,
                refuted + other.refuted,
                FilterHits.merge(filters, other.filters),
                limitsOfBoth);
    }
}
