package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LocalRules;

/// Checks operators' own listings with the gates of feeds: canaries, allow lists, shared hosts, and recent
/// mail.
///
/// Recent mail only informs here and closes no gate: a name may be listed because it occurs in mail.
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
    public ListingImpact assess(Entry listing) throws IOException {
        return new ListingImpact(objections(listing), describeStopped(listing));
    }

    @Override
    public List<String> objections(Entry listing) {
        List<String> objections = new ArrayList<>(Canaries.with(options.bounds().canaries())
                .findMatches(listing.key(), listing.match(), PublicSuffixes.bundled()));
        entries.findHoldReason(listing.key()).ifPresent(objections::add);
        return objections;
    }

    private String describeStopped(Entry listing) throws IOException {
        RecentMail<Key> recent = RecentMail.since(clock.instant().minus(WINDOW), mail);
        if (recent.isEmpty()) {
            return "unknown which messages it would stop: none of the last " + WINDOW.toDays()
                    + " days is recorded on this machine";
        }
        byte[] bytes = listing.key().bytes();
        recent.note(
                listing.key().kind().wireCode(),
                bytes,
                0,
                bytes.length,
                RecentMail.reachOfAll(listing.match()),
                listing::key);
        List<String> examples = new ArrayList<>();
        RecentMail.Tally tally = recent.forEach((token, delivered, _) -> {
            if (examples.size() < options.examples()) {
                examples.add(token);
            }
        });
        return String.format(
                Locale.ROOT,
                "it would have stopped %s%,d of %,d messages delivered in the last %d days%s",
                recent.unreadable() + tally.damaged() > 0 ? "at least " : "",
                tally.holding(),
                tally.mails(),
                WINDOW.toDays(),
                examples.isEmpty() ? "" : ": " + String.join(", ", examples));
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
