package org.bloomgate;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The rooms of the house and the doors between them. A room without a line here fails.
class FloorPlanTest {
    private static final String HOUSE = "org.bloomgate.";

    private static final Map<String, Set<String>> DOORS = Map.ofEntries(
            door("config"),
            door("disk"),
            door("filter"),
            door("key"),
            door("net"),
            door("sort"),
            door("tls"),
            door("envelope", "net"),
            door("feed", "key"),
            door("message", "key"),
            door("verdict", "key"),
            door("lookup", "filter", "key", "verdict"),
            door("nexthop", "tls", "envelope"),
            door("exact", "key", "verdict", "lookup"),
            door("journal", "disk", "filter", "key", "verdict", "lookup"),
            door("local", "key", "verdict", "lookup"),
            door("password", "key", "verdict", "lookup"),
            door("policy", "key", "verdict", "lookup"),
            door("quarantine", "envelope", "nexthop"),
            door("remote", "key", "tls", "verdict", "lookup"),
            door("snapshot", "disk", "filter", "key", "tls", "lookup"),
            door(
                    "judge",
                    "filter",
                    "key",
                    "message",
                    "verdict",
                    "lookup",
                    "exact",
                    "journal",
                    "password",
                    "policy",
                    "remote",
                    "snapshot"),
            door("metrics", "filter", "key", "lookup", "local", "snapshot"),
            door("mirror", "tls", "snapshot"),
            door("rebuild", "filter", "key", "sort", "feed", "verdict", "lookup", "exact", "journal", "snapshot"),
            door("redis", "key", "lookup", "exact", "snapshot"),
            door(
                    "smtp",
                    "key",
                    "net",
                    "tls",
                    "envelope",
                    "message",
                    "verdict",
                    "lookup",
                    "nexthop",
                    "journal",
                    "policy",
                    "quarantine"),
            door(
                    "http",
                    "filter",
                    "key",
                    "tls",
                    "verdict",
                    "lookup",
                    "journal",
                    "local",
                    "password",
                    "snapshot",
                    "judge",
                    "metrics"),
            door(
                    "gateway",
                    "config",
                    "key",
                    "feed",
                    "message",
                    "lookup",
                    "nexthop",
                    "exact",
                    "journal",
                    "local",
                    "policy",
                    "remote",
                    "snapshot",
                    "judge",
                    "metrics",
                    "mirror",
                    "rebuild",
                    "redis",
                    "smtp",
                    "http"),
            door(
                    "cli",
                    "config",
                    "filter",
                    "key",
                    "feed",
                    "verdict",
                    "lookup",
                    "journal",
                    "local",
                    "quarantine",
                    "snapshot",
                    "judge",
                    "mirror",
                    "rebuild",
                    "smtp",
                    "http",
                    "gateway"));

    /// Rooms that compute and nothing else.
    private static final Set<String> CORE = Set.of("key", "filter", "verdict", "lookup", "policy");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.bloomgate");

    private static Map.Entry<String, Set<String>> door(String room, String... into) {
        return Map.entry(room, Set.of(into));
    }

    @Test
    void everyDoorIsInTheTable() {
        Set<String> walledIn = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            Set<String> allowed = DOORS.getOrDefault(roomOf(type), Set.of());
            type.getDirectDependenciesFromSelf().stream()
                    .filter(to -> to.getTargetClass().getPackageName().startsWith(HOUSE))
                    .filter(to -> !roomOf(to.getTargetClass()).equals(roomOf(type)))
                    .filter(to -> !allowed.contains(roomOf(to.getTargetClass())))
                    .forEach(to -> walledIn.add(roomOf(type) + " -> " + roomOf(to.getTargetClass()) + ": "
                            + type.getSimpleName() + " uses "
                            + to.getTargetClass().getSimpleName()));
        }
        assertEquals(Set.of(), walledIn, "no such door");
    }

    @Test
    void everyRoomIsInTheTableAndOneLevelDeep() {
        Set<String> rooms = CLASSES.stream()
                .map(type -> type.getPackageName().substring(HOUSE.length()))
                .collect(toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(DOORS.keySet()), rooms);
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
        assertTrue(CLASSES.size() > CORE.size());
    }

    /// Reading from a stream handed in is no I/O of one's own: `InputStream`, `Reader` and their exceptions are
    /// allowed.
    private static boolean doesInputOutput(String name) {
        return name.startsWith("java.nio.file.")
                || name.startsWith("java.nio.channels.")
                || name.startsWith("java.net.")
                || name.startsWith("java.io.File")
                || name.startsWith("java.io.RandomAccessFile")
                || name.startsWith("org.slf4j.")
                || name.equals("java.lang.Thread")
                || name.startsWith("java.util.concurrent.Executor");
    }

    private static String roomOf(JavaClass type) {
        String inHouse = type.getPackageName().substring(HOUSE.length());
        int dot = inHouse.indexOf('.');
        return dot < 0 ? inHouse : inHouse.substring(0, dot);
    }
}
