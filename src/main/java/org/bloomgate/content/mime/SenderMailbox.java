package org.bloomgate.content.mime;

import java.util.List;
import java.util.Optional;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.HostKind;

/// Finds the one mailbox of a From field that can be compared with an authenticated domain.
///
/// Programs read unusual From fields differently, which a forger can exploit. So the field counts only if it is
/// the only one, has the form `address` or `name <address>` of RFC 5322 3.4 without groups, routes and quoted
/// local-parts once its comments are removed, and if the tolerant reader, which finds every address that may be shown,
/// finds the same address.
public final class SenderMailbox {
    private static final String SPECIALS = "()<>[]:;@\\,.\"";

    private SenderMailbox() {}

    /// Returns the canonical address; empty if the From fields are unusable.
    public static Optional<String> find(MessageSummary summary) {
        if (summary.fromFields() != 1) {
            return Optional.empty();
        }
        Optional<String> strictAddress = parseAddress(summary.mailboxes());
        List<Mailbox> tolerantMailboxes = Mailbox.parseAll(summary.mailboxes());
        return strictAddress
                .filter(address -> tolerantMailboxes.size() == 1
                        && tolerantMailboxes.getFirst().address().equals(address))
                .flatMap(SenderMailbox::canonicalize);
    }

    /// Returns the canonical form of an address whose domain is the text after the last `@`; empty for any other text.
    public static Optional<String> canonicalize(String address) {
        return MailAddress.parse(address)
                .filter(parsed -> parsed.domain().kind() == HostKind.NAME)
                .filter(parsed -> MailAddress.parse("x" + address.substring(address.lastIndexOf('@')))
                        .filter(plain -> plain.domain().equals(parsed.domain()))
                        .isPresent())
                .map(MailAddress::text);
    }

    private static Optional<String> parseAddress(String field) {
        Optional<String> withoutComments = removeComments(field);
        if (withoutComments.isEmpty()) {
            return Optional.empty();
        }
        String text = withoutComments.get().trim();
        int at = 0;
        while (at < text.length() && text.charAt(at) != '<') {
            char c = text.charAt(at);
            if (c == '"') {
                at = MailboxList.findQuotedEnd(text, at + 1);
            } else if (c == '.' || TextScan.isBlank(c) || isAtom(c)) {
                at++;
            } else {
                return parseDotAddress(text);
            }
        }
        return at < text.length() && text.endsWith(">")
                ? parseDotAddress(text.substring(at + 1, text.length() - 1))
                : Optional.empty();
    }

    /// Returns the field with a blank instead of each comment; empty if a comment does not end, or if there is
    /// a control character.
    private static Optional<String> removeComments(String field) {
        if (field.chars().anyMatch(c -> c < ' ' && c != '\t')) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        int at = 0;
        int end = 0;
        while (at < field.length() && end <= field.length()) {
            char c = field.charAt(at);
            end = switch (c) {
                case '"' -> MailboxList.findQuotedEnd(field, at + 1);
                case '(' -> MailboxList.findCommentEnd(field, at + 1);
                default -> TextScan.next(field, at + 1, next -> next == '"' || next == '(');
            };
            if (c == '(') {
                text.append(' ');
            } else {
                text.append(field, at, end);
            }
            at = end;
        }
        return end > field.length() ? Optional.empty() : Optional.of(text.toString());
    }

    /// Returns the address if it is `local@domain`, each of which is atoms with dots between them. Blanks may be around
    /// each atom.
    private static Optional<String> parseDotAddress(String address) {
        List<String> halves = TextScan.split(address, c -> c == '@');
        return halves.size() == 2
                ? parseDotAtom(halves.getFirst())
                        .flatMap(local -> parseDotAtom(halves.getLast()).map(domain -> local + "@" + domain))
                : Optional.empty();
    }

    private static Optional<String> parseDotAtom(String text) {
        List<String> atoms =
                TextScan.split(text, c -> c == '.').stream().map(String::trim).toList();
        boolean isValid =
                atoms.stream().allMatch(atom -> !atom.isEmpty() && atom.chars().allMatch(SenderMailbox::isAtom));
        return isValid ? Optional.of(String.join(".", atoms)) : Optional.empty();
    }

    private static boolean isAtom(int c) {
        return c > ' ' && c != 0x7f && SPECIALS.indexOf(c) < 0;
    }
}
