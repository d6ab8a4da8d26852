package org.bloomgate.app.gateway.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;

/// The user who owns the state. Files that root writes there cannot be written by the service.
public final class StateOwner {
    private final PosixFileAttributes folder;

    private StateOwner(PosixFileAttributes folder) {
        this.folder = folder;
    }

    /// The owner of the state if it is not root. A number is a user of another machine, for example of the host of a
    /// container, and does not count.
    ///
    /// @param user who runs this process; the result is empty for every user but root
    public static Optional<StateOwner> otherThan(String user, Configuration configuration) {
        if (!user.equals("root")) {
            return Optional.empty();
        }
        return Stream.of(configuration.state(), configuration.snapshots())
                .flatMap(folder -> of(folder.toAbsolutePath()).stream())
                .filter(owner -> !owner.name().equals("root") && !owner.name().matches("[0-9]+"))
                .findFirst();
    }

    /// The owner of a folder; of its parent if the folder does not exist.
    private static Optional<StateOwner> of(Path path) {
        Path folder = Files.exists(path) || path.getParent() == null ? path : path.getParent();
        try {
            return Optional.of(new StateOwner(Files.readAttributes(folder, PosixFileAttributes.class)));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    private String name() {
        return folder.owner().getName();
    }

    /// The reason why a command must not run as this user; empty if it may.
    ///
    /// @param command as it is written, without options
    public static Optional<String> refusal(Configuration configuration, String user, String command) {
        return otherThan(user, configuration)
                .map(owner -> "bloomgate: root would leave files that " + owner.name() + ", the owner of the state,"
                        + " cannot write; start it with: runuser -u " + owner.name() + " -- " + command + " ...");
    }

    /// Lets the owner read a file that root has written, by its group.
    public void grantRead(Path file) throws IOException {
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setGroup(folder.group());
    }
}
