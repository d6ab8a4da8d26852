package org.bloomgate.app.cli.inspect;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.ProtectedNames;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.lookalike.LookAlike;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.Trick;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `lookalike`: prints the protected name that a name imitates, or the imitations of a name.
@Command(
        name = "lookalike",
        description = {
            "Prints the protected domain (protect.names) that a name imitates, and the trick.",
            "For any other name, prints the imitations that are recognised if it is protected.",
            "Exit status 1 if it imitates a protected name."
        })
public final class LookalikeCommand extends ConfiguredCommand {
    private static final int EXAMPLES = 3;

    @Parameters(paramLabel = "NAME", description = "A domain, in any spelling that browsers accept.")
    String name = "";

    @Option(names = "--json", description = "Print one JSON object.")
    boolean json;

    @Option(names = "--forms", description = "Print each imitation with its trick on a line, instead of a summary.")
    boolean forms;

    /// The result for one name.
    ///
    /// @param guards number of recognized imitations by trick; absent for a look-alike
    record Answer(
            String name,
            @JsonProperty("protected") boolean isProtected,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String looksLike,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String trick,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> guards) {}

    @Override
    public Integer call() throws ConfigException, InputException {
        Configuration read = configuration.read();
        String host = Host.parse(name)
                .filter(parsed -> parsed.kind() == HostKind.NAME
                        && !PublicSuffixes.bundled().isPublicSuffix(parsed))
                .map(Host::text)
                .orElseThrow(() -> new InputException("'" + Printable.of(name) + "' is not a registrable domain"));
        Optional<LookAlike> like = ProtectedNames.read(read).find(host, PublicSuffixes.bundled());
        like.ifPresentOrElse(lookAlike -> printLookAlike(host, lookAlike), () -> printImitations(host, read));
        return like.isPresent() ? ExitStatus.LISTED : ExitStatus.FINE;
    }

    private void printLookAlike(String host, LookAlike like) {
        String trick = like.trick().label();
        out().println(
                        json
                                ? AnswerJson.line(new Answer(host, false, like.of(), trick, Map.of()))
                                : host + "\tlooks like " + like.of() + "\t" + trick);
    }

    private void printImitations(String host, Configuration read) {
        Map<Trick, Set<String>> byTrick = new TreeMap<>();
        Set<String> seen = new LinkedHashSet<>(List.of(host));
        LookAlikes.forEachImitation(
                host,
                (trick, form) -> Host.parse(form)
                        .map(Host::text)
                        .filter(seen::add)
                        .ifPresent(name -> byTrick.computeIfAbsent(trick, _ -> new LinkedHashSet<>())
                                .add(name)));
        boolean isProtected = read.protect().names().contains(host);
        if (forms) {
            byTrick.forEach((trick, all) -> all.forEach(form -> out().println(trick.label() + "\t" + form)));
        } else if (json) {
            Map<String, Integer> guards = new TreeMap<>();
            byTrick.forEach((trick, all) -> guards.put(trick.label(), all.size()));
            out().println(AnswerJson.line(new Answer(host, isProtected, "", "", guards)));
        } else {
            out().println(host + (isProtected ? "\tprotected" : "\tnot protected; with it in protect.names:"));
            byTrick.forEach(
                    (trick, all) -> out().println("%-14s %6d  %s".formatted(trick.label(), all.size(), some(all))));
        }
    }

    private static String some(Set<String> all) {
        List<String> examples = new ArrayList<>(all).subList(0, Math.min(EXAMPLES, all.size()));
        return String.join(" ", examples) + (all.size() > EXAMPLES ? " .." : "");
    }
}
