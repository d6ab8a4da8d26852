package org.bloomgate.core.key;

import java.util.Optional;
import org.bloomgate.core.url.Host;

/// A mail address in canonical form.
///
/// @param local NFC, lower-case, unquoted where that is safe; never empty
/// @param domain with a dot, or an IP address
public record MailAddress(String local, Host domain) {
    /// A longer text is not an address: the limit `addressChars`.
    public static final int MAX_CHARS = AddressParser.MAX_CHARS;

    /// Deepest nesting of rewritten senders that is undone, one more than mail has: the limit
    /// `rewrites`.
    public static final int MAX_REWRITES = 3;

    /// Takes `local@domain` with or without `mailto:`, `?query`, angle brackets, comments, quotes, escapes. Empty
    /// when it is not an address.
    public static Optional<MailAddress> parse(String text) {
        return AddressParser.parse(text);
    }

    /// Where the addresses of a `mailto:` link begin, behind slashes that have no place there; 0 of any other text.
    public static int linkStart(String text) {
        return AddressParser.linkStart(text);
    }

    /// `local@domain`.
    public String text() {
        return local + '@' + domain.text();
    }

    /// Appends the address keys (literal, without `+tag`, folded for Gmail, the sender inside SRS and BATV) and the
    /// keys of the domain to the identifier begun last.
    ///
    /// @return false when the sender was rewritten more than [#MAX_REWRITES] times, so that there is
    ///     one within left
    public boolean append(PublicSuffixes suffixes, KeyBatch batch) {
        return append(suffixes, batch, MAX_REWRITES);
    }

    private boolean append(PublicSuffixes suffixes, KeyBatch batch, int rewrites) {
        appendKey(this, batch);
        MailAddress plain = withoutTag();
        if (!plain.equals(this)) {
            appendKey(plain, batch);
        }
        MailAddress mailbox = MailboxProvider.fold(plain);
        if (!mailbox.equals(plain)) {
            appendKey(mailbox, batch);
        }
        DomainKeys.append(domain, suffixes, batch);
        Optional<MailAddress> inner = RewrittenSender.original(this);
        return inner.isEmpty() || (rewrites > 0 && inner.get().append(suffixes, batch, rewrites - 1));
    }

    /// Another spelling of an address is the identifier itself, not a parent of it.
    private static void appendKey(MailAddress address, KeyBatch batch) {
        batch.append(address.local)
                .append((byte) '@')
                .append(address.domain.text())
                .endKey(KeyKind.ADDRESS, true);
    }

    /// `user` of `user+tag`.
    MailAddress withoutTag() {
        int plus = local.indexOf('+');
        return plus > 0 ? new MailAddress(local.substring(0, plus), domain) : this;
    }

    /// The mailbox that lists of digests mean: without `+tag`, and one spelling of those that the provider sees no
    /// difference between.
    public String mailbox() {
        return MailboxProvider.fold(withoutTag()).text();
    }

    /// The one key of an address in a feed: literal, and the mailbox only at providers known to deliver all spellings
    /// to it. Elsewhere `bounce+x@esp.example` would list every sender behind `bounce`.
    String feedText() {
        return MailboxProvider.hasTags(domain.text())
                ? MailboxProvider.fold(withoutTag()).text()
                : text();
    }
}
