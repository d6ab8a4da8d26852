package org.bloomgate.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.bloomgate.app.cli.rebuild.RunsEngine;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.rebuild.Runs;

/// Makes runs on Spark, layer after layer.
public final class SparkRuns implements RunsEngine {
    private static final String WORK = ".work";

    /// Keys a split tells for the bounds of partitions.
    private static final int SAMPLE = 500;

    /// Without a master of Spark's own configuration: all cores of this machine, and a task that is killed is
    /// run again.
    private static final String LOCAL = "local[*,4]";

    /// For ServiceLoader.
    public SparkRuns() {}

    @Override
    public void make(Order order) throws IOException, ConfigException {
        Configuration configuration = order.source().read();
        Feeds feeds = order.source().feedsOf(configuration).fetched();
        Path work = Files.createDirectories(order.runs()).resolve(WORK);
        sweep(work);
        Runs.deleteIndex(order.runs());
        try (JavaSparkContext spark = new JavaSparkContext(conf(order))) {
            spark.sc().addSparkListener(new Progress(order.err()));
            List<Runs.OfLayer> layers = new ArrayList<>();
            for (Cadence cadence : Cadence.values()) {
                List<Feed> ofLayer = Runs.feeds(configuration.snapshots(), feeds.feeds(), cadence);
                if (!ofLayer.isEmpty()) {
                    layers.add(new Layer(order, spark, cadence.layer(), ofLayer, work).make());
                }
            }
            Runs.write(
                    order.runs(),
                    new Runs.Index(
                            order.createdAt(),
                            order.seed(),
                            Optional.of(Sha256.hex(PublicSuffixes.bundled().bytes())),
                            Optional.of(Rebuilding.reader(configuration, feeds).computeGatesDigest()),
                            layers));
        } finally {
            sweep(work);
        }
    }

    /// Also what a killed process left.
    private static void sweep(Path work) throws IOException {
        if (Files.exists(work)) {
            DurableFiles.deleteTree(work);
        }
    }

    private static SparkConf conf(Order order) {
        SparkConf conf = new SparkConf().setAppName("bloomgate runs").setIfMissing("spark.ui.enabled", "false");
        order.master().ifPresent(conf::setMaster);
        conf.setIfMissing("spark.master", LOCAL);
        if (conf.get("spark.master").startsWith("local")) {
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
            conf.setIfMissing("spark.driver.host", "127.0.0.1");
        }
        return conf;
    }

    /// The runs of one layer.
    private record Layer(Order order, JavaSparkContext spark, String name, List<Feed> feeds, Path work) {

        Runs.OfLayer make() throws IOException {
            List<Split> splits = new ArrayList<>();
            for (int source = 0; source < feeds.size(); source++) {
                splits.addAll(fetched(feeds.get(source), source));
            }
            Settings settings = Settings.of(order.source());
            JavaRDD<Split> read = spark.parallelize(splits, Math.max(1, splits.size()));
            int partitions = order.partitions().orElse(spark.defaultParallelism());
            Bounds bounds = Bounds.of(
                    read.flatMap(split -> settings.sample(split, SAMPLE)).collect(), partitions);
            String folder = order.runs().toAbsolutePath().toString();
            String layer = name;
            List<SortedPart> parts = read.flatMapToPair(split -> settings.read(split, bounds))
                    .partitionBy(new HashPartitioner(bounds.partitions()))
                    .mapPartitionsWithIndex((part, blocks) -> SortedPart.of(folder, layer, part, blocks), false)
                    .collect();
            return new Runs.OfLayer(
                    name, counted(parts), parts.stream().map(SortedPart::run).toList());
        }

        /// A source that cannot be had has no splits: counted as nothing, it is replaced by its last good copy.
        private List<Split> fetched(Feed feed, int source) throws IOException {
            Path file = Files.createDirectories(work.resolve(name)).resolve(feed.name());
            try {
                new FeedFetcher("spark").fetch(feed, file, Validators.NONE);
                return Split.of(feed, source, file.toAbsolutePath());
            } catch (FeedRefusedException refused) {
                order.err().println("bloomgate: warning: " + refused.getMessage());
                return List.of();
            }
        }

        private List<Runs.OfFeed> counted(List<SortedPart> parts) {
            return IntStream.range(0, feeds.size())
                    .mapToObj(source -> counted(source, parts))
                    .toList();
        }

        private Runs.OfFeed counted(int source, List<SortedPart> parts) {
            List<SplitCounts> splits = parts.stream()
                    .flatMap(part -> part.counts().stream())
                    .filter(counts -> counts.source() == source)
                    .toList();
            return Runs.OfFeed.of(
                    feeds.get(source),
                    splits.stream().map(SplitCounts::counts).reduce(FeedCounts.NOTHING, SplitCounts::sum),
                    splits.stream()
                            .flatMap(split -> split.exceptions().stream())
                            .distinct()
                            .sorted()
                            .toList());
        }
    }
}
