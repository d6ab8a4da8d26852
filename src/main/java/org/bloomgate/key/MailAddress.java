package org.bloomgate.key;

import java.util.Optional;

/// A mail address in canonical form.
///
/// @param local NFC, lower-case, unquoted where that is safe
public record MailAddress(String local, Host domain) {

    /// Takes `local@domain` with or without `mailto:`, `?query`, angle brackets, comments. Empty when it is no
    /// address.
    public static Optional<MailAddress> parse(String text) {
        int at = text.lastIndexOf('@');
        return at <= 0
                ? Optional.empty()
                : Host.parse(text.substring(at + 1)).map(host -> new MailAddress(text.substring(0, at), host));
    }

    /// `local@domain`.
    public String text() {
        return local + '@' + domain.text();
    }

    /// Appends the address keys (literal, without `+tag`, folded for Gmail, the sender inside SRS and BATV) and the
    /// keys of the domain to the identifier begun last.
    public void append(PublicSuffixes suffixes, KeyBatch batch) {
        batch.append(text()).endKey(KeyKind.ADDRESS, true);
        DomainKeys.append(domain, suffixes, batch);
    }
}
