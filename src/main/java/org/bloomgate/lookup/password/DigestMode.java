package org.bloomgate.lookup.password;

import java.util.Optional;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.core.key.PasswordDigest;

/// The kind of digests that a range contains. The label is the value of `mode` in the query.
public enum DigestMode implements Labelled {
    SHA1(PasswordDigest.BYTES),
    NTLM(PasswordDigest.NTLM_BYTES);

    private final int digestBytes;

    DigestMode(int digestBytes) {
        this.digestBytes = digestBytes;
    }

    public int digestBytes() {
        return digestBytes;
    }

    /// The mode of a label in either case; empty for any other text.
    public static Optional<DigestMode> ofLabel(String label) {
        for (DigestMode mode : values()) {
            if (mode.label().equalsIgnoreCase(label)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}
