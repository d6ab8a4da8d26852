package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.base.config.ConfigException;

/// Builds the [org.bloomgate.lists.rebuild.Runs] of feeds on other machines, or on all cores of this one. Found
/// by [java.util.ServiceLoader]; a build without such an engine has none.
public interface RunsEngine {

    /// @param partitions number of runs for each layer; the number of cores if empty
    /// @param master URL of the engine; from its own configuration if empty
    /// @param createdAt the time of the snapshot
    /// @param seed of the filters
    /// @param err for progress
    record Order(
            ConfigurationSource source,
            Path runs,
            OptionalInt partitions,
            Optional<String> master,
            Instant createdAt,
            OptionalLong seed,
            PrintWriter err) {}

    /// Writes the complete runs of all layers, or none.
    void make(Order order) throws IOException, ConfigException;
}
