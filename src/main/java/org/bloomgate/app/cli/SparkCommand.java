package org.bloomgate.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.bloomgate.base.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `spark`: the first half of a rebuild on Apache Spark.
@Command(
        name = "spark",
        description = {
            "Sorts the feeds on Apache Spark, into runs that 'rebuild --from-runs' makes a snapshot of.",
            "The snapshot is that of a rebuild without Spark, byte by byte.",
            "On a cluster, configuration, feeds and runs stand at the same path on every machine; 'spark-submit --class"
                    + " org.bloomgate.app.cli.Bloomgate bloomgate.jar spark --runs DIR' takes the jar of the profile.",
            "A task takes 64 MiB of heap to sort, and 16 MiB of a feed at a time; a feed whose lines depend on each"
                    + " other is read by one task."
        })
final class SparkCommand extends ConfiguredCommand {
    private static final int MAX_PARTITIONS = 10_000;

    @Option(names = "--runs", paramLabel = "DIR", required = true, description = "Where the runs are written.")
    Path runs = Path.of("runs");

    @Option(names = "--partitions", paramLabel = "N", description = "Runs a layer; as many as there are cores.")
    Optional<Integer> partitions = Optional.empty();

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Of Spark, as spark://HOST:7077 or local[2,4]; otherwise that of its own configuration, or"
                    + " local[*,4]: all cores of this machine, and four attempts for a task.")
    Optional<String> master = Optional.empty();

    @Option(
            names = "--created-at",
            paramLabel = "INSTANT",
            description = "The time the snapshot is of, as 2026-11-21T02:00:00Z, in place of now.")
    Optional<String> createdAt = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Of the filters, in place of a drawn one.")
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
        tell("the runs are in " + runs + ": 'bloomgate rebuild --from-runs " + runs + "' makes the snapshot");
        return ExitStatus.FINE;
    }
}
