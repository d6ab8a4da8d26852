package org.bloomgate.local;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bloomgate.key.Key;
import org.bloomgate.lookup.LocalRules;
import org.bloomgate.verdict.Exemption;

/// All local entries at one time: at most one listing of a key, and one exemption of a key and a scope. Immutable.
public record LocalEntries(List<LocalListing> listings, List<Exemption> exemptions) {
    /// Listings and exceptions together; what is longer is a feed. The file is rewritten whole for every change.
    public static final int MAX_ENTRIES = 100_000;

    public static final LocalEntries NONE = new LocalEntries(List.of(), List.of());

    public LocalEntries {
        listings = List.copyOf(listings);
        exemptions = List.copyOf(exemptions);
    }

    public int size() {
        return listings.size() + exemptions.size();
    }

    /// With one more listing, in place of one of the same key.
    ///
    /// @throws EntryRefusedException when there are too many
    public LocalEntries with(LocalListing listing) throws EntryRefusedException {
        List<LocalListing> all = without(listings, other -> other.key().equals(listing.key()));
        all.add(listing);
        return bounded(new LocalEntries(all, exemptions));
    }

    /// With one more exemption, in place of one of the same key and scope.
    ///
    /// @throws EntryRefusedException when there are too many
    public LocalEntries with(Exemption exemption) throws EntryRefusedException {
        List<Exemption> all = without(
                exemptions,
                other -> other.key().equals(exemption.key()) && other.scope().equals(exemption.scope()));
        all.add(exemption);
        return bounded(new LocalEntries(listings, all));
    }

    public LocalEntries withoutListing(Key key) {
        return new LocalEntries(without(listings, other -> other.key().equals(key)), exemptions);
    }

    /// Without the exemptions of a key whose scope has every part that is named here.
    public LocalEntries withoutExemptions(Key key, Exemption.Scope scope) {
        return new LocalEntries(
                listings, without(exemptions, other -> other.key().equals(key) && has(other.scope(), scope)));
    }

    private static boolean has(Exemption.Scope scope, Exemption.Scope named) {
        return has(scope.feed(), named.feed())
                && has(scope.category(), named.category())
                && has(scope.recipientDomain(), named.recipientDomain());
    }

    private static boolean has(Optional<String> part, Optional<String> named) {
        return named.isEmpty() || part.equals(named);
    }

    /// Without what has ended.
    public LocalEntries at(Instant now) {
        return nextEnd().filter(end -> !end.isAfter(now)).isEmpty()
                ? this
                : new LocalEntries(
                        without(listings, one -> ended(one.until(), now)),
                        without(exemptions, one -> ended(one.until(), now)));
    }

    private static boolean ended(Optional<Instant> until, Instant now) {
        return until.filter(end -> !end.isAfter(now)).isPresent();
    }

    /// How many of these entries the others do not have.
    int lostIn(LocalEntries others) {
        List<LocalListing> listed = new ArrayList<>(listings);
        listed.removeAll(Set.copyOf(others.listings));
        List<Exemption> exempted = new ArrayList<>(exemptions);
        exempted.removeAll(Set.copyOf(others.exemptions));
        return listed.size() + exempted.size();
    }

    /// When the first of them ends; empty when none ever does.
    Optional<Instant> nextEnd() {
        return Stream.concat(
                        listings.stream().map(LocalListing::until),
                        exemptions.stream().map(Exemption::until))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    LocalRules rules(long seed) {
        return new LocalRules(listings.stream().map(LocalListing::listing).toList(), exemptions, seed);
    }

    private static <T> List<T> without(List<T> all, Predicate<T> unwanted) {
        List<T> left = new ArrayList<>(all);
        left.removeIf(unwanted);
        return left;
    }

    private static LocalEntries bounded(LocalEntries entries) throws EntryRefusedException {
        if (entries.size() > MAX_ENTRIES) {
            throw new EntryRefusedException("there are " + MAX_ENTRIES + " local listings and exceptions, and no more"
                    + " are taken: remove some, or make a feed of them");
        }
        return entries;
    }
}
