package org.bloomgate.app.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/// The option `--limit` of commands that search records.
final class AtMost {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of lines, the newest (default: ${DEFAULT-VALUE}).")
    int limit = 100;

    /// A remark if there may be more results than those printed.
    Optional<String> remark(int printed) {
        return printed == limit ? Optional.of("there may be more: raise --limit") : Optional.empty();
    }

    /// @throws InputException beyond this bound
    int within(int most) throws InputException {
        if (limit < 1 || limit > most) {
            throw new InputException("--limit: 1 to " + most);
        }
        return limit;
    }
}
