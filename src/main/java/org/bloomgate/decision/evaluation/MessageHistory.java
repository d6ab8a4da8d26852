package org.bloomgate.decision.evaluation;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.memory.FirstContact;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.decision.memory.NewLink;
import org.bloomgate.decision.memory.NewSender;
import org.bloomgate.decision.memory.SenderMemory;
import org.bloomgate.decision.policy.Signal;

/// What the site has seen of the sender and the links of one message. Readers see the address in From, so it takes
/// precedence over the reverse-path.
///
/// @param recipients canonical, without postmaster, for whom nothing is remembered
/// @param links domains of links, registrable or an address
/// @param facts for readers
record MessageHistory(
        MessageEvaluator.History history,
        PublicSuffixes suffixes,
        Sender sender,
        List<String> recipients,
        Set<String> links,
        FirstContact firstContact,
        HistoryFacts facts) {
    /// The most link domains of a message that are remembered.
    static final int MAX_LINKS = 64;

    /// While the first sighting of a link is newer, a deferral gives lists time to name it.
    private static final Duration DEFERRAL = Duration.ofMinutes(15);

    /// The history without a memory.
    static final MessageHistory NONE = new MessageHistory(
            MessageEvaluator.History.NONE,
            PublicSuffixes.bundled(),
            new Sender(Set.of(), Optional.empty(), false),
            List.of(),
            Set.of(),
            FirstContact.NONE,
            HistoryFacts.NONE);

    /// The sender of a message.
    ///
    /// @param addresses canonical: the first address in From, and the reverse-path; the one that readers see first
    /// @param client its address; empty for a user of the site, and if it is unknown
    /// @param isOutbound whether it is a user of the site, whose recipients become known senders
    record Sender(Set<String> addresses, Optional<InetAddress> client, boolean isOutbound) {}

    private static final String POSTMASTER = "postmaster@";

    static MessageHistory of(
            MessageEvaluator.History history,
            KeyBatch batch,
            PublicSuffixes suffixes,
            EnvelopeStep envelope,
            boolean isOutbound) {
        Set<String> senders = new LinkedHashSet<>();
        findFrom(batch).ifPresent(senders::add);
        if (!envelope.mailFrom().isEmpty()) {
            senders.add(canonicalize(envelope.mailFrom()));
        }
        List<String> recipients = canonicalize(envelope.recipients());
        Optional<SenderMemory> memory = history.memory().senders();
        FirstContact contact = isOutbound || senders.isEmpty() || memory.isEmpty()
                ? FirstContact.NONE
                : memory.get().firstContact(recipients, senders.iterator().next());
        Set<String> links = history.memory().links().isPresent() ? findLinks(batch, history.popular()) : Set.of();
        Sender sender = new Sender(senders, isOutbound ? Optional.empty() : findClient(batch), isOutbound);
        Optional<NewSender> newSender = contact == FirstContact.NONE
                ? Optional.empty()
                : Optional.of(new NewSender(
                        contact.label(),
                        memory.get()
                                .findFirstSeen(suffixes.registrable(
                                        MailAddress.domainOf(senders.iterator().next())))));
        List<NewLink> newLinks = isOutbound ? List.of() : findNewLinks(history, links);
        HistoryFacts facts = new HistoryFacts(newLinks.stream().findFirst(), newLinks.size(), newSender);
        return new MessageHistory(history, suffixes, sender, recipients, links, contact, facts);
    }

    /// The newest first.
    private static List<NewLink> findNewLinks(MessageEvaluator.History history, Set<String> links) {
        return history.memory().links().stream()
                .flatMap(memory -> links.stream().flatMap(domain -> memory.findNew(domain).stream()))
                .sorted(Comparator.comparing(NewLink::firstSeen).reversed())
                .toList();
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

    /// The shortest domain key of a link is its registrable domain.
    private static Set<String> findLinks(KeyBatch batch, Set<String> popular) {
        Set<String> links = new LinkedHashSet<>();
        for (int key = 0; key < batch.size() && links.size() < MAX_LINKS; key++) {
            boolean isLast = key + 1 == batch.size()
                    || batch.owner(key + 1) != batch.owner(key)
                    || batch.kindCode(key + 1) != KeyKind.DOMAIN.wireCode();
            if (isLast && batch.kindCode(key) == KeyKind.DOMAIN.wireCode() && isClickable(batch.identifier(key))) {
                String domain = batch.key(key).text();
                if (!popular.contains(domain)) {
                    links.add(domain);
                }
            }
        }
        return links;
    }

    private static boolean isClickable(Identifier identifier) {
        return identifier.kind() != KeyKind.ADDRESS
                && switch (identifier.place()) {
                    case LINK, TEXT, PDF, QR -> true;
                    case CLIENT,
                            HELO,
                            ENVELOPE,
                            ORIGINATOR,
                            ATTACHMENT,
                            SCHEMELESS,
                            SCRIPT,
                            SCRIPT_ATTACHMENT,
                            RAW,
                            UNKNOWN_TARGET,
                            PHONE,
                            RECEIVED,
                            MESSAGE_ID,
                            DKIM,
                            CONTENT -> false;
                };
    }

    /// The recipients for whom something is remembered.
    private static List<String> canonicalize(List<String> recipients) {
        return recipients.stream()
                .filter(recipient -> !recipient.isEmpty())
                .map(MessageHistory::canonicalize)
                .filter(recipient -> !recipient.startsWith(POSTMASTER))
                .distinct()
                .toList();
    }

    /// The same for the recipients that the message reached.
    MessageHistory withRecipients(List<String> reached) {
        return new MessageHistory(history, suffixes, sender, canonicalize(reached), links, firstContact, facts);
    }

    static String canonicalize(String path) {
        return MailAddress.parse(path).map(MailAddress::text).orElse(path);
    }

    /// Whether a sender from outside the site writes to recipients that could know it.
    boolean isOfStranger() {
        return history.memory().senders().isPresent()
                && !sender.isOutbound()
                && !sender.addresses().isEmpty()
                && !recipients.isEmpty();
    }

    boolean hasNewLink() {
        return facts.link().isPresent();
    }

    /// Whether the message has a new link and its author is someone to whom a recipient wrote before, which makes the
    /// link known if the author is authenticated.
    boolean isAnswerWithNewLink() {
        return hasNewLink()
                && history.memory()
                        .senders()
                        .filter(memory -> sender.addresses().stream()
                                .limit(1)
                                .anyMatch(
                                        from -> recipients.stream().anyMatch(user -> memory.hasWrittenTo(user, from))))
                        .isPresent();
    }

    /// The signals of the message.
    ///
    /// @param isUnproven whether the author is not authenticated, and so a stranger to every signal
    Set<Signal> findSignals(boolean isUnproven) {
        if (!hasNewLink()) {
            return Set.of();
        }
        return isOfStranger() && (isUnproven || firstContact == FirstContact.DOMAIN)
                ? EnumSet.allOf(Signal.class)
                : EnumSet.of(Signal.NEW_LINK);
    }

    /// Whether the message may be deferred: its newest link was first seen less than 15 minutes ago, the recipient does
    /// not know the sender, and it is not a retry.
    boolean isDeferrable(boolean isUnproven, String mailFrom, String messageId) {
        return facts.link()
                        .filter(link -> link.firstSeen()
                                .plus(DEFERRAL)
                                .isAfter(history.memory().now()))
                        .isPresent()
                && (isUnproven || firstContact != FirstContact.NONE)
                && history.memory().links().stream().noneMatch(memory -> memory.isRetry(describe(mailFrom, messageId)));
    }

    /// Notes the first minute of the new links of a deferred message, so that a retry passes.
    void noteDeferred(String mailFrom, String messageId) {
        history.memory().links().ifPresent(memory -> {
            links.forEach(memory::noteDeferredLink);
            memory.noteDeferredMessage(describe(mailFrom, messageId));
        });
    }

    private String describe(String mailFrom, String messageId) {
        String network = sender.client()
                .map(client -> Network.ofClient(client).toExact().text())
                .orElse("");
        return String.join("\n", network, mailFrom, String.join(",", recipients), messageId);
    }

    /// Records the senders and links of a delivered message, and sender and recipients as known to each other.
    ///
    /// @param isAuthorProven whether the author is authenticated
    void remember(boolean isAuthorProven) {
        if (!recipients.isEmpty()) {
            boolean isProven = isAuthorProven && isAnswerWithNewLink();
            history.memory().senders().ifPresent(this::rememberSenders);
            history.memory()
                    .links()
                    .ifPresent(memory -> links.forEach(
                            domain -> memory.rememberDelivered(domain, recipients, sender.client(), isProven)));
        }
    }

    private void rememberSenders(SenderMemory memory) {
        for (String address : sender.addresses()) {
            for (String recipient : recipients) {
                if (sender.isOutbound()) {
                    memory.rememberWritten(address, recipient);
                } else {
                    memory.rememberPair(recipient, address, sender.client());
                }
            }
            if (!sender.isOutbound()) {
                memory.rememberName(address, sender.client());
                memory.rememberName(suffixes.registrable(MailAddress.domainOf(address)), sender.client());
            }
        }
    }
}
