package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The list of commands and the manual show the first element of a command's description and nothing more.
class CommandSummariesTest {
    /// Two lines of the list of commands in 80 columns, with room for the name.
    private static final int MAX_SUMMARY = 104;

    @Test
    void everyCommandBeginsWithOneWholeShortSentence() {
        List<CommandLine> commands = below(Bloomgate.commands()).toList();
        assertTrue(commands.size() > 30, commands::toString);
        assertEquals(
                List.of(),
                commands.stream()
                        .filter(command -> !isWholeAndShort(command))
                        .map(command -> command.getCommandSpec().qualifiedName() + ": " + summary(command))
                        .toList());
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
