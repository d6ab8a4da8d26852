package org.bloomgate.app.cli.common;

import java.util.Optional;
import picocli.CommandLine.Option;

/// The option `--limit` of commands that search records.
public final class LimitOption {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of lines, the newest (default: ${DEFAULT-VALUE}).")
    int limit = 100;

    /// A remark if there may be more results than those printed.
    public Optional<String> remarkIfReached(int printed) {
        return printed == limit ? Optional.of("there may be more: raise --limit") : Optional.empty();
    }

    /// The limit.
    ///
    /// @throws InputException if it is not from 1 to `max`
    public int require(int max) throws InputException {
        if (limit < 1 || limit > max) {
            throw new InputException("--limit: 1 to " + max);
        }
        return limit;
    }
}
