package org.bloomgate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/// Temporary folders of tests in memory, where forcing a file to disk takes no time: no test can see whether it was
/// forced. On a machine without such a file system, or with a small one, they are where they are by default.
public final class MemoryFolder implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    /// Several times what all tests that run at once hold.
    private static final long ENOUGH_BYTES = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        boolean fits = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH_BYTES;
        return fits ? Files.createTempDirectory(MEMORY, "bloomgate") : Files.createTempDirectory("bloomgate");
    }
}
