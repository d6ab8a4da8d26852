package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.core.url.Host;
import org.bloomgate.lists.export.ExportSource.ExportLayer;
import org.bloomgate.lists.export.Statement.Excepted;
import org.bloomgate.lists.export.Statement.Listed;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.lookup.Action;
import org.bloomgate.lookup.lookup.EntryOrigin;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.lookup.ListingException;
import org.bloomgate.lookup.lookup.ListingSource;
import org.bloomgate.lookup.lookup.LocalRules;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.SortedStores;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.store.StoredListings;

/// One writing of an export. Feeds in shadow mode are left out, and what is excepted for everybody.
///
/// Heap is bounded whatever the number of listings: they are sorted outside memory. Not thread-safe.
public final class Export {
    private static final long SORT_BYTES = 24L << 20;
    private static final int MAX_SOURCES = 65_535;

    private final String name;
    private final ExportOptions options;
    private final ExportSource source;
    private final boolean forOthers;
    private final SortedStores stores;
    private final Optional<KeyKind> onlyKind;
    private final List<ListingException> exceptions;
    private final ExceptedKeys excepted;
    private final List<Statement> statements = new ArrayList<>();
    private final Map<Statement, Integer> codes = new HashMap<>();
    private final Map<String, Long> leftOut = new HashMap<>();
    private final Set<String> notRedistributed = new TreeSet<>();
    private final Map<String, String> attributions = new LinkedHashMap<>();

    /// @param forOthers leaves out the feeds whose licence does not let them leave this site
    public Export(String name, ExportOptions options, ExportSource source, boolean forOthers, SortedStores stores) {
        this.name = name;
        this.options = options;
        this.source = source;
        this.forOthers = forOthers;
        this.stores = stores;
        this.onlyKind = options.format() == ExportFormat.TXT ? Optional.of(kindOfLists()) : Optional.empty();
        this.exceptions = source.local()
                .exceptions()
                .filter(one -> one.forEverybody() && one.fromAnybody())
                .toList();
        this.excepted = new ExceptedKeys(exceptions, feeds().toList());
    }

    private Stream<ManifestFeed> feeds() {
        return source.layers().stream().flatMap(layer -> layer.feeds().stream());
    }

    /// The kind of the first feed that is named, domains if none is: a plain file holds values of one kind.
    private KeyKind kindOfLists() {
        return options.lists().stream()
                .filter(list -> list.type() == ExportList.Type.FEED)
                .flatMap(list -> feeds().filter(feed -> feed.name().equals(list.name())))
                .map(ManifestFeed::kind)
                .map(FeedKind::kinds)
                .map(List::getFirst)
                .findFirst()
                .orElse(KeyKind.DOMAIN);
    }

    /// Whether a list that is named has no feed here and is not that of operators.
    public List<ExportList> unknownLists() {
        return options.lists().stream()
                .filter(list -> list.type() != ExportList.Type.LOCAL)
                .filter(list -> feeds().noneMatch(feed -> list.holds(feed.name(), feed.category(), false)))
                .toList();
    }

    /// @param work folder for the sort, made and deleted here
    /// @throws IOException if a store cannot be read, the disk fails, or the zone would have too many records
    public ExportReport write(ExportOutput out, Path work) throws IOException {
        DurableFiles.deleteTree(work);
        Files.createDirectories(work);
        try {
            if (options.format() == ExportFormat.JSONL) {
                forEachListing(listing -> addTo(out, listing));
            } else {
                writeSorted(out, work);
            }
            return new ExportReport(out.lines(), leftOut, List.copyOf(notRedistributed));
        } finally {
            DurableFiles.deleteTree(work);
        }
    }

    private void addTo(ExportOutput out, Listing listing) throws IOException {
        if (excepted.cover(listing)) {
            leaveOut("excepted");
        } else {
            out.json(listing);
        }
    }

