package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.tls.PemFile;

/// An Ed25519 public key and what it may sign, which a line above the key states:
///
/// ```
///   use: current
///   -----BEGIN PUBLIC KEY-----
/// ```
///
/// Without such a line a key signs both manifests and the published state.
record TrustedKey(PublicKey key, Set<KeyUse> uses) {
    /// Name of the algorithm in the JDK.
    static final String ALGORITHM = "Ed25519";

    static final int SIGNATURE_BYTES = 64;

    private static final Pattern REMARK =
            Pattern.compile("(?m)^[# \\t]*(use|valid)([^:\\r\\n]*):?[ \\t]*([^\\r\\n]*?)[ \\t]*$");

    TrustedKey {
        uses = Set.copyOf(uses);
    }

    /// @param where configuration key and file, for messages
    /// @throws IOException when a line above it is not a known remark
    static TrustedKey parse(String where, PemFile.RemarkedKey remarkedKey) throws IOException {
        Set<KeyUse> uses = EnumSet.allOf(KeyUse.class);
        Matcher remark = REMARK.matcher(remarkedKey.remarks());
        while (remark.find()) {
            uses.removeIf(use -> !(remark.group(1) + remark.group(2)).equals("use")
                    || !use.label().equals(remark.group(3)));
            if (uses.isEmpty()) {
                throw new IOException(where + ": \"" + remark.group().strip()
                        + "\" above a key is none of use: manifest, use: current");
            }
        }
        return new TrustedKey(remarkedKey.key(), uses);
    }

    boolean verifies(byte[] signature, byte[] text) {
        try {
            Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            verifier.update(text);
            return verifier.verify(signature);
        } catch (GeneralSecurityException _) {
            // for example bytes that are not a point of the curve
            return false;
        }
    }
}
