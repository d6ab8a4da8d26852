package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.export.Export;
import org.bloomgate.lists.export.ExportFile;
import org.bloomgate.lists.export.ExportOptions;
import org.bloomgate.lists.export.ExportReport;
import org.bloomgate.lists.export.ExportSource;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.server.api.ExportCopies;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the files of `exports` up to date on a thread of its own, and creates the copies that HTTP serves when
/// one is requested. Mail does not wait for exports, nor exports for mail. Thread-safe.
final class Exports implements ExportCopies, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Exports.class);
    private static final Duration ROUND = Duration.ofMillis(250);

    /// The pause after a failure.
    private static final Duration RETRY = Duration.ofMinutes(1);

    private final Supplier<Configuration> configuration;
    private final Tiers tiers;
    private final Path folder;
    private final Conditions conditions;
    private final InstantSource clock;
    private final Map<String, Attempt> files = new ConcurrentHashMap<>();
    private final Map<String, Attempt> copies = new ConcurrentHashMap<>();
    private final ReentrantLock copyLock = new ReentrantLock();
    private Local local = Local.of(LocalRules.NONE);
    private Configuration lastRead;
    private long reloads;
    private Optional<BackgroundTask> watch = Optional.empty();

    /// The inputs of an export and the outcome.
    ///
    /// @param fault why it could not be written; empty if it could
    private record Attempt(Inputs inputs, Optional<ExportReport> report, String fault, Instant at) {}

    /// All that the content of an export depends on.
    ///
    /// @param reloads number of reloads of the configuration, because policy and feeds decide what an export
    /// contains
    /// @param listings of operators; empty for an export without them
    private record Inputs(
            ExportOptions options,
            long reloads,
            List<String> generations,
            Set<Listing> listings,
            Set<ListingException> exceptions) {}

    private record Local(LocalRules rules, Set<Listing> listings, Set<ListingException> exceptions) {
        static Local of(LocalRules rules) {
            return new Local(
                    rules, Set.copyOf(rules.listings()), rules.exceptions().collect(Collectors.toUnmodifiableSet()));
        }
    }

    /// @param configuration the last one read
    Exports(Supplier<Configuration> configuration, Tiers tiers, Conditions conditions, InstantSource clock) {
        this.configuration = configuration;
        this.tiers = tiers;
        this.conditions = conditions;
        this.clock = clock;
        this.lastRead = configuration.get();
        this.folder = configuration.get().local().directory().resolve("exports");
    }

    void start() {
        watch = Optional.of(BackgroundTask.every(ROUND, "exports", this::writeDueFiles));
    }

    private void writeDueFiles() {
        Map<String, ExportOptions> exports = configuration.get().exports();
        files.keySet().stream().filter(name -> !exports.containsKey(name)).forEach(name -> {
            files.remove(name);
            conditions.forget(subject(name));
        });
        exports.forEach((name, options) -> {
            if (!options.file().isEmpty()) {
                Inputs inputs = inputs(options);
                Optional<Attempt> last = Optional.ofNullable(files.get(name));
                boolean due = last.isEmpty()
                        || (last.get().fault().isEmpty() && Files.notExists(Path.of(options.file())))
                        || !last.get().inputs().equals(inputs)
                        || (!last.get().fault().isEmpty()
                                && clock.instant().isAfter(last.get().at().plus(RETRY)));
                if (due) {
                    files.put(name, write(name, options, inputs));
                }
            }
        });
    }

    private Inputs inputs(ExportOptions options) {
        Local current = local();
        return new Inputs(
                options,
                reloads(),
                tiers.snapshots().readStatus().layers().stream()
                        .map(layer -> layer.layer() + "/" + layer.generation())
                        .toList(),
                options.hasLocal() ? current.listings() : Set.of(),
                current.exceptions());
    }

    /// Counts distinct objects: an equal configuration may have been read with other feeds.
    @SuppressWarnings("ReferenceEquality")
    private synchronized long reloads() {
        Configuration current = configuration.get();
        if (current != lastRead) {
            lastRead = current;
            reloads++;
        }
        return reloads;
    }

    /// The same object while the rules are the same.
    private synchronized Local local() {
        LocalRules rules = ExportSources.local(tiers);
        if (local.rules() != rules) {
            local = Local.of(rules);
        }
        return local;
    }

    private Attempt write(String name, ExportOptions options, Inputs inputs) {
        try {
            ExportSource source = ExportSources.of(configuration.get(), tiers, options);
            Export export = new Export(name, options, source, false);
            ExportFile.Outcome outcome = ExportFile.replace(
                    Path.of(options.file()),
                    name,
                    options.format(),
                    export,
                    folder.resolve(name + ".work"),
                    clock.instant());
            export.findUnknownLists().forEach(list -> LOG.warn("export {}: list {} contains no feed", name, list));
            if (outcome.changed()) {
                LOG.info("export {}: {} written, {}", name, options.file(), outcome.report());
            }
            conditions.clear(subject(name));
            return new Attempt(inputs, Optional.of(outcome.report()), "", clock.instant());
        } catch (IOException | ConfigException | RuntimeException e) {
            String fault = e instanceof IOException io ? IoText.describe(io) : String.valueOf(e.getMessage());
            conditions.note(subject(name), fault);
            return new Attempt(inputs, Optional.empty(), fault, clock.instant());
        }
    }

    private static String subject(String name) {
        return "export " + name;
    }

    @Override
    public Optional<Copy> copy(String name) throws IOException {
        ExportOptions options = configuration.get().exports().get(name);
        return options == null ? Optional.empty() : Optional.of(copy(name, options));
    }

    private Copy copy(String name, ExportOptions options) throws IOException {
        copyLock.lock();
        try {
            return upToDate(name, options);
        } finally {
            copyLock.unlock();
        }
    }

    private Copy upToDate(String name, ExportOptions options) throws IOException {
        Path file = folder.resolve(name);
        Path packed = folder.resolve(name + ".gz");
        Inputs inputs = inputs(options);
        Attempt last = copies.get(name);
        if (last == null || !last.inputs().equals(inputs)) {
            last = writeCopy(name, options, inputs, file, packed);
            copies.put(name, last);
        }
        ExportReport report = last.report().orElseThrow();
        return new Copy(options.format().mediaType(), file, packed, report);
    }

    private Attempt writeCopy(String name, ExportOptions options, Inputs inputs, Path file, Path packed)
            throws IOException {
        try {
            Files.createDirectories(folder);
            ExportSource source = ExportSources.of(configuration.get(), tiers, options);
            Export export = new Export(name, options, source, true);
            ExportFile.Outcome outcome = ExportFile.replace(
                    file, name, options.format(), export, folder.resolve(name + ".copying"), clock.instant());
            if (outcome.changed() || !Files.exists(packed)) {
                pack(file, packed);
            }
            return new Attempt(inputs, Optional.of(outcome.report()), "", clock.instant());
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void pack(Path file, Path packed) throws IOException {
        Path temporary = packed.resolveSibling(packed.getFileName() + ".tmp");
        try (InputStream in = Files.newInputStream(file);
                OutputStream out = new GZIPOutputStream(Files.newOutputStream(temporary), 64 * 1024)) {
            in.transferTo(out);
        }
        Files.move(temporary, packed, StandardCopyOption.ATOMIC_MOVE);
    }

    void show(GatewayMetrics metrics) {
        metrics.registerGauge(
                "export.faults",
                "Exports whose files could not be written at the last attempt",
                () -> files.values().stream()
                        .filter(attempt -> !attempt.fault().isEmpty())
                        .count());
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
