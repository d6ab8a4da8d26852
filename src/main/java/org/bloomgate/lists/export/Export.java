package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.bloomgate.lists.export.ExportSource.ExportLayer;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.store.StoredListings;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LocalRules;

/// Writes one export. Feeds in shadow are left out, and listings with an exception for all recipients.
///
/// The heap is bounded, whatever the number of listings, as they are sorted on disk. Not thread-safe.
public final class Export {
    private static final long SORT_BYTES = 24L << 20;
    private static final int MAX_SOURCES = 65_535;

    private final String name;
    private final ExportOptions options;
    private final ExportSource source;
    private final boolean redistributed;
    private final Optional<KeyKind> onlyKind;
    private final ExceptedKeys exceptions;
    private final List<ZonePolicy> policies = new ArrayList<>();
    private final Map<ZonePolicy, Integer> codes = new HashMap<>();
    private final Map<String, Long> leftOut = new HashMap<>();
    private final Map<String, Long> overShare = new HashMap<>();
    private final Set<String> notRedistributed = new TreeSet<>();
    private final Map<String, String> attributions = new LinkedHashMap<>();

    /// The most records that the listings so far can need.
    private long recordBound;

    /// @param redistributed whether to leave out the feeds whose licence forbids passing them on
    public Export(String name, ExportOptions options, ExportSource source, boolean redistributed) {
        this.name = name;
        this.options = options;
        this.source = source;
        this.redistributed = redistributed;
        this.onlyKind = options.format() == ExportFormat.TXT ? Optional.of(chooseKind()) : Optional.empty();
        this.exceptions = new ExceptedKeys(
                source.local()
                        .exceptions()
                        .filter(exception -> exception.scope().includesAllRecipients()
                                && exception.scope().includesAllSenders())
                        .toList(),
                feeds().toList());
    }

    private Stream<ManifestFeed> feeds() {
        return source.layers().stream().flatMap(layer -> layer.feeds().stream());
    }

    /// The kind of the first configured feed, or else domains: a plain file contains values of one kind.
    private KeyKind chooseKind() {
        return options.lists().stream()
                .filter(list -> list.type() == ExportList.Type.FEED)
                .flatMap(list -> feeds().filter(feed -> feed.name().equals(list.name())))
                .map(ManifestFeed::kind)
                .map(FeedKind::kinds)
                .map(List::getFirst)
                .findFirst()
                .orElse(KeyKind.DOMAIN);
    }

    /// The configured lists without any feed here, except that of operators.
    public List<ExportList> findUnknownLists() {
        return options.lists().stream()
                .filter(list -> list.type() != ExportList.Type.LOCAL)
                .filter(list -> feeds().noneMatch(feed -> list.includes(feed.name(), feed.category(), false)))
                .toList();
    }

    /// @param work folder for the sort, created and deleted here
    /// @throws IOException if a store cannot be read, the disk fails, or the zone would have too many records
    public ExportReport write(ExportOutput out, Path work) throws IOException {
        try {
            long passthrus = 0;
            if (options.format() == ExportFormat.JSONL) {
                forEachListing(listing -> addTo(out, listing));
            } else {
                passthrus = writeSorted(out, work);
            }
            return new ExportReport(out.lines(), passthrus, leftOut, List.copyOf(notRedistributed));
        } finally {
            DurableFiles.deleteTree(work);
        }
    }

    private void addTo(ExportOutput out, Listing listing) throws IOException {
        if (exceptions.cover(listing)) {
            leaveOut("excepted");
        } else {
            out.writeJson(listing);
        }
    }

    /// @return records that pass a name through because a feed excepts it itself
    private long writeSorted(ExportOutput out, Path work) throws IOException {
        SortedKeys sorted = sort(work);
        while (leaveOutLargest(sorted, out.maxRecords())) {
            sorted = sort(work);
        }
        overShare.forEach((feed, records) -> leftOut.put("records of " + feed + ", more than its share", records));
        out.begin(attributions);
        AtomicLong passthrus = new AtomicLong();
        walk(sorted, new Writer() {
            @Override
            public void name(List<ZonePolicy> causes, String text, RpzAction action, RpzAction subdomainAction)
                    throws IOException {
                count(causes, action, subdomainAction);
                out.writeName(text, action, subdomainAction);
            }

            @Override
            public void network(List<ZonePolicy> causes, AddressBlock block, RpzAction action) throws IOException {
                count(causes, action, RpzAction.NONE);
                out.writeNetwork(block, action);
            }

            @Override
            public void value(String text) throws IOException {
                out.writeValue(text);
            }

            private void count(List<ZonePolicy> causes, RpzAction itself, RpzAction below) {
                if (causes.stream()
                        .anyMatch(policy -> policy.excepted() && !policy.feed().isEmpty())) {
                    passthrus.addAndGet(Stream.of(itself, below)
                            .filter(RpzAction.PASSTHRU::equals)
                            .count());
                }
            }
        });
        return passthrus.get();
    }

