package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;

/// Turns entries of feeds into keys: one entry, its one most specific key, never expanded and never unwrapped.
/// Stricter than the reading of mail: what a publisher may not have meant is refused with a reason, not guessed.
/// Immutable; safe for all threads.
public final class FeedKeys {
    private final PublicSuffixes suffixes;
    private final PhoneNumbers phones;

    /// Phone numbers with country code alone.
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

    /// @param entry the value alone, without the syntax of the feed's format around it
    public FeedKey of(KeyKind kind, String entry) {
        return kind == KeyKind.PHONE ? phones.feedKey(entry) : kind.rules().feedKey(entry, suffixes);
    }

    /// The same for the bytes of a line, which need not be valid UTF-8: a password is digested and a URL read as is.
    public FeedKey of(KeyKind kind, byte[] bytes, int from, int to) {
        return kind == KeyKind.PHONE
                ? phones.feedKey(new String(bytes, from, to - from, StandardCharsets.UTF_8))
                : kind.rules().feedKey(bytes, from, to, suffixes);
    }

    /// The start of the key in the bytes of an entry whose end is the key: nearly all entries of most lists. -1
    /// if this is unknown; then use [#of(KeyKind, String)].
    public int plainStart(KeyKind kind, byte[] bytes, int from, int to) {
        return switch (kind) {
            case DOMAIN -> PlainName.is(bytes, from, to) && suffixes.listableStart(bytes, from, to) >= 0 ? from : -1;
            case URL -> PlainUrl.keyStart(bytes, from, to);
            case ADDRESS -> PlainAddress.is(bytes, from, to) ? from : -1;
            default -> -1;
        };
    }
}
