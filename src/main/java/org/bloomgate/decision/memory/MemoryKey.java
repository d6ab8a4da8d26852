package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bloomgate.base.io.InstallationSecret;
import org.jspecify.annotations.Nullable;

/// The secret of the installation, or of a group of gateways, under which names are digested: HMAC-SHA-256 (RFC 2104),
/// of which the first 8 bytes are the input of the filters. Without it the files reveal nothing; its holder can test
/// any name. Thread-safe.
final class MemoryKey {
    static final String FILE = "memory.key";
    static final int BYTES = 32;

    /// Recent names whose digests need not be computed again; a power of two.
    private static final int RECENT = 16_384;

    private static final String ALGORITHM = "HmacSHA256";

    private final AtomicReferenceArray<@Nullable Recent> recent = new AtomicReferenceArray<>(RECENT);
    private final Mac mac;
    private final ByteBuffer output = ByteBuffer.allocate(BYTES);

    /// A name in the table, where null is a place without one.
    private record Recent(String name, long digest) {}

    MemoryKey(byte[] secret) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is part of every Java runtime", e);
        }
    }

    static InstallationSecret secretIn(Path directory) {
        return new InstallationSecret(directory.resolve(FILE), BYTES, "*.keys and *.filter");
    }

    /// Opens the key of the directory, or creates one.
    ///
    /// @throws IOException also for a file of another length, which is not replaced
    static MemoryKey openOrCreate(Path directory) throws IOException {
        byte[] fresh = new byte[BYTES];
        new SecureRandom().nextBytes(fresh);
        return new MemoryKey(secretIn(directory).readOrStore(fresh));
    }

    /// Opens the key that the gateways of a group share.
    static MemoryKey ofGroup(Path file) throws IOException {
        Optional<byte[]> secret = new InstallationSecret(file, BYTES, "memory").read();
        return new MemoryKey(secret.orElseThrow(
                () -> new IOException(file + ": no such file; create it with 'openssl rand -out FILE " + BYTES + "'")));
    }

    /// Names the group without revealing its key.
    String groupId() {
        return HexFormat.of().toHexDigits(compute("group"));
    }

    /// The digest of a canonical name. A recent name costs no computation and no allocation.
    long digest(String name) {
        int place = name.hashCode() & RECENT - 1;
        @Nullable Recent known = recent.get(place);
        if (known != null && known.name().equals(name)) {
            return known.digest();
        }
        long digest = compute(name);
        recent.set(place, new Recent(name, digest));
        return digest;
    }

    /// The digest of a pair, which is not kept: there are far more pairs than names.
    ///
    /// @param kind sets pairs of another meaning apart
    long digest(String kind, String one, String other) {
        // no name contains a line end
        return compute(kind + '\n' + one + '\n' + other);
    }

    /// The seed of the hash of a set. No two sets share one, so a collision in one says nothing about another.
    long seed(MemorySet set) {
        return compute("seed\n" + set.label());
    }

    private synchronized long compute(String text) {
        mac.update(text.getBytes(StandardCharsets.UTF_8));
        try {
            mac.doFinal(output.array(), 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the output has " + BYTES + " bytes", e);
        }
        return output.getLong(0);
    }
}
