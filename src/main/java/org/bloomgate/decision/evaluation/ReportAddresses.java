package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.base.net.Network;
import org.bloomgate.content.mime.Mailbox;
import org.bloomgate.content.mime.ReportParts;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.authentication.Coverage;
import org.bloomgate.decision.authentication.DkimHeader;
import org.bloomgate.decision.authentication.MessageSource;

/// The addresses to which people report messages, and who may: users of the site whose From is authenticated, and
/// providers. For a report of theirs the address has the action pass; for anybody else it is a mailbox like any other.
///
/// @param mailboxes to which reports are sent, in lower case
/// @param feedback networks of providers that send feedback reports (RFC 5965)
/// @param domains of the users of the site, without the names below them
public record ReportAddresses(Set<String> mailboxes, List<Network> feedback, Set<String> domains) {
    /// Nothing is a report.
    public static final ReportAddresses NONE = new ReportAddresses(Set.of(), List.of(), Set.of());

    private static final String FROM = "header:From";
    private static final String TO = "header:To";
    private static final String DATE = "header:Date";

    public ReportAddresses {
        mailboxes = mailboxes.stream().map(TextForms::lowerCase).collect(Collectors.toUnmodifiableSet());
        feedback = List.copyOf(feedback);
        domains = Set.copyOf(domains);
    }

    boolean includes(String mailbox) {
        return !mailboxes.isEmpty() && mailboxes.contains(TextForms.lowerCase(mailbox));
    }

    boolean includesAny(List<String> recipients) {
        return !mailboxes.isEmpty() && recipients.stream().anyMatch(this::includes);
    }

    boolean isProvider(ConnectingClient client) {
        return client.address().stream()
                .anyMatch(address -> feedback.stream().anyMatch(network -> network.contains(address)));
    }

    /// Whether an address could be that of a user of the site.
    boolean isUser(String address) {
        return domains.contains(MailAddress.domainOf(address));
    }

    /// Whether the header has the form of a feedback report (RFC 5965, section 2).
    static boolean isFeedback(MessageSource message) throws IOException {
        try (InputStream in = message.open()) {
            List<DkimHeader.Field> types = DkimHeader.read(in).fields("content-type");
            return types.size() == 1
                    && ReportParts.isFeedbackType(types.getFirst().value());
        }
    }

    /// Whether To names a mailbox for reports, and there is one Date.
    boolean isAddressedAndDated(MessageSource message) throws IOException {
        try (InputStream in = message.open()) {
            DkimHeader header = DkimHeader.read(in);
            return header.fields("date").size() == 1
                    && header.fields("to").stream()
                            .flatMap(field -> Mailbox.parseAll(field.value().replace("\r\n", "")).stream())
                            .anyMatch(mailbox -> includes(mailbox.address()));
        }
    }

    /// Whether an authentication of From proves who reports. A login and SPF do. A signature does if it includes To,
    /// which names the address, and Date: any message that a user has ever signed can be sent again, but not with
    /// another To, nor as a new one.
    static boolean isProof(Coverage from, boolean isAddressedAndDated) {
        return from.everything() || (from.covers(FROM) && from.covers(TO) && from.covers(DATE) && isAddressedAndDated);
    }
}
