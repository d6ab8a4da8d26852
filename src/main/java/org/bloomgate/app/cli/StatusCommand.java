package org.bloomgate.app.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.quarantine.Quarantine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `status`: prints a summary of the running gateway. Readiness, layers and messages come from the
/// gateway over HTTP; rebuilds, quarantine and disk are read from the state folder.
@Command(
        name = "status",
        description = {
            "Shows whether the gateway of this machine is ready, and a summary of its state.",
            "The gateway is queried at http.listen, with http.adminToken if that is not a digest. Without a token that"
                    + " may read the status, version, layers, held feeds and messages are not shown.",
            "Exit status: 0 ready, 1 not ready, 3 no answer."
        })
final class StatusCommand extends ConfiguredCommand {
    private static final int NOT_READY = 1;

    @Option(names = "--json", description = "Print one JSON object.")
    boolean json;

    /// @param state `ready`, `degraded` or `not ready`
    /// @param gateway absent if the status may not be read
    /// @param lastRebuild absent if there was none
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Summary(
            String state,
            String reason,
            Optional<Running> gateway,
            Optional<PastRebuild> lastRebuild,
            QuarantineTotals quarantine,
            Disk disk) {}

    /// @param conditions what is wrong at present, as a text for people
    /// @param lastTwoHours messages of the current hour (UTC) and of the one before, by action as enforced
    record Running(
            String version,
            Instant startedAt,
            List<Layer> layers,
            List<String> conditions,
            List<String> heldFeeds,
            Map<String, Long> lastTwoHours) {}

    /// @param confirmedAt when a rebuild last found nothing new
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Layer(String layer, String generation, Instant createdAt, Optional<Instant> confirmedAt) {}

    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record QuarantineTotals(long messages, Optional<Instant> oldest) {}

    /// The disk of the state folder.
    record Disk(long freeBytes, long totalBytes) {}

    @Override
    public Integer call() throws ConfigException, IOException, InterruptedException {
        Configuration read = configuration.read();
        if (read.http().listen().port() == 0) {
            remark("http.listen has port 0, so that the port in use is not known here");
            return ExitStatus.UNKNOWN;
        }
        GatewayClient.Reply ready;
        GatewayClient.Reply status;
        GatewayClient.Reply hours;
        try (GatewayClient client = new GatewayClient(read.http())) {
            ready = client.get("/health/ready");
            if (ready.status() != 200 && ready.status() != 503) {
                remark(ready.base() + "/health/ready answers " + ready.status() + ": not a Bloomgate gateway");
                return ExitStatus.UNKNOWN;
            }
            status = client.getAsAdmin("/v1/status");
            hours = client.getAsAdmin("/v1/status/hours");
        }
        if (status.status() != 200) {
            remark("version, layers, held feeds and messages are not shown: set http.adminToken to the token of the"
                    + " gateway, not to its digest, or add status to http.open");
        }
        Summary summary = summary(read, ready, status, hours);
        if (json) {
            out().println(AnswerJson.line(summary));
        } else {
            lines(summary, read.state(), Instant.now()).forEach(out()::println);
        }
        return ready.status() == 200 ? ExitStatus.FINE : NOT_READY;
    }

    private static Summary summary(
            Configuration read, GatewayClient.Reply ready, GatewayClient.Reply status, GatewayClient.Reply hours)
            throws IOException {
        JsonNode health = ready.body();
        boolean isReady = ready.status() == 200;
        Quarantine.Totals totals = new Quarantine(read.quarantine().folder()).totals();
        return new Summary(
                isReady ? health.path("status").asText("ready") : "not ready",
                status.status() == 200
                        ? status.body().path("reason").asText("")
                        : health.path(isReady ? "reason" : "detail").asText(""),
                status.status() == 200 ? Optional.of(running(status.body(), hours.body())) : Optional.empty(),
                new RebuildHistory(read.snapshots())
                        .find(Optional.empty(), 1).stream().findFirst(),
                new QuarantineTotals(totals.messages(), totals.oldest()),
                disk(read.state()));
    }

