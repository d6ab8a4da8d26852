package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Distinguishes a full disk from other faults.
public final class FullDisk {
    /// The space that a file system needs beyond the bytes of a file.
    private static final long SLACK_BYTES = 64 * 1024;

    private FullDisk() {}

    /// Whether a write failed because the disk is full. The text of an exception depends on the platform and
    /// its language, and the free space does not show quotas, so either is taken as proof.
    ///
    /// @param folder that was written to
    /// @param neededBytes that were to be written
    public static boolean isCauseOf(IOException failure, Path folder, long neededBytes) {
        String text = failure.toString();
        return text.contains("No space left")
                || text.contains("quota exceeded")
                || freeBytes(folder) - SLACK_BYTES < neededBytes;
    }

    private static long freeBytes(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }
}