    /// Receives the lines to write, each with the policies of the place that makes it necessary.
    private interface Writer {
        void name(List<ZonePolicy> causes, String text, RpzAction itself, RpzAction below) throws IOException;

        void network(List<ZonePolicy> causes, AddressBlock block, RpzAction action) throws IOException;

        void value(String text) throws IOException;
    }

    private SortedKeys sort(Path work) throws IOException {
        DurableFiles.deleteTree(work);
        Files.createDirectories(work);
        leftOut.clear();
        attributions.clear();
        recordBound = 0;
        ExternalSort sort = new ExternalSort(work, SORT_BYTES);
        Map<Key, List<Listing>> aroundPlaces = new HashMap<>();
        if (options.format() == ExportFormat.RPZ) {
            exceptions.places().stream()
                    .map(Key::around)
                    .flatMap(List::stream)
                    .forEach(key -> aroundPlaces.put(key, new ArrayList<>()));
        }
        forEachListing(listing -> add(listing, aroundPlaces, sort));
        if (options.format() == ExportFormat.RPZ) {
            addExceptions(aroundPlaces, sort);
        }
        return sort.finish(new BitSet(), _ -> {});
    }

    private void walk(SortedKeys sorted, Writer writer) throws IOException {
        List<ZonePolicy> ofPlace = new ArrayList<>();
        NameRecords names = new NameRecords((text, itself, below) -> writer.name(ofPlace, text, itself, below));
        NetworkRecords networks = new NetworkRecords((block, action) -> writer.network(ofPlace, block, action));
        try (KeyCursor key = sorted.open()) {
            while (key.next()) {
                ofPlace.clear();
                for (int i = 0; i < key.countSources(); i++) {
                    ofPlace.add(policies.get(key.source(i)));
                }
                switch (KeyKind.ofWireCode(key.kindCode()).orElseThrow()) {
                    case DOMAIN -> names.add(Arrays.copyOfRange(key.bytes(), 1, key.end()), ofPlace);
                    case NETWORK -> {
                        AddressBlock block = AddressBlock.ofBytes(key.bytes(), 1, key.end());
                        if (options.format() == ExportFormat.RPZ) {
                            networks.add(block, ofPlace);
                        } else {
                            writer.network(ofPlace, block, RpzAction.NXDOMAIN);
                        }
                    }
                    default -> writer.value(new String(key.bytes(), 1, key.end() - 1, UTF_8));
                }
            }
        }
    }

    /// Leaves out the feed with most records in a zone, if it has more than half of the maximum besides other
    /// feeds, or if the zone would have too many records. The entries of operators are never left out.
    ///
    /// @return whether a feed was left out
    private boolean leaveOutLargest(SortedKeys sorted, int maxRecords) throws IOException {
        if (options.format() != ExportFormat.RPZ || recordBound <= maxRecords / 2) {
            return false;
        }
        RecordCount count = new RecordCount();
        walk(sorted, count);
        Optional<Map.Entry<String, Long>> largest =
                count.byFeed.entrySet().stream().max(Map.Entry.comparingByValue());
        boolean tooMany = count.records > maxRecords
                || largest.filter(feed -> feed.getValue() > maxRecords / 2).isPresent();
        if (!tooMany || count.byFeed.size() < 2) {
            return false;
        }
        overShare.put(largest.get().getKey(), largest.get().getValue());
        return true;
    }

    private static final class RecordCount implements Writer {
        private final Map<String, Long> byFeed = new HashMap<>();
        private long records;

        @Override
        public void name(List<ZonePolicy> causes, String text, RpzAction itself, RpzAction below) {
            add(causes, itself);
            add(causes, below);
        }

        @Override
        public void network(List<ZonePolicy> causes, AddressBlock block, RpzAction action) {
            add(causes, action);
        }

        @Override
        public void value(String text) {
            records++;
        }

