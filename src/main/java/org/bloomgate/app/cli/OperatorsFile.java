package org.bloomgate.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.watch.StateOwner;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.server.http.Operator;

/// The file `conf.d/operators.yaml`, which only the command `operator` writes.
///
/// @param owner who must be able to read it; empty if that is the user of this process
record OperatorsFile(Path path, Optional<StateOwner> owner) {
    private static final String HEADER = """
            # Written by 'bloomgate operator', which replaces this file.
            """;

    /// @param configuration the main configuration file
    static OperatorsFile beside(Path configuration, Configuration read) {
        return new OperatorsFile(
                ConfigReader.fragments(configuration).resolve("operators.yaml"),
                StateOwner.otherThan(System.getProperty("user.name", ""), read));
    }

    /// The operators of the file, by name. Empty if it does not exist.
    ///
    /// @throws ConfigException if the file was edited and is not valid
    Map<String, Operator> read() throws ConfigException {
        return Files.notExists(path)
                ? new TreeMap<>()
                : new TreeMap<>(
                        ConfigReader.read(path, Configuration.defaults()).http().operators());
    }

    /// Replaces the file by rename. Only the gateway may read it.
    void write(Map<String, Operator> operators) throws IOException {
        Path folder = Optional.ofNullable(path.getParent()).orElseThrow();
        if (Files.notExists(folder)) {
            Files.createDirectory(folder);
            share(folder, "rwxr-x---");
        }
        Path next = path.resolveSibling(path.getFileName() + ".tmp");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(next, (HEADER + yaml(operators)).getBytes(UTF_8));
        share(next, "rw-r-----");
        DurableFiles.force(next);
        DurableFiles.rename(next, path);
    }

    private void share(Path path, String permissions) throws IOException {
        if (owner.isPresent()) {
            owner.get().grantRead(path);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /// The operators in the syntax of a configuration file.
    static String yaml(Map<String, Operator> operators) {
        return operators.isEmpty()
                ? "http: { operators: {} }\n"
                : operators.entrySet().stream()
                        .map(entry -> line(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining("", "http:\n  operators:\n", ""));
    }

    private static String line(String name, Operator operator) {
        return "    %s: { role: %s, token: \"%s\"%s }%n"
                .formatted(
                        quoted(name),
                        operator.role().label(),
                        operator.token(),
                        operator.checksPerSecond() == 0 ? "" : ", checksPerSecond: " + operator.checksPerSecond());
    }

    /// The name, in quotes if YAML could read it as another type, for example `1`, `null` or `true`.
    private static String quoted(String name) {
        return name.matches("[A-Za-z][A-Za-z0-9-]*") ? name : '"' + name + '"';
    }
}
