package org.bloomgate.core.key;

import java.util.List;

final class HashRules implements HexRules {
    private static final int DIGITS = 64;
    private static final String BSD = "SHA256 (";

    /// The digest in the output of `sha256sum`: `DIGEST  FILE`, `DIGEST *FILE`, and with `--tag` `SHA256 (FILE)
    /// = DIGEST`.
    @Override
    public String restored(String value) {
        if (value.startsWith(BSD) && value.contains(") = ")) {
            return value.substring(value.lastIndexOf(") = ") + 4);
        }
        boolean named = value.length() > DIGITS
                && value.charAt(DIGITS) == ' '
                && ContentDigest.ofHex(value.substring(0, DIGITS)).isPresent();
        return named ? value.substring(0, DIGITS) : value;
    }

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return FeedKey.of(ContentDigest.ofHex(entry), "not a SHA-256: 64 hex digits");
    }

    @Override
    public List<LookupValue> toLookupValues(String value) {
        return LookupValue.whole(ContentDigest.ofHex(value));
    }

    @Override
    public double keysPerMessage() {
        return 1;
    }

    /// False: a file is only at one place of a message.
    @Override
    public boolean hasUses() {
        return false;
    }
}
