package org.bloomgate.lookup.local;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Entry;

/// An entry with what is known about it: an object of `listing list --json`, `exception list --json`,
/// `/v1/listings` and `/v1/exceptions`. Fields without a value are absent there.
///
/// @param mark `published`, `overrules`, `publisher` or `overruled`, see [RemoteEntries]; empty for an entry of
///     this machine alone
/// @param lastHit the last day (UTC) on which an exception overrode a listing; empty when none is known
/// @param remarks reasons why an exception may no longer be needed, a sentence each
public record EntryStatus(EntryText text, String mark, Optional<String> lastHit, List<String> remarks) {
    public EntryStatus {
        remarks = List.copyOf(remarks);
    }

    private static EntryStatus ofListing(Entry listing, String mark) {
        return new EntryStatus(EntryText.masked(listing), mark, Optional.empty(), List.of());
    }

    private static EntryStatus ofException(Entry exception, String mark, ExceptionHits hits, List<String> remarks) {
        Optional<String> lastHit = hits.lastHit(exception).map(LocalDate::toString);
        return new EntryStatus(EntryText.masked(exception), mark, lastHit, remarks);
    }

    /// The JSON object: the fields of the entry, then the others.
    @JsonValue
    public Map<String, Object> json() {
        Map<String, Object> object = text.json();
        if (!mark.isEmpty()) {
            object.put("mark", mark);
        }
        lastHit.ifPresent(day -> object.put("lastHit", day));
        if (!remarks.isEmpty()) {
            object.put("remarks", remarks);
        }
        return object;
    }

    /// All listings made here, the oldest first.
    public static List<EntryStatus> listings(LocalEntries here, RemoteEntries remoteEntries) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        return here.of(Entry.Type.LISTING).stream()
                .map(listing -> ofListing(listing, marks.ofEntryHere(listing)))
                .toList();
    }

    /// All listings of the publisher.
    public static List<EntryStatus> publisherListings(LocalEntries here, RemoteEntries remoteEntries) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        return remoteEntries.publisher().of(Entry.Type.LISTING).stream()
                .map(listing -> ofListing(listing, marks.ofPublisherEntry(listing)))
                .toList();
    }

    /// All exceptions made here, the oldest first.
    ///
    /// @param feeds names of the existing feeds; empty when they are not known
    public static List<EntryStatus> exceptions(
            LocalEntries here, RemoteEntries remoteEntries, ExceptionHits hits, Set<String> feeds) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        Map<Key, List<Entry>> byKey = here.of(Entry.Type.EXCEPTION).stream().collect(Collectors.groupingBy(Entry::key));
        Set<Key> listed = here.of(Entry.Type.LISTING).stream().map(Entry::key).collect(Collectors.toSet());
        return here.of(Entry.Type.EXCEPTION).stream()
                .map(exception -> ofException(
                        exception, marks.ofEntryHere(exception), hits, remarks(exception, byKey, listed, hits, feeds)))
                .toList();
    }

    /// All exceptions of the publisher.
    public static List<EntryStatus> publisherExceptions(
            LocalEntries here, RemoteEntries remoteEntries, ExceptionHits hits) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        return remoteEntries.publisher().of(Entry.Type.EXCEPTION).stream()
                .map(exception -> ofException(exception, marks.ofPublisherEntry(exception), hits, List.of()))
                .toList();
    }

    private static List<String> remarks(
            Entry exception, Map<Key, List<Entry>> byKey, Set<Key> listed, ExceptionHits hits, Set<String> feeds) {
        List<String> remarks = new ArrayList<>();
        if (!exception.terms().authenticated()) {
            remarks.add("anybody can write this sender");
        }
        hits.lastClaim(exception)
                .filter(_ -> hits.lastHit(exception).isEmpty())
                .ifPresent(claim -> remarks.add("last matched " + claim + ", never authenticated"));
        // hits of single passwords are unknown, as clients query ranges
        if (exception.key().kind() != KeyKind.PASSWORD && hits.isUnused(exception)) {
            remarks.add("never hit in " + ExceptionHits.UNUSED_AFTER.toDays() + " days");
        }
        exception
                .scope()
                .feed()
                .filter(feed -> !feeds.isEmpty() && !feeds.contains(feed))
                .ifPresent(feed -> remarks.add("there is no feed " + feed));
        exception.key().around().stream()
                .flatMap(key -> byKey.getOrDefault(key, List.of()).stream())
                .filter(other -> !other.equals(exception) && other.covers(exception))
                .map(Entry::key)
                .findFirst()
                .ifPresent(key ->
                        remarks.add("covered by that of " + key.kind().rules().mask(key.text())));
        if (exception.scope().equals(Entry.Scope.EVERYTHING) && listed.contains(exception.key())) {
            remarks.add("a local listing of it never counts");
        }
        return remarks;
    }
}
