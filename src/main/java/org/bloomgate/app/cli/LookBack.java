package org.bloomgate.app.cli;

import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Option;

/// How far a command looks back into what was recorded, and how it prints what it finds.
final class LookBack {
    @Option(
            names = "--since",
            paramLabel = "AGE",
            defaultValue = "7d",
            converter = QuarantineCommand.Age.class,
            description = "Period to look back (default: ${DEFAULT-VALUE}), as far as records are kept.")
    Duration age = Duration.ofDays(7);

    @Option(names = "--json", description = "One object a line.")
    boolean json;

    Instant since() {
        return Instant.now().minus(age);
    }
}
