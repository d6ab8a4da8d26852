package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.base.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `spark`: runs the first half of a rebuild on Apache Spark.
@Command(
        name = "spark",
        description = {
            "Sorts the feeds on Apache Spark, into runs that 'rebuild --from-runs' makes a snapshot of.",
            "The snapshot is the same as that of a rebuild without Spark, byte for byte.",
            "On a cluster, configuration, feeds and runs must have the same path on every machine; 'spark-submit --class"
                    + " org.bloomgate.app.cli.Bloomgate bloomgate.jar spark --runs DIR' takes the jar of the profile.",
            "A task uses 64 MiB of heap to sort, and reads 16 MiB of a feed at a time; a feed whose lines depend on each"
                    + " other is read by one task."
        })
public final class SparkCommand extends ConfiguredCommand {
    private static final int MAX_PARTITIONS = 10_000;

    @Option(names = "--runs", paramLabel = "DIR", required = true, description = "Directory for the runs.")
    Path runs = Path.of("runs");

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Runs for each layer (default: the number of cores).")
    Optional<Integer> partitions = Optional.empty();

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark master URL, for example spark://HOST:7077 or local[2,4] (default: from the "
                    + "configuration of Spark, or local[*,4]: all cores, four attempts for a task).")
    Optional<String> master = Optional.empty();

    @Option(
            names = "--created-at",
            paramLabel = "INSTANT",
            description = "Time of the snapshot, for example 2026-11-21T02:00:00Z (default: now).")
    Optional<String> createdAt = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the filters (default: random).")
    Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() throws ConfigException, IOException, InputException {
        if (partitions.isPresent() && (partitions.get() < 1 || partitions.get() > MAX_PARTITIONS)) {
            throw new InputException("--partitions takes 1 to " + MAX_PARTITIONS);
        }
        RunsEngine engine = ServiceLoader.load(RunsEngine.class)
                .findFirst()
                .orElseThrow(() -> new InputException("this build has no Spark: 'mvn -Pspark package' in the sources"
                        + " makes target/spark/bloomgate.jar, which the launcher and spark-submit take"));
        engine.make(new RunsEngine.Order(
                configuration.source(),
                runs,
                partitions.map(OptionalInt::of).orElse(OptionalInt.empty()),
                master,
                createdAt.isPresent()
                        ? RebuildCommand.createdAt(createdAt.get())
                        : Instant.now().truncatedTo(ChronoUnit.MILLIS),
                OptionalLong.of(seed.orElseGet(() -> new SecureRandom().nextLong())),
                err()));
        remark("the runs are in " + runs + ": 'bloomgate rebuild --from-runs " + runs + "' makes the snapshot");
        return ExitStatus.FINE;
    }
}
