package org.bloomgate.key;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.key.FeedKey.Held;
import org.bloomgate.key.FeedKey.Rejected;
import org.bloomgate.key.FeedKey.Taken;

/// Turns entries of feeds into keys: one entry, its one most specific key, never expanded and never unwrapped.
/// Stricter than the reading of mail: what a publisher may not have meant is refused with a reason, not guessed.
/// Immutable; safe for all threads.
public final class FeedKeys {
    private static final String PUBLIC_SUFFIX = "public suffix: would list everything registered below it";

    private final PublicSuffixes suffixes;

    public FeedKeys(PublicSuffixes suffixes) {
        this.suffixes = suffixes;
    }

    /// @param entry the value alone, without the syntax of the feed's format around it
    public FeedKey of(KeyKind kind, String entry) {
        return switch (kind) {
            case ADDRESS -> address(entry);
            case DOMAIN -> domain(entry);
            case URL -> url(entry, CanonicalUrl.parse(entry));
            case PASSWORD -> new Taken(PasswordDigest.key(PasswordDigest.of(entry)));
            case HASH -> hash(entry);
            case KEYWORD -> keyword(entry);
        };
    }

    /// The same for the octets of a line, which need not be valid UTF-8: a password is digested and a URL read as is.
    public FeedKey of(KeyKind kind, byte[] octets, int from, int to) {
        String entry = new String(octets, from, to - from, StandardCharsets.UTF_8);
        return switch (kind) {
            case PASSWORD -> new Taken(PasswordDigest.key(PasswordDigest.of(octets, from, to)));
            case URL -> url(entry, CanonicalUrl.parse(octets, from, to));
            case ADDRESS, DOMAIN, HASH, KEYWORD -> of(kind, entry);
        };
    }

    private static FeedKey address(String entry) {
        if (entry.strip().indexOf(' ') >= 0 && entry.indexOf('"') < 0) {
            return new Rejected("more than an address");
        }
        return MailAddress.parse(entry)
                .<FeedKey>map(address -> new Taken(new Key(KeyKind.ADDRESS, address.feedText())))
                .orElseGet(() -> new Rejected("not a mail address"));
    }

    private static FeedKey hash(String entry) {
        return ContentDigest.ofHex(entry)
                .<FeedKey>map(Taken::new)
                .orElseGet(() -> new Rejected("not a SHA-256: 64 hex digits"));
    }

    private static FeedKey keyword(String entry) {
        return Words.key(entry).<FeedKey>map(Taken::new).orElseGet(() -> new Rejected("not a single word"));
    }

    private FeedKey domain(String entry) {
        FeedHost found = FeedHost.ofDomainEntry(entry);
        return switch (found) {
            case FeedHost.Unusable(String reason) -> new Rejected(reason);
            case FeedHost.Usable(Host host) -> domainKey(host);
        };
    }

    private FeedKey domainKey(Host host) {
        Key key = new Key(KeyKind.DOMAIN, host.text());
        return isPublicSuffix(host)
                ? new Held(key, PUBLIC_SUFFIX)
                : rejectDotless(host).orElseGet(() -> new Taken(key));
    }

    private FeedKey url(String entry, Optional<CanonicalUrl> canonical) {
        if (canonical.isEmpty()) {
            return new Rejected("names no host");
        }
        CanonicalUrl url = canonical.get();
        return switch (FeedHost.check(url.host(), entry)) {
            case FeedHost.Unusable(String reason) -> new Rejected(reason);
            case FeedHost.Usable(Host host) -> urlKey(url, host);
        };
    }

    private FeedKey urlKey(CanonicalUrl url, Host host) {
        Key key = new Key(KeyKind.URL, url.keyText());
        boolean root = url.keyEnd() == url.hostEnd() + 1;
        return root && isPublicSuffix(host)
                ? new Held(key, PUBLIC_SUFFIX)
                : rejectDotless(host).orElseGet(() -> new Taken(key));
    }

    /// A single label that the list does not name is a stray word rather than a top-level domain.
    private boolean isPublicSuffix(Host host) {
        return suffixes.isPublicSuffix(host) && (host.text().indexOf('.') >= 0 || suffixes.lists(host.text()));
    }

    private static Optional<FeedKey> rejectDotless(Host host) {
        boolean dotless = host.kind() == HostKind.NAME && host.text().indexOf('.') < 0;
        return dotless ? Optional.of(new Rejected("a name without a dot")) : Optional.empty();
    }
}
