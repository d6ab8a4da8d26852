package org.bloomgate.lookup.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
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

/// An exception with what there is to say of it: an object of `exception list --json` and of `/v1/exceptions`.
///
/// @param mark as of a [ListingLine]
/// @param lastHit the last day (UTC) on which it kept a listing from counting; absent when none is known
/// @param remarks reasons why it may no longer be needed, a sentence each; absent without any
public record ExceptionLine(
        @JsonUnwrapped EntryLine entry,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String mark,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> lastHit,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> remarks) {
    public ExceptionLine {
        remarks = List.copyOf(remarks);
    }

    /// All exceptions of the publisher.
    public static List<ExceptionLine> theirs(LocalEntries here, RemoteEntries remoteEntries, ExceptionHits hits) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        return remoteEntries.theirs(Entry.Type.EXCEPTION).stream()
                .map(one -> new ExceptionLine(
                        EntryLine.shown(one),
                        marks.ofTheirs(one),
                        hits.last(one).map(LocalDate::toString),
                        List.of()))
                .toList();
    }

    /// All exceptions here, the oldest first.
    ///
    /// @param feeds that there are; empty when that is not known
    public static List<ExceptionLine> ours(
            LocalEntries entries, RemoteEntries remoteEntries, ExceptionHits hits, Set<String> feeds) {
        RemoteEntries.Marks marks = remoteEntries.marks(entries);
        Map<Key, List<Entry>> byKey =
                entries.of(Entry.Type.EXCEPTION).stream().collect(Collectors.groupingBy(Entry::key));
        Set<Key> listed =
                entries.of(Entry.Type.LISTING).stream().map(Entry::key).collect(Collectors.toSet());
        return entries.of(Entry.Type.EXCEPTION).stream()
                .map(one -> new ExceptionLine(
                        EntryLine.shown(one),
                        marks.ofOurs(one),
                        hits.last(one).map(LocalDate::toString),
                        remarks(one, byKey, listed, hits, feeds)))
                .toList();
    }

    private static List<String> remarks(
            Entry one, Map<Key, List<Entry>> byKey, Set<Key> listed, ExceptionHits hits, Set<String> feeds) {
        List<String> remarks = new ArrayList<>();
        if (!one.terms().authenticated()) {
            remarks.add("anybody can write this sender");
        }
        hits.lastClaim(one)
                .filter(_ -> hits.last(one).isEmpty())
                .ifPresent(claim -> remarks.add("last matched " + claim + ", never authenticated"));
        // hits of single passwords are unknown, as clients query ranges
        if (one.key().kind() != KeyKind.PASSWORD && hits.isUnmet(one)) {
            remarks.add("never hit in " + ExceptionHits.UNMET.toDays() + " days");
        }
        one.scope()
                .feed()
                .filter(feed -> !feeds.isEmpty() && !feeds.contains(feed))
                .ifPresent(feed -> remarks.add("there is no feed " + feed));
        one.key().around().stream()
                .flatMap(key -> byKey.getOrDefault(key, List.of()).stream())
                .filter(other -> !other.equals(one) && other.covers(one))
                .findFirst()
                .ifPresent(other -> remarks.add("covered by that of "
                        + other.key().kind().rules().mask(other.key().text())));
        if (one.scope().equals(Entry.Scope.EVERYTHING) && listed.contains(one.key())) {
            remarks.add("a local listing of it never counts");
        }
        return remarks;
    }
}
