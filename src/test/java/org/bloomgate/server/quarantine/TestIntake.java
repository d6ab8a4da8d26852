package org.bloomgate.server.quarantine;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.bloomgate.base.net.ClientMemory;

/// Intakes of a quarantine for tests of listeners.
public final class TestIntake {
    private TestIntake() {}

    /// @param folder that has the quarantine
    public static QuarantineIntake below(Path folder) {
        Quarantine quarantine = new Quarantine(folder.resolve("quarantine"));
        return new QuarantineIntake(
                quarantine,
                new QuarantineIndex(quarantine, new ClientMemory(64 << 20)),
                folder,
                new QuarantineIntake.Bounds(QuarantineOptions.defaults(folder), 1),
                new SimpleMeterRegistry());
    }
}
