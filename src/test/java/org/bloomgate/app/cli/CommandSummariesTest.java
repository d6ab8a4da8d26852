package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The list of commands and the manual show the first element of a command's description and nothing more.
class CommandSummariesTest {
    /// Two lines of the list of commands in 80 columns, with room for the name.
    private static final int MAX_SUMMARY = 104;

    private static final CommandLine COMMANDS = Bloomgate.commands();

    private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

    @Test
    void everyCommand_beginsWithOneShortSentence() {
        List<CommandLine> commands = below(COMMANDS).toList();
        assertTrue(commands.size() > 30, commands::toString);
        assertEquals(
                List.of(),
                commands.stream()
                        .filter(command -> !isWholeAndShort(command))
                        .map(command -> command.getCommandSpec().qualifiedName() + ": " + summary(command))
                        .toList());
    }

    /// The part of a line after `<` is for the shell.
    @Test
    void everyCommand_hasTwoExamplesThatAreUnderstood() {
        below(COMMANDS).skip(1).forEach(command -> {
            List<String> examples = String.join(
                            "", command.getCommandSpec().usageMessage().footer())
                    .formatted()
                    .lines()
                    .toList();
            String name = command.getCommandSpec().qualifiedName();
            assertEquals(2, examples.size(), name);
            for (String example : examples) {
                assertTrue(example.startsWith(name), example);
                COMMANDS.parseArgs(WORD.matcher(example.replaceFirst(" <.*", ""))
                        .results()
                        .skip(1)
                        .map(word -> word.group().replace("'", ""))
                        .toArray(String[]::new));
            }
        });
    }

    @Test
    void help_isThatOfTheOption() {
        Invocation help = Invocation.of("", List.of("help", "feeds", "add"));
        assertEquals(ExitStatus.FINE, help.status());
        assertEquals(Invocation.of("", List.of("feeds", "add", "--help")).out(), help.out());
        assertTrue(help.out().endsWith("bloomgate feeds add urlhaus-filter --enforce\n"), help::out);
    }

    @Test
    void mistake_isFollowedByUsageAndTheWayToTheHelp() {
        Invocation mistaken = Invocation.of("", List.of("scan", "--foo", "x.eml"));
        assertEquals(ExitStatus.MISTAKE, mistaken.status());
        assertEquals(
                List.of(
                        "bloomgate: Unknown option: '--foo'",
                        "Usage: bloomgate scan [OPTIONS] FILE...",
                        "Help: bloomgate help scan"),
                mistaken.err().lines().toList());
        assertEquals(
                ExitStatus.MISTAKE, Invocation.of("", List.of("help", "nosuch")).status());
    }

    private static boolean isWholeAndShort(CommandLine command) {
        String summary = summary(command);
        return summary.length() <= MAX_SUMMARY && summary.endsWith(".") && Character.isUpperCase(summary.charAt(0));
    }

    private static String summary(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return description.length == 0 ? "-" : description[0];
    }

    private static Stream<CommandLine> below(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(CommandSummariesTest::below));
    }
}
