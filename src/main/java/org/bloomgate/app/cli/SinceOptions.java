package org.bloomgate.app.cli;

import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Option;

/// The options of commands that search records: how far back, and the output format.
final class SinceOptions {
    @Option(
            names = "--since",
            paramLabel = "AGE",
            defaultValue = "7d",
            converter = QuarantineCommand.Age.class,
            description = "Period to look back (default: ${DEFAULT-VALUE}), as far as records are kept.")
    Duration age = Duration.ofDays(7);

    @Option(names = "--json", description = "Print one JSON object per line.")
    boolean json;

    Instant since() {
        return Instant.now().minus(age);
    }
}
