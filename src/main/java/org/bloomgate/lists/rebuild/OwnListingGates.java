package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.decision.keyjournal.RecentMail;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.format.EntryGates;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LocalRules;

/// Checks operators' own listings with the gates of feeds: canaries, allow lists, shared hosts, and recent
/// mail.
///
/// A name may be listed because it occurs in mail, so recent mail closes no gate here: much of it asks for consent.
///
/// @param entries the gates for single entries of feeds
/// @param options with the canaries
/// @param mail the records of the keys of recent messages
/// @param configured feeds, whose names exceptions may refer to, besides those of the snapshots
/// @param snapshots root of all layers
public record OwnListingGates(
        EntryGates entries,
        RebuildOptions options,
        KeyJournalOptions mail,
        List<Feed> configured,
        Path snapshots,
        InstantSource clock)
        implements ListingGates {
    private static final Duration WINDOW = Duration.ofDays(7);

    public OwnListingGates {
        configured = List.copyOf(configured);
    }

    @Override
    public List<ListingPreview> preview(List<Entry> listings) throws IOException {
        RecentMail<Key> recent = RecentMail.since(clock.instant().minus(WINDOW), mail);
        Map<Key, StoppedMail> stopped = new HashMap<>();
        for (Entry listing : listings) {
            recent.noteAnywhere(listing.key(), listing.match(), listing::key);
            stopped.put(listing.key(), new StoppedMail());
        }
        RecentMail.Tally tally = recent.forEach((token, _, _, keys) -> new HashSet<>(keys)
                .forEach(key -> Objects.requireNonNull(stopped.get(key)).add(token, options.examples())));
        List<ListingPreview> previews = new ArrayList<>();
        for (Entry listing : listings) {
            StoppedMail mails = Objects.requireNonNull(stopped.get(listing.key()));
            previews.add(ListingPreview.of(
                    listing, objections(listing), share(tally, mails, recent.unreadable() + tally.damaged() == 0)));
        }
        return previews;
    }

    /// The messages that a listing would have stopped.
    private static final class StoppedMail {
        private long count;
        private final List<String> examples = new ArrayList<>();

        void add(String token, int maxExamples) {
            count++;
            if (examples.size() < maxExamples) {
                examples.add(token);
            }
        }
    }

    @Override
    public List<String> objections(Entry listing) {
        List<String> objections = new ArrayList<>(Canaries.with(options.bounds().canaries())
                .findMatches(listing.key(), listing.match(), PublicSuffixes.bundled()));
        entries.findHoldReason(listing.key()).ifPresent(objections::add);
        return objections;
    }

    /// The share of the messages of the last days. As with feeds, a listing that would have stopped more than
    /// [RebuildOptions.Bounds#maxBlastShare()] of them needs an operator's consent.
    private ListingPreview.RecentMailShare share(RecentMail.Tally tally, StoppedMail stopped, boolean isComplete) {
        return new ListingPreview.RecentMailShare(
                WINDOW.toDays(),
                tally.mails(),
                stopped.count,
                Math.max(FeedFaults.FEW_MAILS, 1 + (long) (options.bounds().maxBlastShare() * tally.mails())),
                isComplete,
                stopped.examples);
    }

    @Override
    public Set<String> feeds() throws IOException {
        Set<String> names = new TreeSet<>(Set.of(LocalRules.LAYER));
        configured.forEach(feed -> names.add(feed.name()));
        for (LayerDirectory layer : LayerDirectory.listAll(snapshots)) {
            PreviousSnapshot.of(layer).manifest().stream()
                    .flatMap(manifest -> manifest.feeds().stream())
                    .map(ManifestFeed::name)
                    .forEach(names::add);
        }
        return names;
    }
}
