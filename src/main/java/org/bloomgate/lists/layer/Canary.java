package org.bloomgate.lists.layer;

import java.util.Optional;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.LookupValue;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.CanonicalUrl;

/// A value that must never be listed: a domain, an address or a URL that is common in legitimate mail.
///
/// @param text as configured
public record Canary(String text, KeyKind kind, LookupValue lookupValue) {

    /// A URL has a scheme, an address has an `@`, anything else is a host; empty when it has no canonical form.
    public static Optional<Canary> parse(String text) {
        if (text.chars().anyMatch(Character::isWhitespace)) {
            return Optional.empty();
        }
        KeyKind kind = text.contains("://") ? KeyKind.URL : text.contains("@") ? KeyKind.ADDRESS : KeyKind.DOMAIN;
        return kind.rules().toLookupValues(text).stream().findFirst().map(value -> new Canary(text, kind, value));
    }

    /// The host in it; empty if there is none.
    public Optional<String> host() {
        return switch (kind) {
            case DOMAIN -> Optional.of(text);
            case ADDRESS -> Optional.of(MailAddress.domainOf(text));
            default -> CanonicalUrl.parse(text).map(url -> url.host().text());
        };
    }

    /// Appends the keys that are looked up for a message with the canary in it.
    public void append(PublicSuffixes suffixes, KeyBatch batch) {
        batch.begin(new Identifier(kind, text, Place.LINK, "canary"));
        lookupValue.keys().append(suffixes, batch);
    }
}
