package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Files and folders that only their owner may read, where the file system has POSIX permissions.
public final class PrivateFile {
    private static final FileAttribute<?>[] NONE = {};

    private PrivateFile() {}

    /// Creates an empty file unless one of this name exists.
    public static void create(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, createAttributes());
        }
    }

    /// Creates a file with these bytes, completely or not at all, unless one of this name exists.
    public static void make(Path path, byte[] bytes) throws IOException {
        if (Files.exists(path)) {
            return;
        }
        Files.createDirectories(path.toAbsolutePath().getParent());
        Path temporary = path.resolveSibling(
                "." + path.getFileName() + "-" + ProcessHandle.current().pid());
        Files.deleteIfExists(temporary);
        create(temporary);
        Files.write(temporary, bytes);
        DurableFiles.force(temporary);
        DurableFiles.rename(temporary, path);
    }

    /// Attributes for a new file.
    public static FileAttribute<?>[] createAttributes() {
        return createOwnerOnly("rw-------");
    }

    /// Attributes for a new directory.
    public static FileAttribute<?>[] createFolderAttributes() {
        return createOwnerOnly("rwx------");
    }

    private static FileAttribute<?>[] createOwnerOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : NONE;
    }
}
