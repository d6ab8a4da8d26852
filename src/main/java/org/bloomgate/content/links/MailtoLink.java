package org.bloomgate.content.links;

import java.util.Set;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.url.AsciiSet;

/// Finds the recipients of a `mailto:` link (RFC 6068): the addresses before its `?` and those of `to`, `cc`
/// and `bcc` after it. Mail programs decode the escapes before they split the addresses, at `,` or, like
/// Outlook, at `;`. Not all of them support quotes and comments, so a link is read with and without them.
final class MailtoLink {
    private static final Set<String> RECIPIENTS = Set.of("to", "cc", "bcc");
    private static final AsciiSet SEPARATORS = AsciiSet.of(",;\r\n");

    /// Characters that an address contains only within quotes and comments.
    private static final AsciiSet BETWEEN_WORDS = AsciiSet.of(",;\r\n \t\"()<>\\");

    private final String link;
    private final KeyExtractor keys;
    private final Place place;
    private final String where;

    MailtoLink(String link, KeyExtractor keys, Place place, String where) {
        this.link = link;
        this.keys = keys;
        this.place = place;
        this.where = where;
    }

    /// Adds each recipient.
    ///
    /// @param from where the addresses begin, by [org.bloomgate.core.key.MailAddress#linkStart(String)]
    void read(int from) {
        int query = link.indexOf('?', from);
        list(from, query < 0 ? link.length() : query);
        for (int at = query, next; at >= 0 && !keys.ended(); at = next) {
            next = link.indexOf('&', at + 1);
            int end = next < 0 ? link.length() : next;
            int equals = link.indexOf('=', at, end);
            if (equals >= 0 && RECIPIENTS.contains(name(link.substring(at + 1, equals)))) {
                list(equals + 1, end);
            }
        }
    }

    private static String name(String encoded) {
        return TextForms.lowerCase(PercentDecoding.decode(encoded));
    }

    private void list(int from, int to) {
        if (keys.pay(to - from)) {
            String addresses = PercentDecoding.decode(link.substring(from, to));
            parts(addresses);
            words(addresses);
        }
    }

    private void parts(String addresses) {
        int from = 0;
        int end = endOfPart(addresses, from);
        while (end >= 0 && !keys.ended()) {
            add(addresses, from, end);
            from = end + 1;
            end = from > addresses.length() ? -1 : endOfPart(addresses, from);
        }
    }

    /// The next separator outside quotes and comments, or the end; -1 if a quote or comment is not closed.
    private static int endOfPart(String addresses, int from) {
        boolean quoted = false;
        int comments = 0;
        for (int i = from; i < addresses.length(); i++) {
            char c = addresses.charAt(i);
            if (c == '\\' && (quoted || comments > 0)) {
                i++;
            } else if (c == '"' && comments == 0) {
                quoted = !quoted;
            } else if (c == '(' && !quoted) {
                comments++;
            } else if (c == ')' && comments > 0) {
                comments--;
            } else if (SEPARATORS.has(c) && !quoted && comments == 0) {
                return i;
            }
        }
        return quoted || comments > 0 ? -1 : addresses.length();
    }

    /// Reads the addresses like a program that knows neither quotes nor comments.
    private void words(String addresses) {
        int from = 0;
        for (int i = 0; i <= addresses.length() && !keys.ended(); i++) {
            if (i == addresses.length() || BETWEEN_WORDS.has(addresses.charAt(i))) {
                add(addresses, from, i);
                from = i + 1;
            }
        }
    }

    /// Adds an address. Text between two separators without an `@` is skipped, because a link may have a
    /// hundred thousand separators.
    private void add(String addresses, int from, int to) {
        if (addresses.indexOf('@', from, to) > from || addresses.indexOf('%', from, to) >= 0) {
            keys.mailbox(addresses.substring(from, to), place, where);
        }
    }
}
