package org.bloomgate.decision.memory;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextForms;

/// The senders of each recipient's mail, and the addresses and domains that the site received mail from or wrote to. A
/// false positive hides a first contact, which is the harmless direction. Thread-safe.
public final class SenderMemory {
    /// Pairs take at most 4 bytes of the heap each, in the current slot and at most in the closed ones.
    static final int BYTES_PER_PAIR = 4;

    private static final String ADDRESS = "address";
    private static final String DOMAIN = "domain";
    private static final String WRITTEN_TO = "written";

    private final NewRecipients newRecipients = new NewRecipients();
    private final MemoryPart part;
    private final SetRing pairs;
    private final SetRing senders;

    /// @param maxPairs of all slots
    SenderMemory(MemoryPart part, long maxPairs) throws IOException {
        this.part = part;
        pairs = part.open(MemorySet.PAIRS, maxPairs, _ -> {});
        senders = part.open(MemorySet.SENDERS, SiteMemory.MAX_KEYS, _ -> {});
    }

    /// Returns how new the sender is to the recipients. Addresses are canonical.
    public FirstContact firstContact(Collection<String> recipients, String sender) {
        if (recipients.isEmpty() || !part.learning().isOver()) {
            return FirstContact.NONE;
        }
        boolean isDomainKnown = false;
        for (String recipient : recipients) {
            if (pairs.contains(pairKey(ADDRESS, recipient, sender))) {
                return FirstContact.NONE;
            }
            isDomainKnown = isDomainKnown || pairs.contains(pairKey(DOMAIN, recipient, MailAddress.domainOf(sender)));
        }
        return isDomainKnown ? FirstContact.RECIPIENT : FirstContact.DOMAIN;
    }

    /// Whether the user of the site wrote to the address.
    public boolean hasWrittenTo(String user, String address) {
        return pairs.contains(pairKey(WRITTEN_TO, user, address));
    }

    /// Whether the site received mail from the address or wrote to it; true while the memory is still learning.
    public boolean isKnown(String address) {
        return !part.learning().isOver() || senders.contains(nameKey(address));
    }

    /// Whether a user of the site may write to an address outside it.
    ///
    /// @param limits of addresses that are not known; 0: none
    public boolean admit(String user, String address, Map<RecipientSpan, Integer> limits) {
        return isKnown(address)
                || newRecipients.admit(
                        user, nameKey(address), limits, part.clock().instant());
    }

    /// The users who have reached a limit of new recipients, with the time since when.
    public Map<String, Instant> listBursts() {
        return newRecipients.listBursts(part.clock().instant());
    }

    /// The first day of the slot in which the site first received mail from the name or wrote to it; empty if it never
    /// did.
    ///
    /// @param name an address or a registrable domain
    public Optional<LocalDate> findFirstSeen(String name) {
        var day = senders.findFirstDay(nameKey(name));
        return day.isPresent() ? Optional.of(LocalDate.ofEpochDay(day.getAsLong())) : Optional.empty();
    }

    /// Records that a recipient got mail of a sender.
    ///
    /// @param client that sent it
    public void rememberPair(String recipient, String sender, Optional<InetAddress> client) {
        part.add(pairs, pairKey(ADDRESS, recipient, sender), client);
        part.add(pairs, pairKey(DOMAIN, recipient, MailAddress.domainOf(sender)), client);
    }

    /// Records that a user of the site wrote to an address, whose mail the user knows from now on.
    public void rememberWritten(String user, String address) {
        rememberPair(user, address, Optional.empty());
        part.add(pairs, pairKey(WRITTEN_TO, user, address), Optional.empty());
        rememberName(address, Optional.empty());
    }

    /// Records an address or a registrable domain.
    public void rememberName(String name, Optional<InetAddress> client) {
        part.add(senders, nameKey(name), client);
    }

    private long pairKey(String kind, String recipient, String sender) {
        return pairs.hash(part.key().digest(kind, TextForms.lowerCase(recipient), TextForms.lowerCase(sender)));
    }

    private long nameKey(String name) {
        return senders.hash(part.key().digest(TextForms.lowerCase(name)));
    }
}