        private void add(List<ZonePolicy> causes, RpzAction action) {
            if (!action.equals(RpzAction.NONE)) {
                records++;
                causes.stream()
                        .map(ZonePolicy::feed)
                        .filter(feed -> !feed.isEmpty() && !feed.equals(LocalRules.LAYER))
                        .distinct()
                        .forEach(feed -> byFeed.merge(feed, 1L, Long::sum));
            }
        }
    }

    /// Receives the listings of an export.
    private interface Sink {
        void listing(Listing listing) throws IOException;
    }

    private void forEachListing(Sink sink) throws IOException {
        for (ExportLayer layer : source.layers()) {
            Map<String, ManifestFeed> feeds = layer.feeds().stream()
                    .filter(this::isIncluded)
                    .collect(Collectors.toMap(ManifestFeed::name, feed -> feed));
            if (!feeds.isEmpty()) {
                feeds.keySet()
                        .forEach(feed -> Optional.ofNullable(
                                        source.attributions().get(feed))
                                .ifPresent(text -> attributions.put(feed, text)));
                try (SortedStore store = SortedStore.open(layer.exact())) {
                    for (KeyKind kind : KeyKind.values()) {
                        if (isExported(kind)) {
                            walk(store, kind, feeds, sink);
                        }
                    }
                }
            }
        }
        for (Listing listing : source.local().listings()) {
            if (isExported(listing.key().kind())
                    && listing.source().action().orElse(Action.REJECT) == Action.REJECT
                    && options.includes(LocalRules.LAYER, listing.category(), true)) {
                sink.listing(listing);
            }
        }
    }

    private static void walk(SortedStore store, KeyKind kind, Map<String, ManifestFeed> feeds, Sink sink)
            throws IOException {
        List<Optional<ManifestFeed>> byPosition = store.feeds().stream()
                .map(feed -> Optional.ofNullable(feeds.get(feed.name())))
                .toList();
        try (StoreCursor key = store.openCursor(kind)) {
            while (key.next()) {
                StoredListings stored = key.stored();
                boolean included = false;
                for (int i = 0; i < stored.size(); i++) {
                    included |= byPosition.get(stored.feed(i)).isPresent();
                }
                if (included) {
                    for (Listing listing : store.dictionary().decodeListings(key.key(), key.value())) {
                        ManifestFeed feed = feeds.get(listing.feed());
                        if (feed != null) {
                            sink.listing(listing.withSource(feed.toListingSource()));
                        }
                    }
                }
            }
        }
    }

    /// Whether keys of a kind are in the export. Secret kinds are in none.
    private boolean isExported(KeyKind kind) {
        return !kind.rules().isSecret()
                && onlyKind.map(kind::equals)
                        .orElse(options.format().kinds().isEmpty()
                                || options.format().kinds().contains(kind));
    }

    private boolean isIncluded(ManifestFeed feed) {
        boolean isConfigured = options.includes(feed.name(), feed.category(), false)
                && !feed.shadow()
                && feed.kind().kinds().stream().anyMatch(this::isExported);
        if (isConfigured && redistributed && !feed.redistribute()) {
            notRedistributed.add(feed.name());
        }
        return isConfigured
                && !overShare.containsKey(feed.name())
                && (!redistributed || feed.redistribute())
                && !source.confirmed().contains(feed.name())
                && (options.format() != ExportFormat.RPZ
                        || (feed.use().contains(Use.LINK)
                                && !action(feed.category(), feed.action()).equals(RpzAction.NONE)));
    }

    private RpzAction action(String category, Optional<Action> cap) {
        boolean rejects =
                cap.orElse(Action.REJECT) == Action.REJECT && source.rejects().test(category);
        return options.findAction(category).orElse(rejects ? options.defaultAction() : RpzAction.NONE);
    }

    /// Adds a listing, except at a place with an exception, about which [#addExceptions] decides.
    private void add(Listing listing, Map<Key, List<Listing>> aroundPlaces, ExternalSort sort) throws IOException {
        Key key = listing.key();
        List<Listing> atPlace = aroundPlaces.get(key);
        if (atPlace != null) {
            atPlace.add(listing);
        }
        boolean isPlace = atPlace != null && exceptions.isPlace(key);
        if (exceptions.cover(listing)) {
            leaveOut("excepted");
        } else if (!options.format().canExpress(key, name)) {
            leaveOut(
                    "%s values that the format cannot hold".formatted(key.kind().label()));
        } else if (!isPlace) {
            addCounting(listing, sort);
        }
    }

