package org.bloomgate.key;

/// Turns entries of feeds into keys: one entry, one key. Thread-safe.
public final class FeedKeys {
    private final PublicSuffixes suffixes;

    public FeedKeys(PublicSuffixes suffixes) {
        this.suffixes = suffixes;
    }

    /// @param entry the value alone, without the syntax of the feed's format around it
    public FeedKey of(KeyKind kind, String entry) {
        Key key = new Key(kind, entry);
        return suffixes.isPublicSuffix(entry) ? new FeedKey.Held(key, "public suffix") : new FeedKey.Taken(key);
    }

    /// The same for the octets of a line, which need not be valid UTF-8.
    public FeedKey of(KeyKind kind, byte[] octets, int from, int to) {
        return of(kind, new String(octets, from, to - from, java.nio.charset.StandardCharsets.UTF_8));
    }
}
