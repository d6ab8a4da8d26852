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
            Map.entry("filter", Set.of()),
            Map.entry("key", Set.of()),
            Map.entry("tls", Set.of()),
            Map.entry("verdict", Set.of("key")),
            Map.entry("lookup", Set.of("key", "filter", "verdict")),
            Map.entry("local", Set.of("key", "verdict", "lookup")),
            Map.entry("policy", Set.of("key", "verdict", "lookup")),
            Map.entry("message", Set.of("key")),
            Map.entry("feed", Set.of("key")),
            Map.entry("journal", Set.of("key", "verdict", "lookup", "filter")),
            Map.entry("snapshot", Set.of("key", "filter", "lookup", "tls")),
            Map.entry("exact", Set.of("key", "verdict", "lookup")),
            Map.entry("remote", Set.of("key", "verdict", "lookup", "tls")),
            Map.entry("redis", Set.of("key", "verdict", "lookup", "exact", "snapshot")),
            Map.entry("mirror", Set.of("snapshot", "tls")),
            Map.entry("rebuild", Set.of("key", "verdict", "lookup", "filter", "feed", "exact", "snapshot", "journal")),
            Map.entry("smtp", Set.of("key", "verdict", "lookup", "policy", "message", "journal", "tls")),
            Map.entry(
                    "http",
                    Set.of(
                            "key",
                            "filter",
                            "verdict",
                            "lookup",
                            "policy",
                            "message",
                            "snapshot",
                            "exact",
                            "journal",
                            "local",
                            "tls")),
            Map.entry(
                    "config",
                    Set.of(
                            "key",
                            "policy",
                            "message",
                            "feed",
                            "snapshot",
                            "exact",
                            "remote",
                            "redis",
                            "mirror",
                            "journal",
                            "local",
                            "smtp",
                            "http",
                            "rebuild")),
            Map.entry(
                    "cli",
                    Set.of(
                            "key",
                            "filter",
                            "verdict",
                            "lookup",
                            "policy",
                            "snapshot",
                            "exact",
                            "remote",
                            "redis",
                            "mirror",
                            "feed",
                            "journal",
                            "local",
                            "message",
                            "smtp",
                            "http",
                            "rebuild",
                            "config")));

    /// Rooms that compute and nothing else.
    private static final Set<String> CORE = Set.of("key", "filter", "verdict", "lookup", "policy");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.bloomgate");

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
