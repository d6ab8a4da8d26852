package org.bloomgate.lookup.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.bloomgate.lookup.tier.Entry;

/// A listing with where it holds: an object of `listing list --json` and of `/v1/listings`.
///
/// @param mark `published`, `overrules`, `publisher` or `overruled`, see [RemoteEntries]; absent when it is of this
/// machine
///     alone
public record ListingLine(
        @JsonUnwrapped EntryLine entry,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String mark) {

    /// All listings here, the oldest first.
    public static List<ListingLine> ours(LocalEntries here, RemoteEntries remoteEntries) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        return here.of(Entry.Type.LISTING).stream()
                .map(one -> new ListingLine(EntryLine.shown(one), marks.ofOurs(one)))
                .toList();
    }

    /// All listings of the publisher.
    public static List<ListingLine> theirs(LocalEntries here, RemoteEntries remoteEntries) {
        RemoteEntries.Marks marks = remoteEntries.marks(here);
        return remoteEntries.theirs(Entry.Type.LISTING).stream()
                .map(one -> new ListingLine(EntryLine.shown(one), marks.ofTheirs(one)))
                .toList();
    }
}
