package org.bloomgate.base.io;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// Checks by writing whether a directory is writable: permissions do not show a read-only or full file system.
///
/// The probe is deleted when this returns, or at once if the process is killed meanwhile. A missing directory
/// is not created: the nearest existing parent, in which it would be created, is probed.
public final class WriteProbe {
    /// One block of most file systems, so that the probe needs space on the disk.
    private static final int PROBE_BYTES = 4096;

    private WriteProbe() {}

    /// The reason why the folder cannot be written to; empty if it can.
    public static Optional<String> findFault(Path folder) {
        Path existingFolder = folder.toAbsolutePath().normalize();
        while (!Files.exists(existingFolder) && existingFolder.getParent() != null) {
            existingFolder = existingFolder.getParent();
        }
        if (!Files.isDirectory(existingFolder)) {
            return Optional.of(existingFolder + " is not a directory");
        }
        Path probe = existingFolder.resolve(".probe-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        Set<OpenOption> options = Set.of(CREATE_NEW, WRITE, DELETE_ON_CLOSE);
        try (FileChannel channel = FileChannel.open(probe, options, PrivateFile.createAttributes())) {
            ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(existingFolder + " cannot be written to: " + IoText.of(e));
        }
    }
}
