package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// What documents tell people to type is understood: every command with its options, with values that
/// it takes. Nothing is run.
class DocumentedCommandsTest {
    private static final CommandLine COMMANDS = Bloomgate.commands();

    private static final Pattern COMMAND = Pattern.compile("(?<![\\w/.-])(?:\\./)?bloomgate ([a-z]+(?: [^`\n|;>]*)?)");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    /// Of the launcher, which knows no more than these.
    private static final List<String> NOT_OURS = List.of("train", "bloomgate");

    @Test
    void documentedCommand_isParsed() throws IOException {
        List<String> queried = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (Path document : documents()) {
            for (String command : commands(Files.readString(document))) {
                List<String> words = WORD.matcher(command)
                        .results()
                        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                        .toList();
                if (!NOT_OURS.contains(words.getFirst())) {
                    queried.add(command);
                    fault(words).ifPresent(why -> wrong.add(document + ": " + command + ": " + why));
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(queried.size() > 30, queried::toString);
    }

    /// A percent sign that is not doubled ends the manual pages there.
    @Test
    void everyDescription_isAFormatWithoutArguments() {
        assertTrue(formatted(COMMANDS) > 100);
    }

    private static int formatted(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        int texts = 0;
        for (String text : (Iterable<String>) Stream.concat(
                Arrays.stream(spec.usageMessage().description()),
                spec.args().stream().flatMap(arg -> Arrays.stream(arg.description())))::iterator) {
            assertFalse(text.formatted().isEmpty());
            texts++;
        }
        return texts
                + command.getSubcommands().values().stream()
                        .mapToInt(DocumentedCommandsTest::formatted)
                        .sum();
    }

    private static Optional<String> fault(List<String> words) {
        try {
            COMMANDS.parseArgs(words.toArray(String[]::new));
            return Optional.empty();
        } catch (ParameterException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }

    private static List<String> commands(String text) {
        return Stream.concat(
                        Pattern.compile("`([^`\n]+)`").matcher(text).results().map(span -> span.group(1)),
                        text.lines().filter(line -> line.startsWith("./bloomgate ")))
                .flatMap(code -> COMMAND.matcher(code).results().map(MatchResult::group))
                .map(code -> code.replaceFirst("^(\\./)?bloomgate ", "").strip())
                .toList();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.list(Path.of("docs"));
                Stream<Path> config = Files.walk(Path.of("config"))) {
            return Stream.concat(Stream.of(Path.of("README.md")), Stream.concat(docs, config))
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
