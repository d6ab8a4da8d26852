package org.bloomgate.app.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateOwnerTest {
    @TempDir
    private Path folder;

    private Optional<String> refusal(Path snapshots, String user) throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "snapshots: " + snapshots);
        Configuration read = ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
        return StateOwner.refusal(read, user, "bloomgate listing add");
    }

    /// A folder of the system that belongs to a user of another name, as far as there is one.
    @Test
    void rootWithTheStateOfAnotherUser_isRefused() throws Exception {
        String owner = Files.getOwner(folder).getName();
        if (owner.equals("root")) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("daemon"));
            owner = "daemon";
        }
        Optional<String> refusal = refusal(folder.resolve("snapshots"), "root");
        assertTrue(
                refusal.orElse("").endsWith("start it with: runuser -u " + owner + " -- bloomgate listing add ..."),
                refusal::toString);
        assertEquals(Optional.empty(), refusal(folder.resolve("snapshots"), owner));
        assertEquals(Optional.empty(), refusal(folder.resolve("none/snapshots"), "root"));
    }
}
