package org.bloomgate.app.gateway.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.WriteProbe;
import org.bloomgate.base.tls.ServerTls;
import org.bloomgate.base.tls.TlsFiles;
import org.bloomgate.base.tls.TrustedCertificates;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotKeys;
import org.bloomgate.server.milter.MilterAddress;
import org.bloomgate.server.smtp.Relay;

/// Looks at all that a configuration names on this machine: files that are read and folders that are
/// written to. Nothing is made, fetched or resolved.
public final class ConfiguredFiles {
    /// `RuntimeDirectory` of `config/systemd/bloomgate.service`, which exists while the unit runs.
    private static final Path RUNTIME_DIRECTORY = Path.of("/run/bloomgate");

    private final List<String> problems = new ArrayList<>();

    private ConfiguredFiles() {}

    private interface Reading {
        void read() throws IOException;
    }

    /// Everything that the configuration names and that is not as expected, by its key.
    public static List<String> problems(Configuration configuration) {
        ConfiguredFiles files = new ConfiguredFiles();
        files.look(configuration);
        return List.copyOf(files.problems);
    }

    private void look(Configuration configuration) {
        problems.addAll(Relay.fileProblems(configuration.smtp()));
        http(
                configuration.http().tls().certificate(),
                configuration.http().tls().key());
        configuration.snapshotKey().ifPresent(key -> look(() -> SnapshotKeys.read("snapshotKey", key)));
        configuration.rebuild().signingKey().ifPresent(key -> look(() -> SigningKey.read("rebuild.signingKey", key)));
        configuration
                .publisher()
                .currentKey()
                .ifPresent(key -> look(() -> SigningKey.read("publisher.currentKey", key)));
        trusted("nextHopOptions.caFile", configuration.nextHopOptions().caFile());
        trusted("exact.http.caFile", configuration.exact().http().caFile());
        trusted("exact.redis.caFile", configuration.exact().redis().caFile());
        trusted("mirror.caFile", configuration.mirror().caFile());
        configuration.milter().listen().ifPresent(this::socket);
        for (StateFolder folder : StateFolder.ofGateway(configuration, configuration.nextHop())) {
            folder.fault().ifPresent(why -> problems.add(folder.key() + ": " + why));
        }
    }

    /// The folder of the milter's socket, which a gateway does not create.
    private void socket(MilterAddress listen) {
        if (!(listen instanceof MilterAddress.Unix(Path path))) {
            return;
        }
        Path folder = Optional.ofNullable(path.toAbsolutePath().getParent()).orElse(path);
        if (Files.notExists(folder)) {
            if (!folder.equals(RUNTIME_DIRECTORY)) {
                problems.add("milter.listen: " + folder + ": no such folder; create it for the user of the gateway");
            }
        } else {
            WriteProbe.findFault(folder).ifPresent(why -> problems.add("milter.listen: " + why));
        }
    }

    private void http(String certificate, String key) {
        if (!certificate.isEmpty()) {
            look(() -> ServerTls.open("http.tls", new TlsFiles(certificate, key)));
        }
    }

    private void trusted(String key, Optional<Path> file) {
        file.ifPresent(_ -> look(() -> TrustedCertificates.managers(key, file)));
    }

    private void look(Reading reading) {
        try {
            reading.read();
        } catch (IOException e) {
            problems.add(IoText.describe(e));
        }
    }

    /// Why there is no feeds file; empty if there is one.
    public static Optional<String> feedsMissing(Configuration configuration) {
        return Files.notExists(configuration.feeds())
                ? Optional.of("feeds: " + configuration.feeds() + ": no such file")
                : Optional.empty();
    }
}
