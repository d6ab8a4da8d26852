package org.bloomgate.rebuild;

import java.util.Optional;
import org.bloomgate.key.CanonicalUrl;
import org.bloomgate.key.DomainKeys;
import org.bloomgate.key.Host;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.MailAddress;
import org.bloomgate.key.Place;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.key.UrlExpressions;

/// Something that must never be listed: a domain, a mail address or a URL of which everybody's mail is full.
///
/// @param text as configured
record Canary(String text, KeyKind kind) {

    /// A URL has a scheme, an address has an `@`, anything else is a host; empty when it has no canonical form.
    static Optional<Canary> parse(String text) {
        if (text.chars().anyMatch(Character::isWhitespace)) {
            return Optional.empty();
        }
        if (text.contains("://")) {
            return CanonicalUrl.parse(text).map(url -> new Canary(text, KeyKind.URL));
        }
        return text.contains("@")
                ? MailAddress.parse(text).map(address -> new Canary(text, KeyKind.ADDRESS))
                : Host.parse(text).map(host -> new Canary(text, KeyKind.DOMAIN));
    }

    /// Appends the keys that mail with the canary in it is asked by.
    void append(PublicSuffixes suffixes, KeyBatch batch) {
        batch.begin(new Identifier(kind, text, Place.LINK, "canary"));
        switch (kind) {
            case URL -> CanonicalUrl.parse(text).ifPresent(url -> UrlExpressions.append(url, suffixes, batch));
            case ADDRESS -> MailAddress.parse(text).ifPresent(address -> address.append(suffixes, batch));
            case DOMAIN -> Host.parse(text).ifPresent(host -> DomainKeys.append(host, suffixes, batch));
            case PASSWORD, HASH, KEYWORD -> throw new IllegalStateException("a canary of kind " + kind.label());
        }
    }
}
