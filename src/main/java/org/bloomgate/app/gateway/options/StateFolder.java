package org.bloomgate.app.gateway.options;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.WriteProbe;
import org.bloomgate.server.nexthop.NextHops;

/// A folder that a running service writes to.
///
/// @param key of the configuration that names it: `state (NAME)` for a folder below `state`
/// @param needed whether messages cannot be stored or recorded without it
public record StateFolder(String key, Path path, boolean needed) {

    /// The state folders of a gateway.
    ///
    /// @param configuration that it was started with
    /// @param nextHop in use
    public static List<StateFolder> ofGateway(Configuration configuration, String nextHop) {
        List<StateFolder> folders = new ArrayList<>();
        NextHops.maildir(nextHop)
                .ifPresent(maildir -> folders.add(new StateFolder("nextHop", maildir.resolve("tmp"), true)));
        folders.add(below("tmp", configuration.smtp().memory().temporary(), true));
        folders.add(below("quarantine", configuration.quarantine().folder().resolve("tmp"), true));
        folders.add(of(
                configuration,
                "journal.directory",
                "decisions",
                configuration.journal().directory(),
                true));
        folders.add(of(
                configuration,
                "journal.keys.directory",
                "keys",
                configuration.journal().keys().directory(),
                false));
        if (configuration.memory().use("").isActive()) {
            folders.add(below("memory", configuration.memory().folder(), false));
        }
        if (!configuration.reports().addresses().isEmpty()) {
            folders.add(below("reports", configuration.reports().folder().resolve("queue"), true));
        }
        folders.addAll(ofLookup(configuration));
        return List.copyOf(folders);
    }

    /// The state folders of a lookup service.
    public static List<StateFolder> ofLookup(Configuration configuration) {
        List<StateFolder> folders = new ArrayList<>();
        folders.add(of(
                configuration, "local.directory", "local", configuration.local().directory(), false));
        if (configuration.mirror().isEnabled() || configuration.gateway().rebuild()) {
            folders.add(of(configuration, "snapshots", "snapshots", configuration.snapshots(), false));
        }
        configuration
                .publisher()
                .directory()
                .ifPresent(directory -> folders.add(new StateFolder("publisher.directory", directory, false)));
        return List.copyOf(folders);
    }

    /// @param key for a folder that is not below `state`
    private static StateFolder of(Configuration configuration, String key, String name, Path path, boolean needed) {
        return path.equals(configuration.state().resolve(name))
                ? below(name, path, needed)
                : new StateFolder(key, path, needed);
    }

    private static StateFolder below(String name, Path path, boolean needed) {
        return new StateFolder("state (" + name + ")", path, needed);
    }

    /// The file system of the folder, or of its nearest parent that exists.
    public FileStore store() throws IOException {
        Path existing = path.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return Files.getFileStore(existing);
    }

    /// The reason why the folder is not writable; empty if it is.
    public Optional<String> fault() {
        return WriteProbe.findFault(path);
    }
}
