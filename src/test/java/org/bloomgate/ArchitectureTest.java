package org.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bloomgate.core.text.TextForms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The dependencies between packages: eight groups, each of which uses only itself and the groups above it; no cycle
/// between packages; and packages that compute and do no I/O.
class ArchitectureTest {
    private static final String ROOT = "org.bloomgate.";

    /// In order: a group uses only groups before it.
    private static final List<String> GROUPS =
            List.of("base", "core", "content", "lookup", "decision", "lists", "server", "app");

    private static final Set<String> LINEAR = Set.of("com.ibm.icu.text.BreakIterator", "com.ibm.icu.util.ULocale");

    private static final JavaClasses CLASSES = MainClasses.ALL;

    @Test
    void group_usesOnlyGroupsAboveIt() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            int own = GROUPS.indexOf(groupOf(type));
            assertTrue(own >= 0, type.getName());
            type.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .filter(to -> to.getPackageName().startsWith(ROOT) && GROUPS.indexOf(groupOf(to)) > own)
                    .forEach(to -> wrong.add(type.getName() + " uses " + to.getName()));
        }
        assertEquals(Set.of(), wrong);
    }

    /// The second pattern is for the parts of the packages of `app`.
    @ParameterizedTest
    @ValueSource(strings = {"org.bloomgate.(*.*)..", "org.bloomgate.app.(*.*).."})
    void packages_haveNoCycle(String pattern) {
        SlicesRuleDefinition.slices()
                .matching(pattern)
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    /// Every answer is read within a bound, whatever its status.
    @Test
    void httpClients_sendThroughBoundedExchange() {
        Set<String> senders = CLASSES.stream()
                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                .filter(call -> call.getTargetOwner().isAssignableTo(HttpClient.class)
                        && call.getName().startsWith("send"))
                .map(call -> call.getOriginOwner().getSimpleName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of("BoundedExchange"), senders);
    }

    @Test
    void subEthaInternals_areUsedByTheListenerOnly() {
        Set<String> users = CLASSES.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(to -> to.getTargetClass().getName().startsWith("org.subethamail.smtp.internal."))
                .map(to -> to.getOriginClass().getSimpleName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of("Listener"), users);
    }

    @ParameterizedTest
    @ValueSource(strings = {"core..", "content..", "lookup.tier", "decision.policy"})
    void purePackage_doesNoInputOutputAndStartsNoThread(String name) {
        JavaClasses classes = CLASSES.that(JavaClass.Predicates.resideInAPackage(ROOT + name));
        assertFalse(classes.isEmpty(), name);
        Set<String> forbidden = new TreeSet<>();
        for (JavaClass type : classes) {
            type.getDirectDependenciesFromSelf().stream()
                    .map(to -> to.getTargetClass().getName())
                    .filter(ArchitectureTest::doesInputOutput)
                    .forEach(used -> forbidden.add(type.getSimpleName() + " uses " + used));
        }
        assertEquals(Set.of(), forbidden);
    }

    /// In the groups that read what strangers write. Segmentation of words is linear.
    @Test
    void formsOfText_areMadeInOnePlace() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (!type.getName().startsWith(TextForms.class.getName())
                    && !Set.of("base", "app").contains(groupOf(type))) {
                type.getAccessesFromSelf().stream()
                        .filter(access -> mapsText(
                                access.getTargetOwner().getName(),
                                access.getTarget().getName()))
                        .forEach(access -> wrong.add(access.getDescription()));
            }
        }
        assertEquals(Set.of(), wrong);
    }

    private static boolean mapsText(String owner, String member) {
        return owner.equals("java.lang.String")
                ? member.equals("toLowerCase") || member.equals("toUpperCase")
                : owner.equals("java.text.Normalizer")
                        || owner.equals("java.net.IDN")
                        || owner.equals("java.text.Collator")
                        || (owner.startsWith("com.ibm.icu.") && !LINEAR.contains(owner));
    }

    /// Reading from a stream that the caller supplies is allowed, and an address is a value: `InputStream`, `Reader`,
    /// their exceptions and `InetAddress` do not count.
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

    private static String groupOf(JavaClass type) {
        String name = type.getPackageName().substring(ROOT.length());
        return name.substring(0, name.indexOf('.'));
    }
}
