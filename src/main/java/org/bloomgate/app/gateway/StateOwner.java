package org.bloomgate.app.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The user that the state belongs to. Files that root writes there cannot be written by the service.
public final class StateOwner {
    private StateOwner() {}

    /// Why a command must not run as this user; empty if it may.
    ///
    /// @param command as it is written, without options
    public static Optional<String> refusal(Configuration configuration, String user, String command) {
        if (!user.equals("root")) {
            return Optional.empty();
        }
        Path folder = configuration.snapshots().toAbsolutePath();
        Optional<Path> there = Files.exists(folder)
                ? Optional.of(folder)
                : Optional.ofNullable(folder.getParent()).filter(Files::exists);
        return there.flatMap(StateOwner::otherThanRoot)
                .map(owner -> "bloomgate: root would leave files that " + owner + ", the owner of the state, cannot"
                        + " write; start it with: runuser -u " + owner + " -- " + command + " ...");
    }

    /// A number is a user of another machine, for example of the host of a container.
    private static Optional<String> otherThanRoot(Path folder) {
        try {
            String owner = Files.getOwner(folder).getName();
            return owner.equals("root") || owner.matches("[0-9]+") ? Optional.empty() : Optional.of(owner);
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
    }
}
