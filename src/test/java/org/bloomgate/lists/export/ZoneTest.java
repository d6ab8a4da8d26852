package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.bloomgate.lookup.tier.Entry.Scope;
import org.bloomgate.lookup.tier.Exceptions;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LocalRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whole response policy zones and lists of names.
class ZoneTest {
    private static final Instant SEEN = Instant.parse("2026-01-02T03:04:05Z");
    private static final String ZONE = "rpz.example";

    /// Each category has an action of its own, and each feed a category: the first half lists names with all below.
    private static final List<String> ACTIONS = List.of("nxdomain", "nodata", "drop", "cname:warning.example");

    private static final int FEEDS = 2 * ACTIONS.size();

    @TempDir
    Path folder;

    private final Map<Key, Set<Integer>> listed = new TreeMap<>((one, other) -> one.kind() != other.kind()
            ? Integer.compare(one.kind().wireCode(), other.kind().wireCode())
            : Arrays.compareUnsigned(one.bytes(), other.bytes()));
    private final List<ListingException> exceptions = new ArrayList<>();
    private final Map<Integer, List<Key>> ofFeeds = new HashMap<>();
    private int stores;
    private ExportReport report = new ExportReport(0, 0, Map.of(), List.of());

    private static Key domain(String name) {
        return new Key(KeyKind.DOMAIN, name);
    }

    private void list(int feed, String name) {
        listed.computeIfAbsent(domain(name), _ -> new LinkedHashSet<>()).add(feed);
    }

    private void except(String name, Match match, Optional<String> feed) {
        exceptions.add(Exceptions.of(domain(name), match, new Scope(feed, Optional.empty(), Optional.empty())));
    }

    private static Match match(int feed) {
        return feed < ACTIONS.size() ? Match.SUFFIX : Match.EXACT;
    }

    private ManifestFeed feed(int i) {
        return new ManifestFeed(
                "f" + i,
                FeedKind.DOMAIN,
                "c" + i % ACTIONS.size(),
                match(i),
                Set.of(Use.LINK),
                Optional.empty(),
                false,
                true,
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
                ofFeeds.getOrDefault(i, List.of()));
    }

