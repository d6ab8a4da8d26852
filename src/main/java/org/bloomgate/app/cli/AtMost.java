package org.bloomgate.app.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/// How many things a command prints.
final class AtMost {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of lines, the newest (default: ${DEFAULT-VALUE}).")
    int limit = 100;

    /// A remark when there may be more than these.
    Optional<String> remark(int printed) {
        return printed == limit ? Optional.of("there may be more: --limit says how many") : Optional.empty();
    }

    /// @throws InputException beyond this bound
    int within(int most) throws InputException {
        if (limit < 1 || limit > most) {
            throw new InputException("--limit: 1 to " + most);
        }
        return limit;
    }
}
