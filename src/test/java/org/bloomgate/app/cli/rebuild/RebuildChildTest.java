package org.bloomgate.app.cli.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.bloomgate.app.cli.Bloomgate;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RebuildChildTest {
    @Test
    void theCacheOfThisProcessServesItsChild() {
        List<String> program = RebuildChild.program("/opt/bloomgate/bloomgate.jar", true);
        assertTrue(program.contains("-XX:AOTCache=/opt/bloomgate/bloomgate.aot"));
        assertEquals(
                List.of("-jar", "/opt/bloomgate/bloomgate.jar"), program.subList(program.size() - 2, program.size()));
        assertFalse(program.contains("--enable-native-access=ALL-UNNAMED"), "no JVM takes a cache with it");
    }

    @Test
    void aLayerOfWhichNothingIsKnownIsNotSmall(@TempDir Path snapshots) {
        assertFalse(RebuildChild.isSmall(new LayerDirectory(snapshots, "nightly")));
    }

    @Test
    void withoutACacheTheChildHasTheClassesOfThisProcess() {
        for (String classPath : List.of("/opt/bloomgate/bloomgate.jar", "classes:/lib/one.jar:more")) {
            List<String> program = RebuildChild.program(classPath, false);
            assertEquals(List.of("-cp", classPath, Bloomgate.class.getName()), program.subList(1, program.size()));
        }
        assertEquals("-cp", RebuildChild.program("classes", true).get(1));
    }
}