    private String export(ExportFormat format, int maxRecords) throws IOException {
        List<ManifestFeed> feeds =
                IntStream.range(0, FEEDS).mapToObj(this::feed).toList();
        Path exact = folder.resolve("exact" + stores++);
        try (StoreWriter writer = StoreWriter.create(
                exact,
                feeds.stream()
                        .map(feed -> new ListedFeed(feed.name(), feed.category(), feed.match(), feed.use()))
                        .toList())) {
            StoredListings listings = new StoredListings();
            for (Map.Entry<Key, Set<Integer>> one : listed.entrySet()) {
                byte[] key = one.getKey().bytes();
                listings.clear();
                one.getValue().stream()
                        .sorted()
                        .forEach(feed -> listings.add(feed, SEEN.getEpochSecond(), SEEN.getEpochSecond(), 0));
                writer.put(one.getKey().kind(), key, 0, key.length, listings);
            }
            writer.finish();
        }
        Map<String, RpzAction> actions = new HashMap<>();
        if (format == ExportFormat.RPZ) {
            for (int i = 0; i < ACTIONS.size(); i++) {
                actions.put("c" + i, RpzAction.of(ACTIONS.get(i)));
            }
        }
        Export export = new Export(
                ZONE,
                new ExportOptions(List.of(), format, "", actions),
                new ExportSource(
                        List.of(new ExportLayer(exact, feeds)),
                        new LocalRules(List.of(), exceptions, 1),
                        _ -> true,
                        Set.of(),
                        Map.of()),
                false);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ExportOutput out = new ExportOutput(ZONE, format, 1, maxRecords, bytes)) {
            report = export.write(out, folder.resolve("work"));
        }
        return bytes.toString(UTF_8);
    }

    private Map<String, RpzAction> records() throws IOException {
        return records(export(ExportFormat.RPZ, ExportOutput.MAX_RECORDS));
    }

    /// Records by owner.
    private static Map<String, RpzAction> records(String zone) {
        Map<String, RpzAction> records = new TreeMap<>();
        zone.lines().filter(line -> line.contains(" CNAME ")).forEach(line -> {
            String[] parts = line.split(" ", -1);
            RpzAction action = switch (parts[2]) {
                case "." -> RpzAction.NXDOMAIN;
                case "*." -> RpzAction.of("nodata");
                case "rpz-drop." -> RpzAction.of("drop");
                case "rpz-passthru." -> RpzAction.PASSTHRU;
                default -> RpzAction.of("cname:" + parts[2]);
            };
            assertEquals(null, records.put(parts[0], action), line);
        });
        return records;
    }

    /// An oracle that reads the rules to the letter, and one that answers as RFC 1034, section 4.3.2 and RFC
    /// 4592 say.
    @ParameterizedTest
    @CsvSource({"1, 40", "2, 200", "3, 300", "4, 60", "5, 120", "6, 250"})
    void resolverWithTheZone_agreesWithTheLists(int seed, int count) throws IOException {
        Random random = new Random(seed);
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < count) {
            String name = "example";
            for (int depth = 1 + random.nextInt(6); depth > 0; depth--) {
                name = "abcd".charAt(random.nextInt(4)) + (random.nextInt(3) == 0 ? "x" : "") + "." + name;
            }
            names.add(name);
        }
        for (String name : names) {
            int feed = random.nextInt(FEEDS);
            Match match = random.nextBoolean() ? Match.SUFFIX : Match.EXACT;
            switch (random.nextInt(6)) {
                case 0 -> except(name, match, Optional.empty());
                case 1 -> except(name, match, Optional.of("f" + feed));
                case 2 -> ofFeeds.computeIfAbsent(feed, _ -> new ArrayList<>()).add(domain(name));
                default -> list(feed, name);
            }
            if (random.nextInt(3) == 0) {
                list(random.nextInt(FEEDS), name);
            }
        }
        Map<String, RpzAction> records = records();
        Set<String> asked = new LinkedHashSet<>(names);
        names.forEach(name -> {
            asked.add("q." + name);
            asked.add("a.q." + name);
            asked.add(name.substring(name.indexOf('.') + 1));
        });
        int blocked = 0;
        for (String name : asked) {
            RpzAction expected = expected(name);
            RpzAction answered = resolved(name, records);
            assertEquals(expected, answered.blocks() ? answered : RpzAction.NONE, name);
            blocked += expected.blocks() ? 1 : 0;
        }
        assertTrue(blocked > asked.size() / 10 && blocked < asked.size(), blocked + " of " + asked.size());
    }

    private RpzAction expected(String asked) {
        RpzAction hardest = RpzAction.NONE;
        for (Map.Entry<Key, Set<Integer>> at : listed.entrySet()) {
            for (int feed : at.getValue()) {
                String name = at.getKey().text();
                RpzAction action = RpzAction.of(ACTIONS.get(feed % ACTIONS.size()));
                if (covers(name, match(feed), asked)
                        && !isExcepted("f" + feed, name, asked)
                        && action.compareTo(hardest) > 0) {
                    hardest = action;
                }
            }
        }
        return hardest;
    }

    private boolean isExcepted(String feed, String listedAt, String asked) {
        return exceptions.stream()
                        .anyMatch(one -> covers(one.key().text(), one.match(), asked)
                                && one.scope().feed().map(feed::equals).orElse(true))
                || ofFeeds.entrySet().stream()
                        .filter(one -> feed.equals("f" + one.getKey()))
                        .flatMap(one -> one.getValue().stream())
                        .anyMatch(key -> covers(key.text(), Match.SUFFIX, asked)
                                && listedAt.length() <= key.text().length());
    }

    private static boolean covers(String at, Match match, String asked) {
        return asked.equals(at) || (match == Match.SUFFIX && asked.endsWith("." + at));
    }

    private static RpzAction resolved(String asked, Map<String, RpzAction> records) {
        if (exists(asked, records)) {
            return records.getOrDefault(asked, RpzAction.NONE);
        }
        String encloser = asked;
        while (!exists(encloser, records)) {
            int dot = encloser.indexOf('.');
            if (dot < 0) {
                return RpzAction.NONE;
            }
            encloser = encloser.substring(dot + 1);
        }
        return records.getOrDefault("*." + encloser, RpzAction.NONE);
    }

    /// A name exists if it or a name below it has a record.
    private static boolean exists(String name, Map<String, RpzAction> records) {
        return records.keySet().stream().anyMatch(owner -> owner.equals(name) || owner.endsWith("." + name));
    }

    @Test
    void exceptionOfAFeed_isWrittenOnlyWhereTheZoneBlocks() throws IOException {
        list(0, "bad.example");
        ofFeeds.put(0, List.of(domain("good.bad.example"), domain("other.example")));

        assertEquals(
                "{*.bad.example=nxdomain, *.good.bad.example=passthru, bad.example=nxdomain,"
                        + " good.bad.example=passthru}",
                records().toString());
        assertEquals("4 lines; 2 for exceptions of feeds", report.toString());
    }

    /// Names that are something else in the format, by every spelling that a feed of domains can hold.
    @Test
    void namesWithAMeaningInTheFormat_areNoNames() throws IOException {
        List<String> triggers = Stream.of("rpz-ip", "rpz-client-ip", "rpz-nsip", "rpz-nsdname", "rpz-drop", "rpz-new")
                .flatMap(label -> Stream.of(label, "8.0.0.0.10." + label, "ns.test." + label, "128.1.zz." + label))
                .toList();
        triggers.forEach(name -> list(0, name));
        List<String> names = List.of("rpz-ip.bad.example", "include.example", "xrpz-ip.example");
        names.forEach(name -> list(0, name));
        list(0, "192.0.2.7");
        list(0, "localhost");

        Map<String, RpzAction> zone = records();
        assertEquals(
                Stream.concat(names.stream(), Stream.of("localhost"))
                        .flatMap(name -> Stream.of(name, "*." + name))
                        .collect(Collectors.toCollection(TreeSet::new)),
                zone.keySet());
        assertEquals(Map.of("domain values that the format cannot hold", triggers.size() + 1L), report.leftOut());

        assertFalse(export(ExportFormat.HOSTS, ExportOutput.MAX_RECORDS).contains("localhost"));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.77.5, 192.0.77.5, ''",
        "[2001:db8:5::1], [2001:db8:5::1], ''",
        "-a-.-b.example, .-a-.-b.example, 0.0.0.0 -a-.-b.example",
        "a_b.example, .a_b.example, 0.0.0.0 a_b.example",
        "a%20b.example, '', ''"
    })
    void unusualHost_isInEachFormatThatCanHoldIt(String host, String value, String line) throws IOException {
        list(0, host);
        assertEquals(value, export(ExportFormat.TXT, ExportOutput.MAX_RECORDS).strip());
        assertEquals(value.isEmpty() ? 1 : 0, report.leftOut().size());
        list(0, "z.example");
        assertEquals(
                (line + "\n0.0.0.0 z.example").strip(),
                export(ExportFormat.HOSTS, ExportOutput.MAX_RECORDS).strip());
        assertEquals(line.isEmpty() ? 1 : 0, report.leftOut().size());
    }

    /// Deep names within one of another action need a record for each name between.
    @ParameterizedTest
    @CsvSource({"120, 14", "90, 14", "1000, 86"})
    void feedBeyondItsShare_isLeftOutAlone(int maxRecords, int lines) throws IOException {
        for (int i = 0; i < 5; i++) {
            list(0, "bad" + i + ".example");
        }
        list(1, "deep.example");
        list(1, "fine.example");
        for (int i = 0; i < 4; i++) {
            list(2, "a.b.c.d.e.f.g.h.i" + i + ".deep.example");
        }
        export(ExportFormat.RPZ, maxRecords);

        assertEquals(lines, report.lines());
        assertEquals(
                lines == 86 ? Set.of() : Set.of("records of f2, more than its share"),
                report.leftOut().keySet());
    }

    @Test
    void zoneOfOneFeed_mayBeOfThisFeedAlone() throws IOException {
        for (int i = 0; i < 30; i++) {
            list(0, "bad" + i + ".example");
        }
        export(ExportFormat.RPZ, 60);
        assertEquals("60 lines", report.toString());
    }
}
