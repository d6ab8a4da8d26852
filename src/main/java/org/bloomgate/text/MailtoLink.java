package org.bloomgate.text;

import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/// Whom a `mailto:` link writes to (RFC 6068): the addresses before its `?` and those of `to`, `cc` and `bcc` behind
/// it. Mail programs take the escapes out before they part the addresses, at `,` or, as Outlook does, at `;`.
final class MailtoLink {
    private static final Set<String> RECIPIENTS = Set.of("to", "cc", "bcc");

    private MailtoLink() {}

    /// Each recipient as written, in the order of the link.
    ///
    /// @param from where its addresses begin, by [org.bloomgate.key.MailAddress#linkStart(String)]
    static void recipients(String link, int from, Consumer<String> recipient) {
        int query = link.indexOf('?', from);
        each(link.substring(from, query < 0 ? link.length() : query), recipient);
        for (int at = query, next; at >= 0; at = next) {
            next = link.indexOf('&', at + 1);
            int end = next < 0 ? link.length() : next;
            int equals = link.indexOf('=', at, end);
            if (equals >= 0 && RECIPIENTS.contains(name(link.substring(at + 1, equals)))) {
                each(link.substring(equals + 1, end), recipient);
            }
        }
    }

    private static String name(String written) {
        return PercentDecoding.decode(written).toLowerCase(Locale.ROOT);
    }

    private static void each(String list, Consumer<String> recipient) {
        String addresses = PercentDecoding.decode(list);
        boolean quotes = quotesMatch(addresses);
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < addresses.length(); i++) {
            char c = addresses.charAt(i);
            i += c == '\\' && quoted ? 1 : 0;
            quoted ^= c == '"' && quotes;
            if ((c == ',' || c == ';') && !quoted) {
                recipient.accept(addresses.substring(from, i));
                from = i + 1;
            }
        }
        recipient.accept(addresses.substring(from));
    }

    /// Where they do not, a separator is one wherever it stands.
    private static boolean quotesMatch(String addresses) {
        boolean quoted = false;
        for (int i = 0; i < addresses.length(); i++) {
            char c = addresses.charAt(i);
            i += c == '\\' && quoted ? 1 : 0;
            quoted ^= c == '"';
        }
        return !quoted;
    }
}
