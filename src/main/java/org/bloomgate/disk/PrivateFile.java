package org.bloomgate.disk;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Files that only their owner may read.
public final class PrivateFile {
    private PrivateFile() {}

    /// Makes an empty one unless there is a file of that name.
    public static void create(Path path) throws IOException {
        if (Files.exists(path)) {
            return;
        }
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(path);
        }
    }
}
