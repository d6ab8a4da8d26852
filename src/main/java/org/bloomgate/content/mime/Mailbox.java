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
}
