package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The size of a disk, and its free space. Copies of snapshots leave a part of it free for logs, the journal and
/// messages: a twentieth of the disk, at most a gibibyte.
public record DiskSpace(long totalBytes, long usableBytes) {
    private static final long MAX_RESERVE_BYTES = 1L << 30;
    private static final int RESERVE_SHARE = 20;

    /// Returns the space of the disk that a folder is on.
    @FunctionalInterface
    public interface Meter {
        DiskSpace measure(Path folder) throws IOException;
    }

    /// The space of the disk that an existing folder is on.
    public static DiskSpace measure(Path folder) throws IOException {
        FileStore disk = Files.getFileStore(folder);
        return new DiskSpace(disk.getTotalSpace(), disk.getUsableSpace());
    }

    public long reserveBytes() {
        return Math.min(MAX_RESERVE_BYTES, totalBytes / RESERVE_SHARE);
    }

    /// Says what is missing if so many bytes do not fit beside the reserve; empty if they do.
    ///
    /// @param folder named in the text
    public Optional<String> findShortage(long bytes, Path folder) {
        return usableBytes - reserveBytes() >= bytes
                ? Optional.empty()
                : Optional.of("no space: " + bytes + " bytes to write, and " + usableBytes + " are free on " + folder
                        + ", and " + reserveBytes() + " of them have to stay free");
    }
}
