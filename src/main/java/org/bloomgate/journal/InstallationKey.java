package org.bloomgate.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Optional;
import org.bloomgate.disk.PrivateFile;

/// The secret of one installation that the hashes of the key journal are made with: random octets in a file that only
/// its owner may read, made when a gateway first starts.
///
/// Without it the hourly files tell how many keys a mail held and which mails share some, and nothing of what they
/// are; names cannot be tried either. The hash is a keyed universal one and no pseudorandom function: whoever has the
/// files and knows what many of the mails held may work the key out. Whoever has the key can ask the files about any
/// name.
final class InstallationKey {
    /// The seeds of the hash, and 8 octets that set apart how a key was used.
    static final int BYTES = 24;

    private static final String FILE = "installation.key";

    private final MailKeyHash hash;

    private InstallationKey(byte[] octets) {
        ByteBuffer key = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
        hash = new MailKeyHash(key.getLong(), key.getLong(), key.getLong());
    }

    /// The key of the directory; a new one when it has none.
    ///
    /// @throws IOException also for a file of another length, which is not replaced
    static InstallationKey make(Path directory) throws IOException {
        Optional<InstallationKey> there = read(directory);
        if (there.isPresent()) {
            return there.get();
        }
        Files.createDirectories(directory);
        byte[] octets = new byte[BYTES];
        new SecureRandom().nextBytes(octets);
        Path making =
                directory.resolve("." + FILE + "-" + ProcessHandle.current().pid());
        Files.deleteIfExists(making);
        PrivateFile.create(making);
        Files.write(making, octets);
        try {
            Files.move(making, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException madeMeanwhile) {
            Files.delete(making);
        }
        return read(directory).orElseThrow();
    }

    /// Empty when no gateway has made one.
    static Optional<InstallationKey> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        try {
            byte[] octets = Files.readAllBytes(file);
            if (octets.length != BYTES) {
                throw new IOException(file + ": " + octets.length + " octets instead of " + BYTES
                        + "; restore it, or delete it together with the *.keys files beside it");
            }
            return Optional.of(new InstallationKey(octets));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    MailKeyHash hash() {
        return hash;
    }
}