    /// @param status of the gateway, which may be of another version
    /// @param hours messages by action and hour, the last hour being the current one
    static Running running(JsonNode status, JsonNode hours) {
        List<Layer> layers = new ArrayList<>();
        List<String> heldFeeds = new ArrayList<>();
        for (JsonNode layer : status.path("layers")) {
            layers.add(new Layer(
                    layer.path("layer").asText(),
                    layer.path("generation").asText(),
                    instant(layer.path("createdAt")).orElse(Instant.EPOCH),
                    instant(layer.path("confirmedAt"))));
            for (JsonNode feed : layer.path("feeds")) {
                if (feed.path("from").asText().equals("last-good-copy")) {
                    heldFeeds.add(feed.path("name").asText());
                }
            }
        }
        List<String> conditions = new ArrayList<>();
        status.path("refused").forEach(one -> conditions.add(one.path("text").asText()));
        Map<String, Long> lastTwoHours = new TreeMap<>();
        hours.path("messages").properties().forEach(action -> {
            JsonNode counts = action.getValue();
            long sum = counts.path(counts.size() - 2).asLong()
                    + counts.path(counts.size() - 1).asLong();
            if (sum > 0) {
                lastTwoHours.put(action.getKey(), sum);
            }
        });
        return new Running(
                status.path("version").asText(),
                instant(status.path("startedAt")).orElse(Instant.EPOCH),
                layers,
                conditions,
                heldFeeds,
                lastTwoHours);
    }

    private static Optional<Instant> instant(JsonNode node) {
        return node.isTextual() ? Optional.of(Instant.parse(node.asText())) : Optional.empty();
    }

    private static Disk disk(Path state) throws IOException {
        Path existing = state.toAbsolutePath();
        while (Files.notExists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        FileStore disk = Files.getFileStore(existing);
        return new Disk(disk.getUsableSpace(), disk.getTotalSpace());
    }

    static List<String> lines(Summary summary, Path state, Instant now) {
        List<String> lines = new ArrayList<>();
        line(lines, "state", summary.state() + (summary.reason().isEmpty() ? "" : ": " + summary.reason()));
        summary.gateway().ifPresent(gateway -> {
            line(lines, "version", gateway.version() + ", started " + age(gateway.startedAt(), now) + " ago");
            gateway.layers()
                    .forEach(layer -> line(
                            lines,
                            layer.layer(),
                            layer.generation() + ", " + age(layer.createdAt(), now) + " old"
                                    + layer.confirmedAt()
                                            .map(at -> ", confirmed " + age(at, now) + " ago")
                                            .orElse("")));
            gateway.conditions().forEach(condition -> line(lines, "condition", condition));
        });
        line(
                lines,
                "last rebuild",
                summary.lastRebuild()
                        .map(rebuild -> rebuild.layer() + " " + rebuild.outcome() + " " + age(rebuild.time(), now)
                                + " ago" + (rebuild.reason().isEmpty() ? "" : ": " + rebuild.reason()))
                        .orElse("none"));
        summary.gateway().ifPresent(gateway -> {
            line(lines, "held feeds", gateway.heldFeeds().isEmpty() ? "none" : String.join(", ", gateway.heldFeeds()));
            line(
                    lines,
                    "last 2 hours",
                    gateway.lastTwoHours().isEmpty()
                            ? "no message"
                            : gateway.lastTwoHours().entrySet().stream()
                                    .map(action -> "%,d %s".formatted(action.getValue(), action.getKey()))
                                    .collect(Collectors.joining(", ")));
        });
        line(
                lines,
                "quarantine",
                "%,d messages".formatted(summary.quarantine().messages())
                        + summary.quarantine()
                                .oldest()
                                .map(at -> ", the oldest " + age(at, now) + " old")
                                .orElse(""));
        line(
                lines,
                "free space",
                gigabytes(summary.disk().freeBytes()) + " of "
                        + gigabytes(summary.disk().totalBytes()) + " (" + state + ")");
        return lines;
    }

    private static void line(List<String> lines, String name, String value) {
        lines.add("%-13s %s".formatted(name, Printable.of(value)));
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }

    private static String age(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        if (age.toMinutes() < 2) {
            return Math.max(0, age.toSeconds()) + " s";
        } else if (age.toHours() < 2) {
            return age.toMinutes() + " min";
        }
        return age.toDays() < 2 ? age.toHours() + " h" : age.toDays() + " d";
    }
}
