package org.bloomgate.core.key;

/// Turns feed entries into keys: each entry has one key, the most specific one, and is never expanded or
/// unwrapped. This is stricter than the reading of mail: an entry that is not clear is rejected with a reason
/// instead of guessed. Immutable, thread-safe.
public final class FeedKeys {
    private final PublicSuffixes suffixes;
    private final PhoneNumbers phones;

    /// Feed keys with phone numbers that have a country code.
    public FeedKeys(PublicSuffixes suffixes) {
        this(suffixes, PhoneNumbers.INTERNATIONAL);
    }

    public FeedKeys(PublicSuffixes suffixes, PhoneNumbers phones) {
        this.suffixes = suffixes;
        this.phones = phones;
    }

    /// Codes of the regions whose phone numbers need no country code, in their order.
    public String regions() {
        return String.join(" ", phones.regions());
    }

    /// @param entry only the value, without the syntax of the feed's format around it
    public FeedKey of(KeyKind kind, String entry) {
        return kind == KeyKind.PHONE ? phones.feedKey(entry) : kind.rules().feedKey(entry, suffixes);
    }

    /// The start of the key in an entry that ends with its canonical key, like nearly all entries of most
    /// lists. -1 if this is not certain; then [#of(KeyKind, String)] must be used.
    public int plainStart(KeyKind kind, byte[] bytes, int from, int to) {
        return switch (kind) {
            case DOMAIN -> PlainName.is(bytes, from, to) && suffixes.listableStart(bytes, from, to) >= 0 ? from : -1;
            case URL -> PlainUrl.keyStart(bytes, from, to);
            case ADDRESS -> PlainAddress.is(bytes, from, to) ? from : -1;
            default -> -1;
        };
    }
}
