package org.bloomgate.server.milter;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.Site;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.quarantine.TestIntake;
import org.bloomgate.server.smtp.ListedDomains;
import org.bloomgate.server.smtp.RelayWorld;
import org.bloomgate.server.spool.MailMetrics;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageContext;

/// A milter on a free loopback port with everything around it in memory. Rules and bounds come from a configuration.
final class MilterWorld implements AutoCloseable {
    /// A message of a few lines goes into a file.
    private static final int MEMORY_BYTES = 512;

    final ListedDomains listed;
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final List<Decision> decisions = Collections.synchronizedList(new ArrayList<>());
    final MemoryBudget memory = new MemoryBudget(MEMORY);
    final Milter milter;
    private final Path folder;
    private final Site site;

    static final long MEMORY = 1_000_000;

    /// @param yaml sections of the configuration
    MilterWorld(Path folder, String yaml) throws IOException, ConfigException {
        this(folder, yaml, MilterAddress.of("127.0.0.1:0"), Optional.empty());
    }

    /// @param other layers to ask instead of the listed domains
    MilterWorld(Path folder, String yaml, MilterAddress listen, Optional<LayerSource> other)
            throws IOException, ConfigException {
        this(folder, yaml, listen, other, Set.of());
    }

    /// @param atConnect feeds that refuse a client before it may say anything
    static MilterWorld refusing(Path folder, String... atConnect) throws IOException, ConfigException {
        return new MilterWorld(folder, "", MilterAddress.of("127.0.0.1:0"), Optional.empty(), Set.of(atConnect));
    }

    private MilterWorld(
            Path folder, String yaml, MilterAddress listen, Optional<LayerSource> other, Set<String> atConnect)
            throws IOException, ConfigException {
        this.site = new Site(Set.of(), List.of(), atConnect);
        this.folder = folder;
        this.listed = ListedDomains.inForce();
        milter = new Milter(
                listen,
                settings(read(yaml)),
                other.orElse(listed),
                evaluator(read(yaml), site),
                new MailRecords(
                        new Kept(decisions),
                        KeyJournal.none(),
                        new MailMetrics(metrics),
                        TestIntake.below(folder),
                        InstantSource.fixed(RelayWorld.NOW),
                        Optional.empty()),
                memory,
                metrics);
        milter.start();
    }

    private Configuration read(String yaml) throws IOException, ConfigException {
        return read(folder, yaml);
    }

    static Configuration read(Path folder, String yaml) throws IOException, ConfigException {
        Path file = Files.writeString(folder.resolve("bloomgate.yaml"), yaml);
        return ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
    }

    private MilterSettings settings(Configuration configuration) {
        return settings(configuration, temporary());
    }

    static MilterSettings settings(Configuration configuration, Path temporary) {
        return new MilterSettings(
                configuration.smtp().access().clientNetworks(),
                configuration.smtp().sessions().maxSessions(),
                configuration.smtp().limits().maxMessageBytes(),
                configuration.smtp().timeouts().drain(),
                new MessageContext.Settings(
                        configuration.smtp().hostname(),
                        configuration.smtp().limits().maxRecipients(),
                        MEMORY_BYTES,
                        temporary));
    }

    static MessageEvaluator evaluator(Configuration configuration, Site site) {
        return EvaluationRig.evaluator(
                new TwoTierLookup(Duration.ofSeconds(30), new LookupCounts()),
                new Policy(configuration.policy(), configuration.exact().onUnknown()),
                new MessageReader(configuration.message()),
                configuration.smtp().maxSnapshotAge(),
                InstantSource.fixed(RelayWorld.NOW),
                site);
    }

    void reload(String yaml) throws IOException, ConfigException {
        milter.reload(settings(read(yaml)), evaluator(read(yaml), site));
    }

    Path temporary() {
        return folder.resolve("tmp");
    }

    MilterClient connect() throws IOException {
        return MilterClient.connect(milter.address().resolve());
    }

    double counted(String name, String... tags) {
        return metrics.get("bloomgate.milter." + name).tags(tags).counter().count();
    }

    /// Keeps decisions in memory.
    record Kept(List<Decision> decisions) implements DecisionJournal {
        @Override
        public void record(Decision decision) {
            decisions.add(decision);
        }

        @Override
        public Optional<Decision> find(String token) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    /// Once all that is under way is over.
    void stop() {
        milter.close();
    }

    @Override
    public void close() {
        stop();
    }
}
