package org.bloomgate.decision.senders;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import org.bloomgate.base.io.InstallationSecret;
import org.bloomgate.core.text.TextForms;

/// The keyed hash of a pair of recipient and sender. Without its key, a secret of the installation, the files reveal
/// nothing.
///
/// @param began when the installation began to remember
record PairHash(Hasher64 addresses, Hasher64 domains, Instant began) {
    private static final String FILE = "contacts.key";
    private static final int BYTES = 24;
    private static final long ADDRESSES = 1;
    private static final long DOMAINS = 2;

    /// Opens the key of the directory, or creates one.
    ///
    /// @throws IOException also for a file of another length, which is not replaced
    static PairHash openOrCreate(Path directory, Instant now) throws IOException {
        ByteBuffer fresh = ByteBuffer.allocate(BYTES);
        SecureRandom random = new SecureRandom();
        fresh.putLong(random.nextLong()).putLong(random.nextLong()).putLong(now.getEpochSecond());
        InstallationSecret secret = new InstallationSecret(directory.resolve(FILE), BYTES, "*.pairs");
        ByteBuffer key = ByteBuffer.wrap(secret.readOrStore(fresh.array()));
        long first = key.getLong();
        long second = key.getLong();
        return new PairHash(
                Hashing.polymurHash2_0(ADDRESSES, first, second),
                Hashing.polymurHash2_0(DOMAINS, first, second),
                Instant.ofEpochSecond(key.getLong()));
    }

    long ofAddress(String recipient, String sender) {
        return of(addresses, recipient, sender);
    }

    long ofDomain(String recipient, String sender) {
        return of(domains, recipient, sender.substring(sender.lastIndexOf('@') + 1));
    }

    /// A number that differs between keys.
    long check() {
        return of(domains, "", "");
    }

    /// No address contains a line end.
    private static long of(Hasher64 hasher, String recipient, String sender) {
        byte[] bytes = TextForms.lowerCase(recipient + '\n' + sender).getBytes(StandardCharsets.UTF_8);
        return hasher.hashBytesToLong(bytes);
    }
}
