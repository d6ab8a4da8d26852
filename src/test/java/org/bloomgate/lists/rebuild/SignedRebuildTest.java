package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.SignatureState;
import org.bloomgate.lists.snapshot.Snapshot;
import org.bloomgate.lists.snapshot.SnapshotKeys;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignedRebuildTest {
    @TempDir
    Path folder;

    @Test
    void withAKeyTheSnapshotIsSigned() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("list", KeyKind.DOMAIN, "a.example");
        rig.option("signingKey", Optional.of(fixture("signing.key")));
        String generation = rig.run().generation().orElseThrow();
        SnapshotKeys keys = SnapshotKeys.read("snapshotKey", fixture("signing.pub"));
        try (Snapshot opened =
                new SnapshotReader(SnapshotScope.WHOLE, keys).open(rig.layer().resolveGeneration(generation))) {
            assertEquals(SignatureState.VERIFIED, opened.signature());
        }
    }

    @Test
    void withAKeyThatCannotBeUsedNothingIsBegun() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("list", KeyKind.DOMAIN, "a.example");
        rig.option("signingKey", Optional.of(fixture("signing.pub")));
        IOException refused = assertThrows(IOException.class, rig::run);
        assertTrue(String.valueOf(refused.getMessage()).startsWith("rebuild.signingKey: "), refused::getMessage);
        assertEquals(Optional.empty(), rig.current());
    }

    private static Path fixture(String name) throws URISyntaxException {
        return Path.of(
                SignedRebuildTest.class.getResource("/snapshots/signed/" + name).toURI());
    }
}
