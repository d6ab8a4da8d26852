package org.bloomgate.decision.evaluation;

import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.decision.senders.FirstContact;
import org.bloomgate.decision.senders.KnownSenders;

/// Who writes one mail to whom, and how new that is. Readers see the address in From, so that counts before the
/// reverse-path.
///
/// @param senders canonical: the first address in From, and the reverse-path; the one that readers see first
/// @param client who handed it over; empty for a user of the site, and where it is not known
/// @param outbound whether it comes from a user of the site, so that its recipients become known senders
record SenderHistory(KnownSenders knownSenders, Set<String> senders, Optional<InetAddress> client, boolean outbound) {
    /// Without any history.
    static final SenderHistory NONE = new SenderHistory(KnownSenders.none(), Set.of(), Optional.empty(), false);

    static SenderHistory of(KnownSenders knownSenders, KeyBatch batch, String mailFrom, boolean outbound) {
        Set<String> senders = new LinkedHashSet<>();
        from(batch).ifPresent(senders::add);
        if (!mailFrom.isEmpty()) {
            senders.add(canonical(mailFrom));
        }
        return new SenderHistory(knownSenders, senders, outbound ? Optional.empty() : client(batch), outbound);
    }

    private static Optional<String> from(KeyBatch batch) {
        return batch.identifiers().stream()
                .filter(one -> one.kind() == KeyKind.ADDRESS && one.where().equals("header:From"))
                .findFirst()
                .map(Identifier::value);
    }

    private static Optional<InetAddress> client(KeyBatch batch) {
        return batch.identifiers().stream()
                .filter(one -> one.kind() == KeyKind.NETWORK && one.place() == Place.CLIENT)
                .findFirst()
                .flatMap(one -> IpLiteral.parse(one.value()));
    }

    private static String canonical(String path) {
        return MailAddress.parse(path).map(MailAddress::text).orElse(path);
    }

    /// How new the sender is to all of them; an empty recipient counts as one without known senders.
    FirstContact firstContact(List<String> recipients) {
        return outbound || senders.isEmpty()
                ? FirstContact.NONE
                : knownSenders.of(
                        recipients.stream()
                                .filter(recipient -> !recipient.isEmpty())
                                .map(SenderHistory::canonical)
                                .toList(),
                        senders.iterator().next());
    }

    /// Whether recipients could know someone outside by a name that can be forged.
    boolean isOfStranger(List<String> recipients) {
        return knownSenders.active()
                && !outbound
                && !senders.isEmpty()
                && recipients.stream().anyMatch(recipient -> !recipient.isEmpty());
    }

    /// They know each other from now on.
    void remember(List<String> recipients) {
        for (String sender : senders) {
            for (String recipient : recipients) {
                String other = canonical(recipient);
                knownSenders.met(outbound ? sender : other, outbound ? other : sender, client);
            }
        }
    }
}
