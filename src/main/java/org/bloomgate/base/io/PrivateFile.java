package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Files and folders that only their owner may read, where the file system knows owners.
public final class PrivateFile {
    private static final FileAttribute<?>[] NONE = {};

    private PrivateFile() {}

    /// Makes an empty one unless there is a file of that name.
    public static void create(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, attributes());
        }
    }

    /// Makes one of these bytes, whole or not at all, unless there is a file of that name.
    public static void make(Path path, byte[] bytes) throws IOException {
        if (Files.exists(path)) {
            return;
        }
        Files.createDirectories(path.toAbsolutePath().getParent());
        Path making = path.resolveSibling(
                "." + path.getFileName() + "-" + ProcessHandle.current().pid());
        Files.deleteIfExists(making);
        create(making);
        Files.write(making, bytes);
        DurableFiles.force(making);
        DurableFiles.rename(making, path);
    }

    /// Attributes for a new file.
    public static FileAttribute<?>[] attributes() {
        return ownersAlone("rw-------");
    }

    /// Attributes for a new directory.
    public static FileAttribute<?>[] ofFolder() {
        return ownersAlone("rwx------");
    }

    private static FileAttribute<?>[] ownersAlone(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : NONE;
    }
}
