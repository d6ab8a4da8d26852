package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A secret that an installation generates for itself: random bytes in a file that only its owner may read. The
/// data files beside it cannot be read without it.
///
/// @param file of the secret
/// @param bytes length of the secret
/// @param data the files that depend on it, for example `*.keys`
public record InstallationSecret(Path file, int bytes, String data) {
    /// Far more than any secret has, so that the error for a wrong file can state its length.
    private static final int MAX_BYTES = 1 << 16;

    private static final Logger LOG = LoggerFactory.getLogger(InstallationSecret.class);

    /// Reads the secret. If there is none yet, the fresh one is stored and returned. An empty file, as a crash
    /// may leave it, is replaced.
    ///
    /// @throws IOException also for a file of another length, which is not replaced
    public byte[] readOrStore(byte[] fresh) throws IOException {
        if (Files.isRegularFile(file) && Files.size(file) == 0) {
            LOG.warn("{} was empty and is created again: the {} files beside it can no longer be read", file, data);
            Files.delete(file);
        }
        PrivateFile.make(file, fresh);
        return read().orElseThrow(() -> new NoSuchFileException(file.toString()));
    }

    /// Reads the secret; empty if it was not created yet.
    ///
    /// @throws IOException also for a file of another length
    public Optional<byte[]> read() throws IOException {
        try {
            byte[] storedBytes = StateFile.bytes(file, MAX_BYTES);
            if (storedBytes.length != bytes) {
                throw new IOException(file + ": " + storedBytes.length + " bytes instead of " + bytes
                        + "; restore it, or delete it together with the " + data + " files beside it");
            }
            return Optional.of(storedBytes);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }
}
