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

/// Checks all that a configuration names on this machine: files that are read and folders that are written to.
/// Nothing is created, fetched or resolved.
public final class ConfiguredFiles {
    /// `RuntimeDirectory` of `config/systemd/bloomgate.service`, which exists while the unit runs.
    private static final Path RUNTIME_DIRECTORY = Path.of("/run/bloomgate");

    private final List<String> problems = new ArrayList<>();

    private ConfiguredFiles() {}

    private interface FileReader {
        void read() throws IOException;
    }

    /// The problems of the files and folders that the configuration names; each begins with its key.
    public static List<String> problems(Configuration configuration) {
        ConfiguredFiles files = new ConfiguredFiles();
        files.check(configuration);
        return List.copyOf(files.problems);
    }

    private void check(Configuration configuration) {
        problems.addAll(Relay.findFileProblems(configuration.smtp()));
        checkHttpTls(
                configuration.http().tls().certificate(),
                configuration.http().tls().key());
        configuration.snapshotKey().ifPresent(key -> check(() -> SnapshotKeys.read("snapshotKey", key)));
        configuration.rebuild().signingKey().ifPresent(key -> check(() -> SigningKey.read("rebuild.signingKey", key)));
        configuration
                .publisher()
                .currentKey()
                .ifPresent(key -> check(() -> SigningKey.read("publisher.currentKey", key)));
        checkTrusted("nextHopOptions.caFile", configuration.nextHopOptions().caFile());
        checkTrusted("exact.http.caFile", configuration.exact().http().caFile());
        checkTrusted("exact.redis.caFile", configuration.exact().redis().caFile());
        checkTrusted("mirror.caFile", configuration.mirror().caFile());
        configuration.milter().listen().ifPresent(this::checkSocketFolder);
        for (StateFolder folder : StateFolder.ofGateway(configuration, configuration.nextHop())) {
            folder.fault().ifPresent(why -> problems.add(folder.key() + ": " + why));
        }
    }

    /// The folder of the milter's socket, which a gateway does not create.
    private void checkSocketFolder(MilterAddress listen) {
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

    private void checkHttpTls(String certificate, String key) {
        if (!certificate.isEmpty()) {
            check(() -> ServerTls.open("http.tls", new TlsFiles(certificate, key)));
        }
    }

    private void checkTrusted(String key, Optional<Path> file) {
        file.ifPresent(_ -> check(() -> TrustedCertificates.managers(key, file)));
    }

    private void check(FileReader reader) {
        try {
            reader.read();
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
