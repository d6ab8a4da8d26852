package org.bloomgate;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rooms of the house and the doors between them, from bedrock to the top. The table, the code and what each
/// `package-info` says of its doors are held equal: a room without a line here fails, and so does a door
/// that nothing goes through.
class FloorPlanTest {
    private static final String HOUSE = "org.bloomgate.";
    private static final Path SOURCES = Path.of("src/main/java/org/bloomgate");

    /// The sentence of a `package-info` that lists the doors, and a room in it.
    private static final Pattern SENTENCE = Pattern.compile("Doors: (.*?)\\.( |$)");

    private static final Pattern ROOM = Pattern.compile("`([a-z]+)`");

    private static final Map<String, Set<String>> DOORS = Map.ofEntries(
            door("url"),
            door("archive"),
            door("background"),
            door("delta"),
            door("disk"),
            door("config", "disk"),
            door("audit", "disk"),
            door("filter"),
            door("html"),
            door("net"),
            door("picture"),
            door("range"),
            door("sort", "background"),
            door("contact", "background", "disk", "filter"),
            door("document", "archive", "html"),
            door("envelope", "net"),
            door("key", "url", "net"),
            door("tls", "disk"),
            door("text", "url", "archive", "html", "picture", "document", "key"),
            door("lookalike", "filter", "key"),
            door("message", "url", "archive", "html", "net", "picture", "document", "key", "text"),
            door("nexthop", "background", "disk", "envelope", "tls"),
            door("verdict", "key"),
            door("feed", "config", "disk", "net", "key", "verdict"),
            door("lookup", "filter", "range", "key", "verdict"),
            door("quarantine", "audit", "disk", "envelope", "nexthop"),
            door("rehearsal", "background", "key", "lookup"),
            door("format", "background", "url", "disk", "net", "key", "feed"),
            door("exact", "disk", "key", "verdict", "lookup"),
            door("journal", "background", "disk", "filter", "envelope", "key", "lookup"),
            door("local", "url", "background", "disk", "audit", "key", "verdict", "lookup"),
            door("password", "key", "verdict", "lookup"),
            door("policy", "config", "key", "verdict", "lookup"),
            door("snapshot", "background", "disk", "filter", "range", "key", "tls", "verdict", "lookup"),
            door("wire", "key", "verdict", "lookup"),
            door("account", "url", "config", "net", "key", "feed", "format", "snapshot"),
            door("fleet", "wire"),
            door("metrics", "filter", "key", "lookup", "local", "snapshot"),
            door(
                    "mirror",
                    "background",
                    "delta",
                    "disk",
                    "filter",
                    "net",
                    "key",
                    "tls",
                    "exact",
                    "local",
                    "snapshot",
                    "wire"),
            door(
                    "layer",
                    "background",
                    "delta",
                    "disk",
                    "filter",
                    "range",
                    "sort",
                    "key",
                    "verdict",
                    "feed",
                    "lookup",
                    "exact",
                    "journal",
                    "snapshot",
                    "account"),
            door(
                    "rebuild",
                    "background",
                    "disk",
                    "sort",
                    "key",
                    "verdict",
                    "feed",
                    "lookup",
                    "format",
                    "exact",
                    "journal",
                    "local",
                    "snapshot",
                    "account",
                    "layer"),
            door("redis", "background", "disk", "key", "lookup", "exact", "snapshot"),
            door("remote", "background", "net", "key", "tls", "verdict", "lookup", "wire"),
            door("probation", "background", "disk", "key", "verdict", "journal", "policy"),
            door("report", "feed", "key", "verdict", "lookup", "exact", "policy", "journal", "snapshot"),
            door("web", "background", "disk", "audit", "net", "key", "tls", "verdict", "policy", "metrics"),
            door(
                    "judge",
                    "disk",
                    "filter",
                    "net",
                    "range",
                    "contact",
                    "envelope",
                    "key",
                    "text",
                    "lookalike",
                    "message",
                    "verdict",
                    "lookup",
                    "exact",
                    "journal",
                    "local",
                    "password",
                    "policy",
                    "snapshot",
                    "remote"),
            door("prefix", "background", "filter", "key", "lookup", "password", "wire", "web"),
            door(
                    "console",
                    "audit",
                    "filter",
                    "key",
                    "verdict",
                    "feed",
                    "journal",
                    "snapshot",
                    "account",
                    "remote",
                    "judge"),
            door(
                    "dns",
                    "url",
                    "background",
                    "config",
                    "filter",
                    "net",
                    "range",
                    "key",
                    "verdict",
                    "feed",
                    "lookup",
                    "policy",
                    "judge"),
            door("transit", "contact", "envelope", "nexthop", "verdict", "journal", "policy", "judge"),
            door("hook", "net", "envelope", "journal", "policy", "web", "judge", "transit"),
            door(
                    "http",
                    "url",
                    "config",
                    "disk",
                    "audit",
                    "filter",
                    "net",
                    "key",
                    "verdict",
                    "lookup",
                    "quarantine",
                    "journal",
                    "local",
                    "password",
                    "snapshot",
                    "wire",
                    "fleet",
                    "metrics",
                    "report",
                    "web",
                    "judge",
                    "prefix",
                    "transit",
                    "hook"),
            door(
                    "milter",
                    "background",
                    "config",
                    "disk",
                    "net",
                    "envelope",
                    "lookup",
                    "journal",
                    "policy",
                    "judge",
                    "transit"),
            door(
                    "smtp",
                    "background",
                    "config",
                    "disk",
                    "net",
                    "envelope",
                    "tls",
                    "nexthop",
                    "verdict",
                    "lookup",
                    "quarantine",
                    "rehearsal",
                    "journal",
                    "policy",
                    "judge",
                    "transit"),
            door(
                    "gateway",
                    "url",
                    "background",
                    "config",
                    "disk",
                    "audit",
                    "net",
                    "contact",
                    "key",
                    "tls",
                    "text",
                    "lookalike",
                    "message",
                    "nexthop",
                    "verdict",
                    "feed",
                    "lookup",
                    "quarantine",
                    "format",
                    "exact",
                    "journal",
                    "local",
                    "policy",
                    "snapshot",
                    "wire",
                    "account",
                    "fleet",
                    "metrics",
                    "mirror",
                    "rebuild",
                    "redis",
                    "remote",
                    "probation",
                    "report",
                    "web",
                    "judge",
                    "dns",
                    "transit",
                    "http",
                    "milter",
                    "smtp"),
            door(
                    "cli",
                    "url",
                    "background",
                    "config",
                    "disk",
                    "audit",
                    "net",
                    "envelope",
                    "key",
                    "lookalike",
                    "verdict",
                    "feed",
                    "lookup",
                    "quarantine",
                    "journal",
                    "local",
                    "password",
                    "policy",
                    "snapshot",
                    "account",
                    "mirror",
                    "rebuild",
                    "report",
                    "web",
                    "judge",
                    "console",
                    "smtp",
                    "gateway"));

