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

/// The senders of one message, and whether they are known to its recipients. Readers see the address in From, so
/// it takes precedence over the reverse-path.
///
/// @param senders canonical: the first address in From, and the reverse-path; the one that readers see first
/// @param client address of the client; empty for a user of the site, and if it is unknown
/// @param isOutbound whether it comes from a user of the site, so that its recipients become known senders
record SenderHistory(KnownSenders knownSenders, Set<String> senders, Optional<InetAddress> client, boolean isOutbound) {
    /// The history without known senders.
    static final SenderHistory NONE = new SenderHistory(KnownSenders.none(), Set.of(), Optional.empty(), false);

    static SenderHistory of(KnownSenders knownSenders, KeyBatch batch, String mailFrom, boolean isOutbound) {
        Set<String> senders = new LinkedHashSet<>();
        findFrom(batch).ifPresent(senders::add);
        if (!mailFrom.isEmpty()) {
            senders.add(canonicalize(mailFrom));
        }
        return new SenderHistory(knownSenders, senders, isOutbound ? Optional.empty() : findClient(batch), isOutbound);
    }

    private static Optional<String> findFrom(KeyBatch batch) {
        return batch.identifiers().stream()
                .filter(identifier -> identifier.kind() == KeyKind.ADDRESS
                        && identifier.where().equals("header:From"))
                .findFirst()
                .map(Identifier::value);
    }

    private static Optional<InetAddress> findClient(KeyBatch batch) {
        return batch.identifiers().stream()
                .filter(identifier -> identifier.kind() == KeyKind.NETWORK && identifier.place() == Place.CLIENT)
                .findFirst()
                .flatMap(identifier -> IpLiteral.parse(identifier.value()));
    }

    private static String canonicalize(String path) {
        return MailAddress.parse(path).map(MailAddress::text).orElse(path);
    }

    /// Returns how new the sender is to the recipients. An empty recipient has no known senders.
    FirstContact firstContact(List<String> recipients) {
        return isOutbound || senders.isEmpty()
                ? FirstContact.NONE
                : knownSenders.firstContact(
                        recipients.stream()
                                .filter(recipient -> !recipient.isEmpty())
                                .map(SenderHistory::canonicalize)
                                .toList(),
                        senders.iterator().next());
    }

    /// Whether a sender from outside the site writes to recipients that could know it.
    boolean isOfStranger(List<String> recipients) {
        return knownSenders.isActive()
                && !isOutbound
                && !senders.isEmpty()
                && recipients.stream().anyMatch(recipient -> !recipient.isEmpty());
    }

    /// Records sender and recipients as known to each other.
    void remember(List<String> recipients) {
        for (String sender : senders) {
            for (String recipient : recipients) {
                String other = canonicalize(recipient);
                knownSenders.remember(isOutbound ? sender : other, isOutbound ? other : sender, client);
            }
        }
    }
}
