package org.bloomgate.core.key;

import java.util.Optional;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.url.Host;

/// A mail address in canonical form.
///
/// @param local in NFC and lower case, unquoted where that is safe; never empty
/// @param domain with a dot, or an IP address
public record MailAddress(String local, Host domain) {
    /// A longer text is not an address: the limit `addressChars`.
    public static final int MAX_CHARS = AddressParser.MAX_CHARS;

    /// The depth to which rewritten senders are undone, one more than occurs in mail: the limit `rewrites`.
    public static final int MAX_REWRITES = 3;

    /// Parses `local@domain` with or without `mailto:`, `?query`, angle brackets, comments, quotes, escapes.
    /// Empty if it is not an address.
    public static Optional<MailAddress> parse(String text) {
        return AddressParser.parse(text);
    }

    /// The start of the addresses in a `mailto:` link, after slashes, which do not belong there; 0 for any
    /// other text.
    public static int linkStart(String text) {
        return AddressParser.linkStart(text);
    }

    /// The text after the last `@`, in lower case; all of it without one.
    public static String domainOf(String address) {
        return TextForms.lowerCase(address.substring(address.lastIndexOf('@') + 1));
    }

    /// `local@domain`.
    public String text() {
        return local + '@' + domain.text();
    }

    /// Appends the address keys (literal, without `+tag`, folded for Gmail, the sender inside SRS and BATV) and
    /// the keys of the domain to the last identifier of the batch.
    ///
    /// @return false if the sender was rewritten more than [#MAX_REWRITES] times, so that one inside it is left
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

    /// The mailbox, whose SHA-1 lists of digests contain: without `+tag`, and in one of the spellings that the
    /// provider treats as equal.
    public String mailbox() {
        return MailboxProvider.fold(withoutTag()).text();
    }

    /// The one key of an address in a feed: the literal address, but the mailbox at providers that are known to
    /// deliver all spellings to it. Elsewhere `bounce+x@esp.example` would list every sender of `bounce`.
    String feedText() {
        return MailboxProvider.hasTags(domain.text())
                ? MailboxProvider.fold(withoutTag()).text()
                : text();
    }
}