    /// Rooms that compute and nothing else.
    private static final Set<String> CORE = Set.of(
            "url",
            "key",
            "filter",
            "delta",
            "lookalike",
            "verdict",
            "lookup",
            "policy",
            "text",
            "message",
            "envelope",
            "picture");

    /// Lines of main code in a room, so that one head holds it.
    private static final int MAX_LINES = 4_200;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.bloomgate");

    private static Map.Entry<String, Set<String>> door(String room, String... into) {
        return Map.entry(room, Set.of(into));
    }

    @Test
    void theTableHasEveryRoomAndEveryDoorThatIsUsedAndNoOther() {
        Map<String, Set<String>> used = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            Set<String> into = used.computeIfAbsent(roomOf(type), room -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .filter(to -> to.getPackageName().startsWith(HOUSE))
                    .map(FloorPlanTest::roomOf)
                    .filter(room -> !room.equals(roomOf(type)))
                    .forEach(into::add);
        }
        assertEquals(text(DOORS), text(used));
    }

    @Test
    void everyPackageInfoListsItsDoors() throws IOException {
        Map<String, Set<String>> said = new TreeMap<>();
        for (String room : DOORS.keySet()) {
            said.put(room, said(SOURCES.resolve(room).resolve("package-info.java")));
        }
        assertEquals(text(DOORS), text(said));
    }

