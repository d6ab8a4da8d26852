package org.bloomgate.lookup.local;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.EntryOrigin;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LocalRules;

/// All local entries at one time: at most one listing of a key, and one exception of a key and a scope. Immutable.
///
/// @param all the oldest first
public record LocalEntries(List<Entry> all) {
    /// The most listings and exceptions together; more are a feed. The file is rewritten whole for every change.
    public static final int MAX_ENTRIES = 100_000;

    public static final LocalEntries NONE = new LocalEntries(List.of());

    public LocalEntries {
        all = List.copyOf(all);
    }

    public int size() {
        return all.size();
    }

    public List<Entry> of(Entry.Type type) {
        return all.stream().filter(entry -> entry.type() == type).toList();
    }

    /// The values that each feed lists wrongly: operators confirmed the error since an instant, and the exception still
    /// exists.
    public Map<String, Set<Key>> errors(Instant since) {
        return all.stream()
                .filter(entry -> entry.terms().error().isPresent()
                        && !entry.terms().added().isBefore(since))
                .filter(entry -> entry.scope().feed().isPresent())
                .collect(groupingBy(entry -> entry.scope().feed().get(), mapping(Entry::key, toSet())));
    }

    /// Adds an entry, which replaces the one with the same key and scope.
    ///
    /// @throws EntryRefusedException when there are too many
    public LocalEntries with(Entry entry) throws EntryRefusedException {
        List<Entry> more = new ArrayList<>(without(other -> other.place().equals(entry.place())).all);
        more.add(entry);
        if (more.size() > MAX_ENTRIES) {
            throw new EntryRefusedException("there are " + MAX_ENTRIES + " local listings and exceptions, and no more"
                    + " are taken: remove some, or make a feed of them");
        }
        return new LocalEntries(more);
    }

    /// The entries without the listing of a value, or without its exceptions whose scope has every part of the text.
    ///
    /// @throws EntryRefusedException if the value or the scope is invalid
    public LocalEntries without(Entry.Type type, EntryText text) throws EntryRefusedException {
        Entry.Scope scope = EntryParser.scope(text);
        Key key = EntryParser.keyOrSender(text);
        return without(entry -> entry.type() == type
                && entry.key().equals(key)
                && (type == Entry.Type.LISTING || scope.includes(entry.scope())));
    }

    /// The entries without those that have expired.
    public LocalEntries at(Instant now) {
        return without(entry -> entry.hasEnded(now));
    }

    LocalEntries without(Predicate<Entry> excluded) {
        return new LocalEntries(all.stream().filter(excluded.negate()).toList());
    }

    /// How many of these entries the others do not have.
    int countMissingIn(LocalEntries others) {
        List<Entry> missing = new ArrayList<>(all);
        missing.removeAll(Set.copyOf(others.all));
        return missing.size();
    }

    /// When the next entry expires; empty if none does.
    Optional<Instant> nextExpiry() {
        return all.stream()
                .map(entry -> entry.terms().until())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /// When the last expired entry expired; empty if none has.
    Optional<Instant> lastExpiry(Instant now) {
        return all.stream()
                .map(entry -> entry.terms().until())
                .flatMap(Optional::stream)
                .filter(end -> !end.isAfter(now))
                .max(Instant::compareTo);
    }

    /// The rules of these entries and those of a publisher's operators; for the same value, the entry made here
    /// counts.
    LocalRules rules(LocalEntries publisher, long seed) {
        Set<Entry.Place> placesHere = all.stream().map(Entry::place).collect(toSet());
        LocalEntries remaining = publisher.without(other -> placesHere.contains(other.place()));
        return new LocalRules(
                Stream.concat(
                                of(Entry.Type.LISTING).stream().map(listing -> listing.listing(EntryOrigin.HERE)),
                                remaining.of(Entry.Type.LISTING).stream()
                                        .map(listing -> listing.listing(EntryOrigin.PUBLISHER)))
                        .toList(),
                Stream.concat(
                                of(Entry.Type.EXCEPTION).stream()
                                        .map(exception -> new ListingException(exception, EntryOrigin.HERE)),
                                remaining.of(Entry.Type.EXCEPTION).stream()
                                        .map(exception -> new ListingException(exception, EntryOrigin.PUBLISHER)))
                        .toList(),
                seed);
    }
}
