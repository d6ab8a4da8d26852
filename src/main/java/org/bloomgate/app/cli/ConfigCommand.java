package org.bloomgate.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationNotes;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.ConfigurationCheck;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.layer.Staleness;
import org.bloomgate.lists.layer.Staleness.BuiltLayer;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `config check`: the effective configuration, or everything that is wrong with it.
@Command(name = "config", description = "Checks the configuration (config check).", mixinStandardHelpOptions = true)
final class ConfigCommand {
    @Spec
    CommandSpec spec;

    private int notes;

    @Command(
            name = "check",
            description = {
                "Prints the effective configuration, or every error with file and line (status 2).",
                "The files that it names are checked too: feeds, allow lists, keys and certificates, and whether each"
                        + " folder for data is writable; nothing is fetched.",
                "Notes on stderr name likely mistakes: places under policy that were changed from the default"
                        + " but have no effect because a category or a feed is milder, and categories that no feed"
                        + " has. Layers that are stale are notes too. The last line on stderr counts the settings that"
                        + " differ from the defaults, and the notes."
            },
            mixinStandardHelpOptions = true)
    int check(
            @Mixin ConfigurationOptions options,
            @Option(
                            names = "--changed",
                            description = "Only the settings that differ from the defaults, with file and line.")
                    boolean changed,
            @Option(
                            names = "--json",
                            description = "One object with every key; with --changed, one object a line with key, where"
                                    + " and value.")
                    boolean json)
            throws ConfigException, IOException {
        ConfigurationCheck.ValidConfiguration sound = ConfigurationCheck.check(options.source(), System.getenv());
        Configuration configuration = sound.configuration();
        Feeds feeds = sound.feeds();
        ConfigurationNotes.of(configuration, feeds).forEach(this::note);
        noteIneffectiveSettings(options, configuration, feeds);
        noteStaleLayers(configuration);
        Map<String, Object> values = ConfigReader.effective(configuration);
        PrintWriter out = spec.commandLine().getOut();
        if (changed) {
            sound.changedSettings()
                    .forEach(setting -> out.println(json ? AnswerJson.line(setting) : describe(setting)));
        } else if (json) {
            out.println(AnswerJson.line(values));
        } else {
            values.forEach((key, value) -> out.println(key + ": " + ConfigReader.text(value)));
        }
        out.flush();
        spec.commandLine()
                .getErr()
                .println("ok: "
                        + counted(sound.changedSettings().size(), "setting differs", "settings differ")
                        + " from the defaults, "
                        + counted(notes, "note", "notes"));
        return ExitStatus.FINE;
    }

    private void noteIneffectiveSettings(ConfigurationOptions options, Configuration configuration, Feeds feeds)
            throws ConfigException {
        Map<String, PolicyOverrides> listeners = new HashMap<>();
        configuration.smtp().listeners().forEach((name, listener) -> listeners.put(name, listener.policy()));
        List<ExplicitSetting> settings = options.source().explicitSettings();
        new CapWarnings(configuration.policy(), listeners, feeds.feeds())
                .lines(settings)
                .forEach(this::note);
        UnusedCategories.lines(configuration, feeds.feeds(), settings).forEach(this::note);
    }

    private void noteStaleLayers(Configuration configuration) throws ConfigException, IOException {
        RebuildHistory history = new RebuildHistory(configuration.snapshots());
        history.refresh();
        Staleness.find(
                        BuiltLayer.readAll(configuration.snapshots()),
                        ConfigurationSource.locallyBuilt(configuration),
                        history.findLastRebuilds(),
                        Instant.now())
                .forEach((layer, reason) -> note("feeds: layer " + layer + " is stale: " + reason));
    }

    private static String describe(ExplicitSetting setting) {
        return setting.key() + ": " + setting.value() + " (" + setting.where() + ")";
    }

    private static String counted(int number, String singular, String plural) {
        return number + " " + (number == 1 ? singular : plural);
    }

    private void note(String line) {
        notes++;
        spec.commandLine().getErr().println("note: " + line);
    }
}