    @Test
    void roomsAreOneLevelDeep() {
        Set<String> rooms = CLASSES.stream()
                .map(type -> type.getPackageName().substring(HOUSE.length()))
                .collect(toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(DOORS.keySet()), rooms);
    }

    @Test
    void noRoomIsAbove4200Lines() throws IOException {
        Map<String, Integer> large = new TreeMap<>();
        for (String room : DOORS.keySet()) {
            int lines = lines(SOURCES.resolve(room));
            if (lines > MAX_LINES) {
                large.put(room, lines);
            }
        }
        assertEquals(Map.of(), large);
    }

    @Test
    void roomsHaveNoCycle() {
        SlicesRuleDefinition.slices()
                .matching("org.bloomgate.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void coreRoomsDoNoInputOutputAndStartNoThread() {
        Set<String> forbidden = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (CORE.contains(roomOf(type))) {
                type.getDirectDependenciesFromSelf().stream()
                        .map(to -> to.getTargetClass().getName())
                        .filter(FloorPlanTest::doesInputOutput)
                        .forEach(name -> forbidden.add(type.getSimpleName() + " uses " + name));
            }
        }
        assertEquals(Set.of(), forbidden);
        assertTrue(DOORS.keySet().containsAll(CORE), "every core room stands");
    }

    private static int lines(Path room) throws IOException {
        int lines = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(room, "*.java")) {
            for (Path file : files) {
                lines += Files.readAllLines(file).size();
            }
        }
        return lines;
    }

    /// Reading from a stream handed in is no I/O of one's own, and an address is a value: `InputStream`,
    /// `Reader`, their exceptions and `InetAddress` are allowed.
    private static boolean doesInputOutput(String name) {
        return name.startsWith("java.nio.file.")
                || name.startsWith("java.nio.channels.")
                || (name.startsWith("java.net.") && !name.equals("java.net.InetAddress"))
                || name.startsWith("java.io.File")
                || name.startsWith("java.io.RandomAccessFile")
                || name.startsWith("org.slf4j.")
                || name.equals("java.lang.Thread")
                || name.startsWith("java.util.concurrent.Executor");
    }

    private static Set<String> said(Path packageInfo) throws IOException {
        String doc;
        try (Stream<String> lines = Files.lines(packageInfo)) {
            doc = lines.filter(line -> line.startsWith("///"))
                    .map(line -> line.substring(3).strip())
                    .collect(joining(" "));
        }
        Matcher sentence = SENTENCE.matcher(doc);
        assertTrue(sentence.find(), packageInfo + " lists its doors");
        return ROOM.matcher(sentence.group(1))
                .results()
                .map(MatchResult::group)
                .map(quoted -> quoted.replace("`", ""))
                .collect(toCollection(TreeSet::new));
    }

    /// A line a room, so that a failure shows the door at fault.
    private static String text(Map<String, Set<String>> doors) {
        return new TreeMap<>(doors)
                .entrySet().stream()
                        .map(room -> room.getKey() + " -> " + String.join(" ", new TreeSet<>(room.getValue())))
                        .collect(joining("\n"));
    }

    private static String roomOf(JavaClass type) {
        String inHouse = type.getPackageName().substring(HOUSE.length());
        int dot = inHouse.indexOf('.');
        return dot < 0 ? inHouse : inHouse.substring(0, dot);
    }
}
