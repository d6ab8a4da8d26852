package org.bloomgate.app.cli.common;

import java.time.Duration;
import java.time.Instant;
import org.bloomgate.base.config.ScalarReader;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The options of commands that search records: how far back, and the output format.
public final class SinceOptions {
    @Option(
            names = "--since",
            paramLabel = "AGE",
            defaultValue = "7d",
            converter = Age.class,
            description = "Period to look back (default: ${DEFAULT-VALUE}), as far as records are kept.")
    Duration age = Duration.ofDays(7);

    @Option(names = "--json", description = "Print one JSON object per line.")
    public boolean json;

    public Instant since() {
        return Instant.now().minus(age);
    }

    /// A duration as configuration files write it.
    public static final class Age implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return ScalarReader.duration(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