    private void addCounting(Listing listing, ExternalSort sort) throws IOException {
        Key key = listing.key();
        RpzAction action = action(listing);
        RpzAction itself = listing.match().reaches(key, true) ? action : RpzAction.NONE;
        RpzAction below = coversBelow(listing) ? action : RpzAction.NONE;
        if (itself.equals(below) && !itself.equals(action)) {
            leaveOut("names below a domain, which the format cannot hold");
            return;
        }
        ZonePolicy policy = new ZonePolicy(listing.feed(), itself, below, false);
        switch (key.kind()) {
            case DOMAIN -> add(key, policy, sort);
            case NETWORK -> {
                AddressBlock block = AddressBlock.parse(key.text());
                List<AddressBlock> parts =
                        options.format() == ExportFormat.RPZ ? List.of(block) : exceptions.splitAround(block, listing);
                for (AddressBlock part : parts) {
                    add(part.key(), policy, sort);
                }
            }
            default -> sort.add(key.kind().wireCode(), key.text().getBytes(UTF_8), assignCode(policy), 0);
        }
    }

    /// Adds the policy of a name or network.
    private void add(Key key, ZonePolicy policy, ExternalSort sort) throws IOException {
        byte[] place = key.kind() == KeyKind.DOMAIN ? ReversedName.of(key.text()) : key.bytes();
        recordBound += key.kind() == KeyKind.DOMAIN ? 2L * ReversedName.labels(place) : 1;
        sort.add(key.kind().wireCode(), place, assignCode(policy), 0);
    }

    /// Whether the line of a name also covers the names below it. In a format without lines for exceptions, it
    /// does not if one of these has an exception.
    private boolean coversBelow(Listing listing) {
        return listing.match() != Match.EXACT
                && switch (options.format()) {
                    case RPZ -> true;
                    case TXT -> !isAddress(listing.key()) && !exceptions.coverBelow(listing);
                    case HOSTS, NGINX, JSONL -> false;
                };
    }

    private static boolean isAddress(Key key) {
        return Host.parse(key.text())
                .filter(host -> host.kind() != HostKind.NAME)
                .isPresent();
    }

    /// Adds the places with an exception, each with the strictest action of the listings that the exception
    /// does not cover. An exception of a feed is written only where the zone would otherwise block the place.
    private void addExceptions(Map<Key, List<Listing>> aroundPlaces, ExternalSort sort) throws IOException {
        for (Key place : exceptions.places()) {
            if (isExported(place.kind()) && options.format().canExpress(place, name)) {
                List<Listing> listings = place.around().stream()
                        .map(aroundPlaces::get)
                        .flatMap(List::stream)
                        .toList();
                add(
                        place,
                        new ZonePolicy(
                                exceptions.onlyFeed(place),
                                actionAt(place, false, listings),
                                actionAt(place, true, listings),
                                true),
                        sort);
            }
        }
    }

    private RpzAction actionAt(Key place, boolean below, List<Listing> listings) {
        return listings.stream()
                .filter(listing -> listing.match()
                        .reaches(listing.key(), !below && listing.key().equals(place)))
                .filter(listing -> !exceptions.cover(place, below, listing))
                .map(this::action)
                .filter(RpzAction::blocks)
                .max(Comparator.naturalOrder())
                .orElse(exceptions.coverAll(place, below) ? RpzAction.PASSTHRU : RpzAction.NONE);
    }

    /// The action of a zone for a listing; other formats have no actions.
    private RpzAction action(Listing listing) {
        if (options.format() != ExportFormat.RPZ) {
            return RpzAction.NXDOMAIN;
        }
        if (listing.feed().equals(LocalRules.LAYER)) {
            return options.findAction(listing.category()).orElse(options.defaultAction());
        }
        return listing.source() instanceof ListingSource.OfFeed feed
                ? action(listing.category(), feed.action())
                : RpzAction.NONE;
    }

    private int assignCode(ZonePolicy policy) throws IOException {
        Integer code = codes.get(policy);
        if (code != null) {
            return code;
        }
        if (policies.size() > MAX_SOURCES) {
            throw new IOException("more than " + MAX_SOURCES + " different feeds and actions");
        }
        codes.put(policy, policies.size());
        policies.add(policy);
        return policies.size() - 1;
    }

    private void leaveOut(String reason) {
        leftOut.merge(reason, 1L, Long::sum);
    }
}
