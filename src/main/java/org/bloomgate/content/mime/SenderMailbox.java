package org.bloomgate.content.mime;

import java.util.List;
import java.util.Optional;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.url.HostKind;

/// Finds the one mailbox of a From field that can be compared with an authenticated domain.
///
/// Programs read unusual From fields differently, which a forger can exploit. So the field counts only if it is
/// the only one, has the form `address` or `name <address>` of RFC 5322 3.4 without comments, groups, routes
/// and quoted local parts, and if the tolerant reader, which finds every address that may be shown, finds the
/// same address.
public final class SenderMailbox {
    private static final String SPECIALS = "()<>[]:;@\\,.\"";

    private SenderMailbox() {}

    /// The canonical address; empty if the From fields are unusable.
    public static Optional<String> of(MessageSummary summary) {
        if (summary.fromFields() != 1) {
            return Optional.empty();
        }
        Optional<String> strict = address(summary.mailboxes());
        List<Mailbox> tolerant = Mailbox.parseAll(summary.mailboxes());
        return strict.filter(address ->
                        tolerant.size() == 1 && tolerant.getFirst().address().equals(address))
                .flatMap(SenderMailbox::canonical);
    }

    /// The canonical form of an address whose domain is the text after the last `@`; empty for any other text.
    public static Optional<String> canonical(String address) {
        return MailAddress.parse(address)
                .filter(parsed -> parsed.domain().kind() == HostKind.NAME)
                .filter(parsed -> MailAddress.parse("x" + address.substring(address.lastIndexOf('@')))
                        .filter(plain -> plain.domain().equals(parsed.domain()))
                        .isPresent())
                .map(MailAddress::text);
    }

    private static Optional<String> address(String field) {
        String text = field.strip();
        int at = 0;
        while (at < text.length() && text.charAt(at) != '<') {
            char c = text.charAt(at);
            if (c == '"') {
                at = endOfQuoted(text, at + 1);
            } else if (c == '.' || c == ' ' || c == '\t' || isAtom(c)) {
                at++;
            } else {
                return plain(text);
            }
        }
        return at < text.length() && text.endsWith(">")
                ? plain(text.substring(at + 1, text.length() - 1))
                : Optional.empty();
    }

    private static int endOfQuoted(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length());
    }

    /// The address if it is `local@domain`, both dot-atoms.
    private static Optional<String> plain(String address) {
        int at = address.indexOf('@');
        return at > 0 && isDotAtom(address.substring(0, at)) && isDotAtom(address.substring(at + 1))
                ? Optional.of(address)
                : Optional.empty();
    }

    private static boolean isDotAtom(String text) {
        boolean begun = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' ? !begun : !isAtom(c)) {
                return false;
            }
            begun = c != '.';
        }
        return begun;
    }

    private static boolean isAtom(char c) {
        return c > ' ' && c != 0x7f && SPECIALS.indexOf(c) < 0;
    }
}
