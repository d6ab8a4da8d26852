package org.bloomgate.judge;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.exact.SortedStore;
import org.bloomgate.exact.SortedStores;
import org.bloomgate.exact.StoreCursor;
import org.bloomgate.journal.Decision;
import org.bloomgate.journal.JournalOptions;
import org.bloomgate.journal.JsonDecisionJournal;
import org.bloomgate.journal.RecentMail;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.snapshot.LayerDirectory;

/// Walks every listing of the current snapshots beside the records of delivered mail. Keys that were known to be
/// listed at delivery are not in the records, so what is found was listed since.
public final class Retro {
    /// Mails whose envelopes are fetched from the decisions at one time.
    private static final int AT_ONCE = 1000;

    private final Path snapshots;
    private final JournalOptions journal;
    private final SortedStores stores;
    private final List<Found> waiting = new ArrayList<>();

    /// @param snapshots root of the snapshot directories
    /// @param stores opens their exact stores
    public Retro(Path snapshots, JournalOptions journal, SortedStores stores) {
        this.snapshots = snapshots;
        this.journal = journal;
        this.stores = stores;
    }

    /// One listing as an object of `--json`.
    public record Since(String feed, String category, String key, Instant firstSeen) {}

    /// One mail as an object of `--json`; without an envelope when its decision is no longer kept.
    public record Mail(
            String token, Instant delivered, String mailFrom, List<String> recipients, List<Since> listings) {}

    private record Found(String token, Instant delivered, List<Since> listings) {}

    /// What was looked through.
    ///
    /// @param unreadable hours whose records are damaged from their first octets on, or of another installation key
    /// @param begins the first record of all
    public record Looked(RecentMail.Tally tally, int unreadable, Optional<Instant> begins) {}

    /// Hands over each mail as it is found, the oldest first; empty when no mail is recorded.
    public Optional<Looked> run(Instant since, Consumer<Mail> out) throws IOException {
        RecentMail<Since> recent = RecentMail.since(since, journal.keys());
        if (recent.isEmpty() && recent.unreadable() == 0) {
            return Optional.empty();
        }
        for (LayerDirectory layer : LayerDirectory.in(snapshots)) {
            Optional<String> current = layer.current();
            if (current.isPresent()) {
                note(layer, current.get(), recent);
            }
        }
        try (JsonDecisionJournal decisions = new JsonDecisionJournal(journal, InstantSource.system())) {
            RecentMail.Tally tally = recent.forEach((token, delivered, listings) -> {
                waiting.add(
                        new Found(token, delivered, listings.stream().distinct().toList()));
                if (waiting.size() == AT_ONCE) {
                    handOver(decisions, out);
                }
            });
            handOver(decisions, out);
            return Optional.of(new Looked(tally, recent.unreadable(), recent.begins()));
        }
    }

    private void note(LayerDirectory layer, String generation, RecentMail<Since> recent) throws IOException {
        try (SortedStore store = stores.open(layer.exactDirectory(generation));
                StoreCursor cursor = store.cursor()) {
            List<ListedFeed> feeds = store.feeds();
            int[] reaches = feeds.stream()
                    .mapToInt(feed -> RecentMail.reach(feed.match(), feed.uses()))
                    .toArray();
            while (cursor.next()) {
                for (int i = 0; i < cursor.stored().size(); i++) {
                    int listing = i;
                    int feed = cursor.stored().feed(i);
                    recent.note(
                            cursor.kindCode(),
                            cursor.octets(),
                            1,
                            cursor.end(),
                            reaches[feed],
                            () -> since(cursor, listing, feeds.get(feed)));
                }
            }
        }
    }

    private static Since since(StoreCursor cursor, int listing, ListedFeed feed) {
        KeyKind kind = KeyKind.ofWireCode(cursor.kindCode()).orElseThrow();
        return new Since(
                feed.name(),
                feed.category(),
                Key.ofOctets(kind, cursor.octets(), 1, cursor.end() - 1).text(),
                Instant.ofEpochSecond(cursor.stored().firstSeen(listing)));
    }

    private void handOver(JsonDecisionJournal decisions, Consumer<Mail> out) {
        Map<String, Decision> known =
                decisions.find(waiting.stream().map(Found::token).collect(Collectors.toSet()));
        for (Found mail : waiting) {
            Optional<Decision> decision = Optional.ofNullable(known.get(mail.token()));
            out.accept(new Mail(
                    mail.token(),
                    mail.delivered(),
                    decision.map(Decision::mailFrom).orElse(""),
                    decision.map(Decision::recipients).orElse(List.of()),
                    mail.listings()));
        }
        waiting.clear();
    }
}
