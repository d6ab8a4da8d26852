package org.bloomgate.app.gateway;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.WriteProbe;
import org.bloomgate.server.nexthop.NextHops;

/// A folder that a running service writes to.
///
/// @param key of the configuration that names it
/// @param needed whether mail can neither be kept nor accounted for without it
record StateFolder(String key, Path path, boolean needed) {

    /// The state folders of a gateway.
    static List<StateFolder> ofGateway(Configuration configuration) {
        List<StateFolder> folders = new ArrayList<>();
        NextHops.maildir(configuration.nextHop())
                .ifPresent(maildir -> folders.add(new StateFolder("nextHop", maildir.resolve("tmp"), true)));
        folders.add(
                new StateFolder("smtp.temporary", configuration.smtp().memory().temporary(), true));
        folders.add(new StateFolder(
                "smtp.quarantine", configuration.smtp().quarantine().resolve("tmp"), true));
        folders.add(new StateFolder("journal.directory", configuration.journal().directory(), true));
        folders.add(new StateFolder(
                "journal.keys.directory", configuration.journal().keys().directory(), false));
        if (configuration.protect().firstContact()) {
            folders.add(
                    new StateFolder("protect.contacts", configuration.protect().contacts(), false));
        }
        folders.addAll(ofLookup(configuration));
        return List.copyOf(folders);
    }

    /// The state folders of a lookup service.
    static List<StateFolder> ofLookup(Configuration configuration) {
        List<StateFolder> folders = new ArrayList<>();
        folders.add(new StateFolder("local.directory", configuration.local().directory(), false));
        if (configuration.mirror().enabled() || configuration.gateway().rebuild()) {
            folders.add(new StateFolder("snapshots", configuration.snapshots(), false));
        }
        return List.copyOf(folders);
    }

    /// Why it cannot be written to.
    Optional<String> fault() {
        return WriteProbe.fault(path);
    }
}
