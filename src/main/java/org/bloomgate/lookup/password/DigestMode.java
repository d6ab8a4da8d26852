package org.bloomgate.lookup.password;

import java.util.Optional;
import org.bloomgate.core.key.PasswordDigest;

/// Which digests of passwords a range is of. The label is the value of `mode` in the query.
public enum DigestMode {
    SHA1("sha1", PasswordDigest.BYTES),
    NTLM("ntlm", PasswordDigest.NTLM_BYTES);

    private final String label;
    private final int digestBytes;

    DigestMode(String label, int digestBytes) {
        this.label = label;
        this.digestBytes = digestBytes;
    }

    public String label() {
        return label;
    }

    public int digestBytes() {
        return digestBytes;
    }

    /// The mode of a label in either case; empty for any other text.
    public static Optional<DigestMode> ofLabel(String label) {
        for (DigestMode mode : values()) {
            if (mode.label.equalsIgnoreCase(label)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}
