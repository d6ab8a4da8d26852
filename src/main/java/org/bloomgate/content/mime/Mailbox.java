package org.bloomgate.content.mime;

import java.util.List;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.text.TextScan;

/// A mailbox of a header field, as mail programs show it.
///
/// @param name the display name: encoded words decoded, without quotes and backslashes; empty if there is none
/// @param address as in the field
public record Mailbox(String name, String address) {
    /// Clients show fewer authors.
    static final int MAX_SHOWN = 10;

    /// The mailboxes of a From field, or of several fields joined by commas.
    ///
    /// @param field the unfolded body of the field
    public static List<Mailbox> parseAll(String field) {
        Allowance allowance = new Allowance(MessageLimits.defaults());
        return MailboxList.parseMailboxes(field, allowance).stream()
                .map(mailbox -> new Mailbox(
                        TextScan.without(EncodedWords.decode(mailbox.name(), allowance), c -> c == '"' || c == '\\')
                                .strip(),
                        mailbox.address()))
                .toList();
    }

    /// What people may read in a From field beside its addresses: decoded names, comments, and text that belongs to no
    /// address.
    ///
    /// @param mailboxes of the field; the addresses of the first [#MAX_SHOWN] are left out
    public static String shownText(String field, List<Mailbox> mailboxes) {
        String shown = EncodedWords.decode(field, new Allowance(MessageLimits.defaults()));
        for (Mailbox mailbox : mailboxes.subList(0, Math.min(mailboxes.size(), MAX_SHOWN))) {
            shown = shown.replace(mailbox.address(), "");
        }
        return TextScan.without(shown, c -> c == '"' || c == '\\' || c == '<' || c == '>')
                .strip();
    }
}