    private void writeSorted(ExportOutput out, Path work) throws IOException {
        ExternalSort sort = new ExternalSort(work, SORT_BYTES);
        NetworkRecords networks = new NetworkRecords(out::network);
        ExceptedPlaces places = addExceptions(sort, networks);
        forEachListing(listing -> add(listing, places, sort));
        out.begin(attributions);
        NameRecords names = new NameRecords(out::name);
        try (KeyCursor key = sort.finish(new BitSet(), _ -> {}).open()) {
            while (key.next()) {
                List<Statement> about = new ArrayList<>(key.sources());
                for (int i = 0; i < key.sources(); i++) {
                    about.add(statements.get(key.source(i)));
                }
                switch (KeyKind.ofWireCode(key.kindCode()).orElseThrow()) {
                    case DOMAIN -> names.add(Arrays.copyOfRange(key.bytes(), 1, key.end()), about);
                    case NETWORK -> write(AddressBlock.ofBytes(key.bytes(), 1, key.end()), about, networks);
                    default -> out.value(new String(key.bytes(), 1, key.end() - 1, UTF_8));
                }
            }
        }
        out.leftOut().forEach((reason, count) -> leftOut.merge(reason, count, Long::sum));
    }

    private void write(AddressBlock block, List<Statement> about, NetworkRecords networks) throws IOException {
        if (options.format() == ExportFormat.RPZ) {
            networks.addNested(block, about);
        } else {
            networks.addWhole(block, about);
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
                try (SortedStore store = stores.open(layer.exact())) {
                    for (KeyKind kind : KeyKind.values()) {
                        if (isWanted(kind)) {
                            walk(store, kind, feeds, sink);
                        }
                    }
                }
            }
        }
        for (Listing listing : source.local().listings()) {
            if (isWanted(listing.key().kind()) && options.holds(LocalRules.LAYER, listing.category(), true)) {
                sink.listing(listing);
            }
        }
    }

    private static void walk(SortedStore store, KeyKind kind, Map<String, ManifestFeed> feeds, Sink sink)
            throws IOException {
        List<Optional<ManifestFeed>> byPosition = store.feeds().stream()
                .map(feed -> Optional.ofNullable(feeds.get(feed.name())))
                .toList();
        try (StoreCursor key = store.cursor(kind)) {
            while (key.next()) {
                StoredListings stored = key.stored();
                boolean included = false;
                for (int i = 0; i < stored.size(); i++) {
                    included |= byPosition.get(stored.feed(i)).isPresent();
                }
                if (included) {
                    for (Listing listing : store.dictionary().listings(key.key(), key.value())) {
                        ManifestFeed feed = feeds.get(listing.feed());
                        if (feed != null) {
                            sink.listing(listing.counting(feed.listedBy()));
                        }
                    }
                }
            }
        }
    }

    /// Passwords are digests of what must not be seen, whatever the format.
    private boolean isWanted(KeyKind kind) {
        return !kind.rules().isSecret()
                && onlyKind.map(kind::equals)
                        .orElse(options.format().kinds().isEmpty()
                                || options.format().kinds().contains(kind));
    }

    private boolean isIncluded(ManifestFeed feed) {
        boolean named = options.holds(feed.name(), feed.category(), false)
                && !feed.shadow()
                && feed.kind().kinds().stream().anyMatch(this::isWanted);
        if (named && forOthers && !feed.redistribute()) {
            notRedistributed.add(feed.name());
        }
        return named
                && (!forOthers || feed.redistribute())
                && !source.confirmed().contains(feed.name())
                && (options.format() != ExportFormat.RPZ
                        || (feed.use().contains(Use.LINK)
                                && !action(feed.category(), feed.action()).equals(RpzAction.NONE)));
    }

    private RpzAction action(String category, Optional<Action> cap) {
        boolean rejects =
                cap.orElse(Action.REJECT) == Action.REJECT && source.rejects().test(category);
        return options.action(category).orElse(rejects ? options.defaultAction() : RpzAction.NONE);
    }

    /// Exceptions by place, for formats that cannot say that something below a name is not listed.
    private static final class ExceptedPlaces {
        private final NavigableMap<byte[], List<Excepted>> names = new TreeMap<>(Arrays::compareUnsigned);

        boolean areBelow(byte[] name, Listed listed) {
            byte[] first = Arrays.copyOf(name, name.length + 1);
            for (Map.Entry<byte[], List<Excepted>> one : names.tailMap(first).entrySet()) {
                if (!ReversedName.isBelow(one.getKey(), name)) {
                    return false;
                }
                if (one.getValue().stream().anyMatch(by -> by.overrides(listed, false))) {
                    return true;
                }
            }
            return false;
        }
    }

    private ExceptedPlaces addExceptions(ExternalSort sort, NetworkRecords networks) throws IOException {
        ExceptedPlaces places = new ExceptedPlaces();
        Map<AddressBlock, List<Excepted>> blocks = new HashMap<>();
        for (ListingException one : exceptions) {
            Excepted excepted = new Excepted(
                    one.scope().feed(), one.scope().category(), one.match(), one.at() == EntryOrigin.PUBLISHER, false);
            add(one.key(), excepted, places, blocks, sort);
        }
        for (ManifestFeed feed : feeds().toList()) {
            Excepted excepted = new Excepted(Optional.of(feed.name()), Optional.empty(), Match.SUFFIX, false, true);
            for (Key key : feed.exceptions()) {
                add(key, excepted, places, blocks, sort);
            }
        }
        blocks.forEach(networks::except);
        return places;
    }

    private void add(
            Key key,
            Excepted excepted,
            ExceptedPlaces places,
            Map<AddressBlock, List<Excepted>> blocks,
            ExternalSort sort)
            throws IOException {
        if (!isWanted(key.kind())) {
            return;
        }
        if (key.kind() == KeyKind.DOMAIN && DomainName.parse(key.text()).isPresent()) {
            byte[] name = ReversedName.of(key.text());
            places.names.computeIfAbsent(name, _ -> new ArrayList<>()).add(excepted);
            sort.add(KeyKind.DOMAIN.wireCode(), name, code(excepted), 0);
        } else if (key.kind() == KeyKind.NETWORK) {
            AddressBlock block = AddressBlock.parse(key.text());
            blocks.computeIfAbsent(block, _ -> new ArrayList<>()).add(excepted);
            sort.add(KeyKind.NETWORK.wireCode(), block.bytes(), code(excepted), 0);
        }
    }

    private void add(Listing listing, ExceptedPlaces places, ExternalSort sort) throws IOException {
        Key key = listing.key();
        Listed listed = listed(listing);
        switch (key.kind()) {
            case DOMAIN -> {
                if (!fits(key.text())) {
                    leaveOut("no names of this format");
                    return;
                }
                byte[] name = ReversedName.of(key.text());
                boolean alone = options.format() == ExportFormat.HOSTS
                        || (options.format() == ExportFormat.TXT && places.areBelow(name, listed));
                sort.add(KeyKind.DOMAIN.wireCode(), name, code(alone ? listed.alone() : listed), 0);
            }
            case NETWORK ->
                sort.add(
                        KeyKind.NETWORK.wireCode(),
                        key.bytes(),
                        code(new Listed(listed.feed(), listed.category(), Match.SUFFIX, listed.action(), listed.own())),
                        0);
            default -> {
                if (excepted.cover(listing)) {
                    leaveOut("excepted");
                } else {
                    sort.add(key.kind().wireCode(), key.text().getBytes(UTF_8), code(listed), 0);
                }
            }
        }
    }

    private Listed listed(Listing listing) {
        boolean rpz = options.format() == ExportFormat.RPZ;
        boolean own = listing.listedBy().equals(new ListingSource.Operators(EntryOrigin.HERE));
        RpzAction action = listing.feed().equals(LocalRules.LAYER)
                ? options.action(listing.category()).orElse(options.defaultAction())
                : listing.listedBy() instanceof ListingSource.OfFeed feed
                        ? action(listing.category(), feed.action())
                        : RpzAction.NONE;
        return new Listed(listing.feed(), listing.category(), listing.match(), rpz ? action : RpzAction.NXDOMAIN, own);
    }

    /// Whether a name, with a wildcard before it and the name of a zone behind it, is one.
    private boolean fits(String text) {
        int more = options.format() == ExportFormat.RPZ ? "*.".length() + 1 + name.length() : 0;
        return text.length() + more <= Host.MAX_NAME_BYTES
                && DomainName.parse(text).isPresent();
    }

    private int code(Statement statement) throws IOException {
        Integer known = codes.get(statement);
        if (known != null) {
            return known;
        }
        if (statements.size() > MAX_SOURCES) {
            throw new IOException("more than " + MAX_SOURCES + " different feeds, categories and exceptions");
        }
        codes.put(statement, statements.size());
        statements.add(statement);
        return statements.size() - 1;
    }

    private void leaveOut(String reason) {
        leftOut.merge(reason, 1L, Long::sum);
    }
}
