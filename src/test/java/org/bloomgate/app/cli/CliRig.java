package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.junit.jupiter.api.io.TempDir;

/// A folder with a configuration and its feeds, and commands and gateways that use it. `FOLDER` in a file or an
/// argument is this folder.
abstract class CliRig {
    /// Each kind of state in a folder of its own.
    static final String STORES = """
            snapshots: FOLDER/snapshots
            feeds: FOLDER/feeds.yaml
            journal: { directory: FOLDER/decisions, keys: { directory: FOLDER/keys } }
            local: { directory: FOLDER/local }
            """;

    /// A gateway on free ports that delivers into a maildir.
    static final String GATEWAY = """
            state: FOLDER
            nextHop: "maildir:FOLDER/mail"
            http: { listen: "127.0.0.1:0" }
            smtp: { listen: "127.0.0.1:0" }
            feeds: FOLDER/feeds.yaml
            """;

    @TempDir
    Path folder;

    final Path file() {
        return folder.resolve("bloomgate.yaml");
    }

    final Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), inFolder(text));
    }

    /// @param feeds the settings of each
    final void configure(String configuration, String... feeds) throws IOException {
        write("bloomgate.yaml", configuration);
        write(
                "feeds.yaml",
                Arrays.stream(feeds)
                        .map(feed -> "  - { " + feed + " }\n")
                        .collect(Collectors.joining("", "feeds:\n", "")));
    }

    final Invocation run(String... arguments) {
        return runWith("", arguments);
    }

    final Invocation runWith(String stdin, String... arguments) {
        return Invocation.of(
                stdin,
                Stream.concat(Arrays.stream(arguments).map(this::inFolder), Stream.of("-c", file().toString()))
                        .toList());
    }

    /// Runs a command that must succeed.
    final Invocation done(String... arguments) {
        Invocation done = run(arguments);
        assertEquals(ExitStatus.FINE, done.status(), done::toString);
        return done;
    }

    final Gateway startGateway() throws Exception {
        return Gateway.start(new ConfigurationSource(file(), Map.of()).read());
    }

    private String inFolder(String text) {
        return text.replace("FOLDER", folder.toString());
    }
}
