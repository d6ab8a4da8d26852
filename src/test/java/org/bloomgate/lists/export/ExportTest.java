package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lists.export.ExportSource.ExportLayer;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoreWriter;
import org.bloomgate.lookup.store.StoredListings;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.EntryOrigin;
import org.bloomgate.lookup.tier.Exceptions;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LocalRules;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportTest {
    private static final Instant SEEN = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);

    @TempDir
    Path folder;

    private Path exact;
    private final List<Listing> local = new ArrayList<>();
    private final List<ListingException> exceptions = new ArrayList<>();
    private final List<ManifestFeed> feeds = new ArrayList<>();

    private record Row(KeyKind kind, String text, int feed) {}

    /// Feed 0 lists domains for phishing, 1 networks of botnets, 2 domains of trackers, 3 URLs, 4 domains on trial.
    @BeforeEach
    void store() throws IOException {
        feeds.add(feed("names", FeedKind.DOMAIN, "phishing", false, true));
        feeds.add(feed("nets", FeedKind.NETWORK, "botnet", false, false));
        feeds.add(feed("ads", FeedKind.DOMAIN, "tracking", false, true));
        feeds.add(feed("urls", FeedKind.URL, "malware", false, false));
        feeds.add(feed("trial", FeedKind.DOMAIN, "phishing", true, true));
        exact = folder.resolve("exact");
        List<Row> rows = List.of(
                new Row(KeyKind.DOMAIN, "bad.example", 0),
                new Row(KeyKind.DOMAIN, "sub.bad.example", 0),
                new Row(KeyKind.DOMAIN, "worse.example", 0),
                new Row(KeyKind.DOMAIN, "192.0.2.77", 0),
                new Row(KeyKind.DOMAIN, "ads.example", 2),
                new Row(KeyKind.DOMAIN, "trial.example", 4),
                new Row(KeyKind.URL, "bad.example/login", 3),
                new Row(KeyKind.URL, "fine.example/a/b", 3),
                new Row(KeyKind.NETWORK, "192.0.2.0/24", 1),
                new Row(KeyKind.NETWORK, "2001:db8::/32", 1));
        try (StoreWriter writer = StoreWriter.create(
                exact,
                feeds.stream()
                        .map(feed -> new ListedFeed(feed.name(), feed.category(), feed.match(), feed.use()))
                        .toList())) {
            StoredListings listings = new StoredListings();
            for (Row row : sorted(rows)) {
                byte[] key = new Key(row.kind(), row.text()).bytes();
                listings.clear();
                listings.add(row.feed(), SEEN.getEpochSecond(), SEEN.getEpochSecond(), 0);
                writer.put(row.kind(), key, 0, key.length, listings);
            }
            writer.finish();
        }
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream()
                .sorted(Comparator.<Row>comparingInt(row -> row.kind().wireCode())
                        .thenComparing(row -> new Key(row.kind(), row.text()).bytes(), Arrays::compareUnsigned))
                .toList();
    }

    private static ManifestFeed feed(
            String name, FeedKind kind, String category, boolean shadow, boolean redistribute) {
        return new ManifestFeed(
                name,
                kind,
                category,
                Match.SUFFIX,
                Set.of(Use.LINK),
                Optional.empty(),
                shadow,
                redistribute,
                "nightly",
                "list.txt",
                "source",
                Optional.of(SEEN),
                1,
                1,
                0,
                0,
                0,
                1,
                List.of());
    }

    private void list(KeyKind kind, String text) {
        list(kind, text, Match.SUFFIX);
    }

    private void list(KeyKind kind, String text, Match match) {
        local.add(new Listing(
                LocalRules.LAYER,
                LocalRules.LAYER,
                new Key(kind, text),
                match,
                Set.of(Use.values()),
                SEEN,
                SEEN,
                0,
                new ListingSource.Operators(EntryOrigin.HERE, Optional.empty())));
    }

    private void except(KeyKind kind, String text, Optional<String> feed) {
        // an exception of a network is for all its addresses, whatever its match
        exceptions.add(Exceptions.of(
                new Key(kind, text),
                kind == KeyKind.NETWORK ? Match.EXACT : Match.SUFFIX,
                new Entry.Scope(feed, Optional.empty(), Optional.empty())));
    }

    private ExportSource source() {
        return new ExportSource(
                List.of(new ExportLayer(exact, feeds)),
                new LocalRules(local, exceptions, 1),
                category -> !category.equals("tracking"),
                Set.of(),
                Map.of("names", "by Example Org"));
    }

    private static ExportOptions options(ExportFormat format, String... lists) {
        return new ExportOptions(Stream.of(lists).map(ExportList::of).toList(), format, "", Map.of());
    }

    private String content(ExportOptions options, boolean forOthers) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report = ExportFile.print(
                out,
                "rpz.example",
                options.format(),
                new Export("rpz.example", options, source(), forOthers),
                folder.resolve("work"),
                NOW);
        assertFalse(Files.exists(folder.resolve("work")));
        return out.toString(UTF_8);
    }

    private ExportReport report = new ExportReport(0, 0, Map.of(), List.of());

    @Test
    void zone_hasNamesNetworksAndExceptions() throws IOException {
        list(KeyKind.DOMAIN, "mine.example");
        except(KeyKind.DOMAIN, "good.bad.example", Optional.empty());
        except(KeyKind.NETWORK, "192.0.2.9/32", Optional.empty());
        except(KeyKind.DOMAIN, "worse.example", Optional.of("names"));

        assertEquals("""
            $ORIGIN rpz.example.
            $TTL 300
            @ SOA localhost. nobody.invalid. 1800000000 3600 600 604800 60
            @ NS localhost.
            ; names: by Example Org
            bad.example CNAME .
            *.bad.example CNAME .
            good.bad.example CNAME rpz-passthru.
            *.good.bad.example CNAME rpz-passthru.
            mine.example CNAME .
            *.mine.example CNAME .
            24.0.2.0.192.rpz-ip CNAME .
            32.9.2.0.192.rpz-ip CNAME rpz-passthru.
            32.zz.db8.2001.rpz-ip CNAME .
            """, content(options(ExportFormat.RPZ), false));
        assertEquals(
                "9 lines; left out: 1 domain values that the format cannot hold; left out: 1 excepted",
                report.toString());
    }

    @Test
    void actions_areByCategory() throws IOException {
        ExportOptions options = new ExportOptions(
                List.of(),
                ExportFormat.RPZ,
                "",
                Map.of(
                        "tracking",
                        RpzAction.of("nodata"),
                        "botnet",
                        RpzAction.of("none"),
                        "default",
                        RpzAction.of("drop")));
        String zone = content(options, false);
        assertTrue(zone.contains("\nads.example CNAME *.\n"), zone);
        assertTrue(zone.contains("\nbad.example CNAME rpz-drop.\n"), zone);
        assertFalse(zone.contains("rpz-ip"), zone);
    }

    @Test
    void squidList_doesNotCoverWhatIsExceptedBelow() throws IOException {
        list(KeyKind.DOMAIN, "mine.example");
        except(KeyKind.DOMAIN, "good.bad.example", Optional.empty());

        assertEquals(
                "# names: by Example Org\n192.0.2.77\nbad.example\n.sub.bad.example\n.worse.example\n.mine.example\n"
                        .lines()
                        .sorted()
                        .toList(),
                content(options(ExportFormat.TXT, "feed:names", "local"), false)
                        .lines()
                        .sorted()
                        .toList());
    }

    @Test
    void hostsFile_namesEachNameAlone() throws IOException {
        except(KeyKind.DOMAIN, "sub.bad.example", Optional.empty());

        assertEquals(
                "# names: by Example Org\n0.0.0.0 bad.example\n0.0.0.0 worse.example\n",
                content(options(ExportFormat.HOSTS, "feed:names"), false));
    }

    @ParameterizedTest
    @CsvSource({
        "RPZ, '*.below.example CNAME .', ''",
        "TXT, '*.below.example', ''",
        "HOSTS, '', '1 names below a domain, which the format cannot hold'",
        "JSONL, '\"match\":\"below\"', ''"
    })
    void namesBelowDomain_areNoListingOfIt(ExportFormat format, String line, String leftOut) throws IOException {
        list(KeyKind.DOMAIN, "below.example", Match.BELOW);
        except(KeyKind.DOMAIN, "ok.other.example", Optional.empty());
        String content = content(options(format, "local"), false);
        assertEquals(
                line.isEmpty() ? 0 : 1,
                content.lines().filter(text -> text.contains("below")).count(),
                content);
        assertTrue(content.contains(line), content);
        assertTrue(report.toString().contains(leftOut), report.toString());
    }

    @Test
    void namesBelowDomain_staySoWithExceptionOfDomain() throws IOException {
        list(KeyKind.DOMAIN, "below.example", Match.BELOW);
        exceptions.add(Exceptions.of(
                new Key(KeyKind.DOMAIN, "below.example"),
                Match.EXACT,
                new Entry.Scope(Optional.empty(), Optional.empty(), Optional.empty())));
        String zone = content(options(ExportFormat.RPZ, "local"), false);
        assertTrue(zone.contains("\n*.below.example CNAME .\n"), zone);
        assertFalse(zone.contains("\nbelow.example CNAME .\n"), zone);
    }

    @Test
    void nginxRules_leaveOutAnExceptedAddress() throws IOException {
        except(KeyKind.NETWORK, "192.0.2.0/25", Optional.empty());
        except(KeyKind.NETWORK, "192.0.2.192/26", Optional.of("nets"));
        except(KeyKind.NETWORK, "2001:db8::/32", Optional.of("names"));

        assertEquals(
                "deny 192.0.2.128/26;\ndeny 2001:db8::/32;\n",
                content(options(ExportFormat.NGINX, "category:botnet"), false));
    }

    @Test
    void urlList_followsExceptionsOfHosts() throws IOException {
        except(KeyKind.DOMAIN, "bad.example", Optional.empty());

        assertEquals("fine.example/a/b\n", content(options(ExportFormat.TXT, "feed:urls"), false));
        assertEquals("1 lines; left out: 1 excepted", report.toString());
    }

    @Test
    void jsonLines_haveEachListing() throws IOException {
        assertEquals(
                "{\"kind\":\"url\",\"value\":\"bad.example/login\",\"match\":\"suffix\",\"feed\":\"urls\","
                        + "\"category\":\"malware\",\"firstSeen\":\"2026-01-02T03:04:05Z\","
                        + "\"lastSeen\":\"2026-01-02T03:04:05Z\"}",
                content(options(ExportFormat.JSONL, "category:malware"), false)
                        .lines()
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void exportForOthers_hasOnlyWhatMayBePassedOn() throws IOException {
        list(KeyKind.NETWORK, "198.51.100.0/24");

        assertEquals("deny 198.51.100.0/24;\n", content(options(ExportFormat.NGINX), true));
        assertEquals(List.of("nets"), report.notRedistributed());
    }

    @Test
    void file_isReplacedOnlyWhenItsContentChanges() throws IOException {
        Path file = folder.resolve("zone");
        assertTrue(replace(file, NOW));
        String first = Files.readString(file);
        assertFalse(replace(file, NOW.plusSeconds(60)));
        assertEquals(first, Files.readString(file));

        list(KeyKind.DOMAIN, "mine.example");
        assertTrue(replace(file, NOW.minusSeconds(3_600)));
        assertTrue(Files.readString(file).contains(" 1800000001 "), "the clock went back, the serial does not");

        local.clear();
        assertTrue(replace(file, NOW.plusSeconds(120)));
        assertEquals(first.replace("1800000000", "1800000120"), Files.readString(file));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(2, left.count());
        }
    }

    private boolean replace(Path file, Instant now) throws IOException {
        Export export = new Export("rpz.example", options(ExportFormat.RPZ), source(), false);
        return ExportFile.replace(file, "rpz.example", ExportFormat.RPZ, export, folder.resolve("work"), now)
                .changed();
    }

    @Test
    void zoneHasABoundOfRecords() throws IOException {
        try (ExportOutput out = new ExportOutput("z.example", ExportFormat.RPZ, 1, 2, new ByteArrayOutputStream())) {
            out.writeName("bad.example", RpzAction.NXDOMAIN, RpzAction.NXDOMAIN);
            assertThrows(IOException.class, () -> out.writeName("b.example", RpzAction.NXDOMAIN, RpzAction.NONE));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 24.0.2.0.192.rpz-ip",
        "198.51.100.7/32, 32.7.100.51.198.rpz-ip",
        "2001:db8::/32, 32.zz.db8.2001.rpz-ip",
        "2001:db8::1/128, 128.1.zz.db8.2001.rpz-ip",
        "2001:db8:0:1:0:0:0:1/128, 128.1.zz.1.0.db8.2001.rpz-ip",
        "2001:db8:1:0:2:3:4:5/128, 128.5.4.3.2.0.1.db8.2001.rpz-ip",
        "2001:db8:0:0:1:0:0:1/128, 128.1.0.0.1.zz.db8.2001.rpz-ip",
        "::/8, 8.zz.rpz-ip"
    })
    void network_isATriggerName(String network, String trigger) {
        assertEquals(trigger, ExportOutput.toTriggerName(AddressBlock.parse(network)));
    }

    @ParameterizedTest
    @CsvSource({"feed:openphish", "category:phishing", "local"})
    void list_isReadAsWritten(String text) {
        assertEquals(text, ExportList.of(text).toString());
    }

    @ParameterizedTest
    @CsvSource({"feed:", "feeds:x", "x", "local:x"})
    void otherText_isNoList(String text) {
        assertThrows(IllegalArgumentException.class, () -> ExportList.of(text));
    }

    @ParameterizedTest
    @CsvSource({"passthru", "cname:", "cname:a b", "NXDOMAIN"})
    void otherText_isNoAction(String text) {
        assertThrows(IllegalArgumentException.class, () -> RpzAction.of(text));
    }

    @Test
    void actionOfAFeed_keepsItOutOfTheZone() throws IOException {
        ManifestFeed names = feeds.getFirst();
        feeds.set(
                0,
                new ManifestFeed(
                        names.name(),
                        names.kind(),
                        names.category(),
                        names.match(),
                        names.use(),
                        Optional.of(Action.TAG),
                        false,
                        true,
                        names.cadence(),
                        names.source(),
                        names.from(),
                        names.seen(),
                        1,
                        1,
                        0,
                        0,
                        0,
                        1,
                        List.of()));
        assertFalse(content(options(ExportFormat.RPZ), false).contains("bad.example"));
    }
}
