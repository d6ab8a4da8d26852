package org.bloomgate.core.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Rules for keys of another kind of which a publisher shares only the SHA-1 of their canonical text, 40 hex
/// digits. [KeyBatch#addDigests] adds the digests of the keys of a message.
///
/// @param label of the kind with these rules, which does not exist yet when they are created
/// @param keysPerMessage as for the kind that is digested
record Sha1Rules(String label, double keysPerMessage) implements HexRules {
    static final int BYTES = 20;

    /// A digest for one canonical text after the other.
    static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return FeedKey.of(key(entry), "not a SHA-1: 40 hex digits");
    }

    @Override
    public List<LookupValue> toLookupValues(String value) {
        return LookupValue.whole(key(value));
    }

    private KeyKind kind() {
        return KeyKind.ofLabel(label).orElseThrow();
    }

    private Optional<Key> key(String hex) {
        String digits = hex.strip();
        boolean digest = digits.length() == 2 * BYTES && digits.chars().allMatch(HexFormat::isHexDigit);
        return digest ? Optional.of(Key.ofBytes(kind(), HexFormat.of().parseHex(digits), 0, BYTES)) : Optional.empty();
    }

    @Override
    public boolean hasUses() {
        return true;
    }
}
