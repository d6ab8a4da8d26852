package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ExactOptions;
import org.bloomgate.base.io.VerifiedFiles;
import org.bloomgate.lists.snapshot.SnapshotKeys;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;

/// The reader of snapshots that a configuration requires: trusted keys and needed files.
public final class SnapshotReading {
    /// Files that the mirror of this process has verified are not verified again by its layers.
    private static final VerifiedFiles VERIFIED = new VerifiedFiles(InstantSource.system());

    private SnapshotReading() {}

    /// @throws IOException when the keys cannot be read
    public static SnapshotReader of(Configuration configuration) throws IOException {
        Optional<Path> file = configuration.snapshotKey();
        SnapshotKeys keys = file.isPresent() ? SnapshotKeys.read("snapshotKey", file.get()) : SnapshotKeys.none();
        boolean embedded = configuration.exact().store() == ExactOptions.Store.EMBEDDED;
        return new SnapshotReader(
                embedded ? SnapshotScope.WHOLE : SnapshotScope.WITHOUT_EXACT, keys, InstantSource.system(), VERIFIED);
    }
}
