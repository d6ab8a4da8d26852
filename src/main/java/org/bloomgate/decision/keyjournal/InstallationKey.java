package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import org.bloomgate.base.io.InstallationSecret;
import org.bloomgate.base.io.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The secret of one installation that the hashes of the key journal are made with: random bytes in a file that only
/// its owner may read, created when a gateway first starts.
///
/// Without it, the hourly files reveal how many keys a message contained and which messages share some, but not
/// the keys, and names cannot be tried. The hash is a keyed universal one, not a pseudorandom function: an
/// attacker who has the files and knows the content of many of the messages may be able to compute the key.
/// With the key, the files can be queried about any name.
final class InstallationKey {
    /// Two seeds of the hash, and 8 bytes from which the aspects are derived.
    static final int BYTES = 24;

    private static final String FILE = "installation.key";
    private static final Logger LOG = LoggerFactory.getLogger(InstallationKey.class);

    private final MailKeyHash hash;

    private InstallationKey(byte[] bytes) {
        ByteBuffer key = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        hash = new MailKeyHash(key.getLong(), key.getLong(), key.getLong());
    }

    /// Opens the key of the directory, or creates one.
    ///
    /// An empty file, which a machine that stopped may have left, is replaced.
    ///
    /// @throws IOException also for a file of another length, which is not replaced
    static InstallationKey openOrCreate(Path directory) throws IOException {
        byte[] fresh = new byte[BYTES];
        new SecureRandom().nextBytes(fresh);
        return new InstallationKey(secret(directory).readOrStore(fresh));
    }

    private static InstallationSecret secret(Path directory) {
        return new InstallationSecret(directory.resolve(FILE), BYTES, "*.keys");
    }

    /// Reads the key for a reader of the journal; empty also if the file is damaged, which is logged.
    static Optional<InstallationKey> readIfWhole(Path directory) {
        try {
            return read(directory);
        } catch (IOException damaged) {
            LOG.warn("{}", IoText.describe(damaged));
            return Optional.empty();
        }
    }

    /// Empty if no gateway has created one.
    static Optional<InstallationKey> read(Path directory) throws IOException {
        return secret(directory).read().map(InstallationKey::new);
    }

    MailKeyHash hash() {
        return hash;
    }
}
