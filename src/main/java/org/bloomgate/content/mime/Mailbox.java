package org.bloomgate.content.mime;

import java.util.List;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.text.TextScan;

/// A mailbox as a header field names it, for a reader.
///
/// @param name as shown: encoded words decoded, without quotes and comment signs; empty if there is none
/// @param address as written
public record Mailbox(String name, String address) {

    /// Those of a From field, or of several joined by commas.
    ///
    /// @param field its body, unfolded
    public static List<Mailbox> in(String field) {
        Allowance allowance = new Allowance(MessageLimits.defaults());
        return MailboxList.mailboxes(field, allowance).stream()
                .map(mailbox -> new Mailbox(
                        TextScan.without(EncodedWords.decode(mailbox.name(), allowance), c -> c == '"' || c == '\\')
                                .strip(),
                        mailbox.address()))
                .toList();
    }
}
