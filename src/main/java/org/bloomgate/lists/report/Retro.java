package org.bloomgate.lists.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.decision.keyjournal.RecentMail;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LocalRules;

/// Compares every listing of the current snapshots and of operators, or one value that is not listed, with the
/// records of delivered mail. Keys that were already listed at delivery are marked there, so a match of a listing was
/// listed later; a value is searched in all of them.
public final class Retro {
    /// The number of messages whose decisions are read in one pass.
    private static final int BATCH_MESSAGES = 1000;

    private final Path snapshots;
    private final JournalOptions journal;
    private final List<Entry> local;
    private final List<FoundMessage> waiting = new ArrayList<>();

    /// @param snapshots root of the snapshot directories
    /// @param local listings of operators
    public Retro(Path snapshots, JournalOptions journal, List<Entry> local) {
        this.local = List.copyOf(local);
        this.snapshots = snapshots;
        this.journal = journal;
    }

    /// A listing that is newer than the message, as an object of `--json`; a requested value has neither feed nor
    /// category.
    ///
    /// @param firstSeen by the feed; absent for a requested value
    public record LaterListing(
            String feed,
            String category,
            String key,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Instant> firstSeen) {}

    /// A message as an object of `--json`; without an envelope if its decision was deleted.
    public record Message(
            String token, Instant delivered, String mailFrom, List<String> recipients, List<LaterListing> listings) {}

    private record FoundMessage(String token, Instant delivered, List<LaterListing> listings) {}

    /// The number of records searched.
    ///
    /// @param unreadable hours whose records are damaged from their first bytes on, or of another installation key
    /// @param begins the first record of all
    public record Coverage(RecentMail.Tally tally, int unreadable, Optional<Instant> begins) {}

    /// Passes on each message that contains a listed key when it is found, the oldest first; empty if no
    /// message is recorded.
    public Optional<Coverage> findListed(Instant since, Consumer<Message> out) throws IOException {
        return search(RecentMail.forMany(since, journal.keys()), this::noteListed, out);
    }

    /// The same for messages that contain this key or, for a name, one below it, listed or not.
    public Optional<Coverage> findByKey(Key key, Instant since, Consumer<Message> out) throws IOException {
        LaterListing requested = new LaterListing("", "", key.text(), Optional.empty());
        return search(
                RecentMail.since(since, journal.keys()),
                recent -> recent.noteAnywhere(key, Match.SUFFIX, () -> requested),
                out);
    }

    @FunctionalInterface
    private interface Listings {
        void addTo(RecentMail<LaterListing> recent) throws IOException;
    }

    private Optional<Coverage> search(RecentMail<LaterListing> recent, Listings source, Consumer<Message> out)
            throws IOException {
        if (recent.isEmpty() && recent.unreadable() == 0) {
            return Optional.empty();
        }
        source.addTo(recent);
        try (JsonDecisionJournal decisions = new JsonDecisionJournal(journal, InstantSource.system())) {
            RecentMail.Tally tally = recent.forEach((token, delivered, _, listings) -> {
                waiting.add(new FoundMessage(
                        token, delivered, listings.stream().distinct().toList()));
                if (waiting.size() == BATCH_MESSAGES) {
                    passOn(decisions, out);
                }
            });
            passOn(decisions, out);
            return Optional.of(new Coverage(tally, recent.unreadable(), recent.begins()));
        }
    }

    private void noteListed(RecentMail<LaterListing> recent) throws IOException {
        for (LayerDirectory layer : LayerDirectory.listAll(snapshots)) {
            Optional<String> current = layer.readCurrent();
            if (current.isPresent()) {
                note(layer, current.get(), recent);
            }
        }
        for (Entry entry : local) {
            LaterListing listing = new LaterListing(
                    LocalRules.LAYER,
                    entry.scope().category().orElse(LocalRules.LAYER),
                    entry.key().text(),
                    Optional.of(entry.terms().added().truncatedTo(ChronoUnit.SECONDS)));
            note(entry.key(), RecentMail.reach(entry.match(), EnumSet.allOf(Use.class)), listing, recent);
        }
    }

    private static void note(Key key, int reach, LaterListing listing, RecentMail<LaterListing> recent) {
        byte[] bytes = key.bytes();
        recent.note(key.kind().wireCode(), bytes, 0, bytes.length, reach, () -> listing);
    }

    private void note(LayerDirectory layer, String generation, RecentMail<LaterListing> recent) throws IOException {
        try (SortedStore store = SortedStore.open(layer.resolveExactDirectory(generation));
                StoreCursor cursor = store.openCursor()) {
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
                            cursor.bytes(),
                            1,
                            cursor.end(),
                            reaches[feed],
                            () -> readListing(cursor, listing, feeds.get(feed)));
                }
            }
        }
    }

    private static LaterListing readListing(StoreCursor cursor, int listing, ListedFeed feed) {
        KeyKind kind = KeyKind.ofWireCode(cursor.kindCode()).orElseThrow();
        return new LaterListing(
                feed.name(),
                feed.category(),
                Key.ofBytes(kind, cursor.bytes(), 1, cursor.end() - 1).text(),
                Optional.of(Instant.ofEpochSecond(cursor.stored().firstSeen(listing))));
    }

    private void passOn(JsonDecisionJournal decisions, Consumer<Message> out) {
        Map<String, Decision> decisionOf =
                decisions.find(waiting.stream().map(FoundMessage::token).collect(Collectors.toSet()));
        for (FoundMessage message : waiting) {
            Optional<Decision.Envelope> envelope =
                    Optional.ofNullable(decisionOf.get(message.token())).map(Decision::envelope);
            out.accept(new Message(
                    message.token(),
                    message.delivered(),
                    envelope.map(Decision.Envelope::mailFrom).orElse(""),
                    envelope.map(Decision.Envelope::recipients).orElse(List.of()),
                    message.listings()));
        }
        waiting.clear();
    }
}
