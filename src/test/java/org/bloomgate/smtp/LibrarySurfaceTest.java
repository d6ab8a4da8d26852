package org.bloomgate.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bloomgate.envelope.Verb;
import org.junit.jupiter.api.Test;
import org.subethamail.smtp.internal.server.Command;
import org.subethamail.smtp.internal.server.CommandHandler;
import org.subethamail.smtp.internal.server.CommandRegistry;
import org.subethamail.smtp.server.Session;

/// What the relay relies on inside SubEthaSMTP. A new version that changes it has to be read before it is used.
class LibrarySurfaceTest {
    private static final String INTERNALS = "org.subethamail.smtp.internal.";

    @Test
    void oneClassNamesTheInternals() {
        Set<String> uses = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.bloomgate")) {
            type.getDirectDependenciesFromSelf().stream()
                    .filter(to -> to.getTargetClass().getName().startsWith(INTERNALS))
                    .forEach(to -> uses.add(type.getSimpleName() + " uses "
                            + to.getTargetClass().getSimpleName()));
        }
        assertEquals(
                Set.of(
                        "LibraryCommand uses Command",
                        "LibraryCommand uses CommandHandler",
                        "LibraryCommand uses HelpMessage"),
                uses);
    }

    @Test
    void aCommandIsStillExecutedNamedAndExplained() {
        assertEquals(
                Set.of("execute(String, Session)", "getHelp()", "getName()"),
                Arrays.stream(Command.class.getDeclaredMethods())
                        .map(LibrarySurfaceTest::signature)
                        .collect(Collectors.toSet()));
    }

    @Test
    void noCommandOfTheLibraryIsReachable() {
        Set<String> library =
                Arrays.stream(CommandRegistry.values()).map(Enum::name).collect(Collectors.toSet());
        library.removeAll(Arrays.stream(Verb.values()).map(Enum::name).toList());
        assertEquals(Set.of("AUTH"), library, "AUTH is answered as unknown: VerbStream never names it");
    }

    /// The library compares the first four characters before it compares the verb.
    @Test
    void everyVerbReachesItsOwnCommand() {
        CommandHandler handler = new CommandHandler(
                Arrays.stream(Verb.values()).map(LibraryCommand::new).collect(Collectors.toList()));
        for (Verb verb : Verb.values()) {
            String four = verb.name().substring(0, 4);
            assertEquals(
                    verb.name().length() == 4,
                    handler.containsCommand(four),
                    () -> verb + " would be taken for " + four);
            assertEquals(new LibraryCommand(verb), handler.getCommand(verb.name()));
        }
    }

    @Test
    void aSessionStillShowsItsSocket() throws NoSuchMethodException {
        assertEquals(0, Session.class.getMethod("getSocket").getParameterCount());
    }

    private static String signature(Method method) {
        return method.getName() + "("
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", "))
                + ")";
    }
}
