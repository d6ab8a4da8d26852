package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ListingSource;

/// The share of a feed in a snapshot: `lines = entries + comments + rejects + held`.
///
/// @param source as configured, secrets in it left out
/// @param from where its keys came from: `source`, `not-modified`, `not-due`, `last-good-copy` or `nothing`
/// @param action the strictest action that its listings may cause; if empty, place and category decide
/// @param shadow true while the findings of the feed are recorded and not enforced
/// @param redistribute true if its listings may leave this site
/// @param seen when the source last certainly contained its keys; empty if it has none
/// @param keys that the feed gave, before duplicates over all feeds are removed
/// @param exceptions keys that the feed declares harmless, sorted; at most [#MAX_EXCEPTIONS]
public record ManifestFeed(
        String name,
        FeedKind kind,
        String category,
        Match match,
        Set<Use> use,
        Optional<Action> action,
        boolean shadow,
        boolean redistribute,
        String cadence,
        String source,
        String from,
        Optional<Instant> seen,
        long lines,
        long entries,
        long comments,
        long rejects,
        long held,
        long keys,
        List<Key> exceptions) {
    /// Lists of rules for ad blockers have some thousands at most.
    public static final int MAX_EXCEPTIONS = 10_000;

    /// Characters of all exceptions of a feed.
    public static final int MAX_EXCEPTION_CHARS = 400_000;

    /// The number of feeds of a layer that may have the maximum of exceptions, which are all in memory.
    public static final int FULL_FEEDS = 3;

    public ManifestFeed {
        use = Set.copyOf(use);
        exceptions = List.copyOf(exceptions);
        action.ifPresent(cap -> Action.checkCap("action", cap));
    }

    /// Returns the source of its listings.
    public ListingSource toListingSource() {
        return new ListingSource.OfFeed(action, shadow);
    }

    /// True if the source itself gave these keys at the rebuild, or shortly before, or reported no change.
    public boolean cameFromSource() {
        return from.equals("source") || from.equals("not-modified") || from.equals("not-due");
    }

    /// True if neither the source nor a last good copy gave any keys.
    public boolean gaveNothing() {
        return from.equals("nothing");
    }

    /// Returns the shares after their snapshot was confirmed; the same if it was not.
    public static List<ManifestFeed> confirm(List<ManifestFeed> feeds, Optional<Instant> confirmedAt) {
        return confirmedAt
                .map(at -> feeds.stream().map(feed -> feed.withConfirmation(at)).toList())
                .orElse(feeds);
    }

    /// Returns this share after its snapshot was confirmed: keys from the source were still there at that time.
    private ManifestFeed withConfirmation(Instant at) {
        boolean isLater = cameFromSource() && seen.isPresent() && at.isAfter(seen.get());
        return new ManifestFeed(
                name,
                kind,
                category,
                match,
                use,
                action,
                shadow,
                redistribute,
                cadence,
                source,
                from,
                isLater ? Optional.of(at) : seen,
                lines,
                entries,
                comments,
                rejects,
                held,
                keys,
                exceptions);
    }
}
