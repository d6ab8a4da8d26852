package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.PathReader;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.nexthop.MaildirNextHop;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopAddress;
import org.bloomgate.server.nexthop.NextHopDialect;
import org.bloomgate.server.nexthop.NextHopOptions;
import org.bloomgate.server.nexthop.NextHopTransaction;
import org.bloomgate.server.nexthop.SmtpNextHop;
import org.bloomgate.server.quarantine.QuarantineEnvelope.Recipient;

/// Delivers messages from the quarantine to the next hop, with the original envelope and the stored message,
/// which already has its Received field.
///
/// A recipient is removed only after the next hop's 250, and the message is deleted after the last one. A crash
/// in between means a duplicate at the next release, never a loss. One release at a time, also between
/// processes; used by one thread.
public final class QuarantineRelease implements AutoCloseable {
    private static final String NO_ENVELOPE = "the envelope is lost: name a recipient";
    private static final ClientIdentity UNKNOWN = new ClientIdentity("", 0, "", "", "");
    private static final byte[] NO_FIELDS = {};

    private final Quarantine quarantine;
    private final NextHop nextHop;
    private final NextHopDialect dialect;
    private final LockFile lock;

    /// @param dialect of the next hop
    /// @throws IOException if another release takes too long
    public QuarantineRelease(Quarantine quarantine, NextHop nextHop, NextHopDialect dialect) throws IOException {
        this(quarantine, nextHop, dialect, quarantine.lock());
    }

    private QuarantineRelease(Quarantine quarantine, NextHop nextHop, NextHopDialect dialect, LockFile lock) {
        this.quarantine = quarantine;
        this.nextHop = nextHop;
        this.dialect = dialect;
        this.lock = lock;
    }

    /// @param nextHop as in the configuration
    /// @throws IOException if another release takes too long, or the next hop's folder or CA file cannot be
    ///     used
    public static QuarantineRelease open(String nextHop, NextHopOptions options, Quarantine quarantine)
            throws IOException {
        LockFile lock = quarantine.lock();
        boolean opened = false;
        try {
            QuarantineRelease release = switch (NextHopAddress.parse(nextHop)) {
                case NextHopAddress.Maildir maildir ->
                    new QuarantineRelease(quarantine, new MaildirNextHop(maildir.folder()), NextHopDialect.SMTP, lock);
                case NextHopAddress.Servers servers ->
                    new QuarantineRelease(quarantine, new SmtpNextHop(servers, options), servers.dialect(), lock);
            };
            opened = true;
            return release;
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    /// The current state of a message, which no one else can release now; empty if it is gone.
    public Optional<QuarantinedMessage> find(String token) throws IOException {
        return quarantine.find(token);
    }

    /// The result for one recipient.
    ///
    /// @param reply of the next hop
    public record Outcome(String token, String recipient, boolean delivered, String reply) {}

    /// Delivers the message to every recipient that has not got it, and deletes it when all have.
    public List<Outcome> release(QuarantinedMessage message) throws IOException {
        if (message.envelope().isEmpty()) {
            return List.of(new Outcome(message.token(), "", false, NO_ENVELOPE));
        }
        QuarantineEnvelope envelope = message.envelope().get();
        List<Outcome> outcomes = new ArrayList<>();
        List<Recipient> pending = new ArrayList<>(envelope.recipients());
        for (List<Recipient> group : groups(envelope.recipients())) {
            Map<Recipient, Reply> replies = send(message, envelope, group);
            replies.forEach((recipient, reply) -> outcomes.add(outcome(message, recipient, reply)));
            pending.removeIf(recipient ->
                    replies.containsKey(recipient) && replies.get(recipient).positive());
            updateRecipients(message, envelope.withRecipients(pending));
        }
        return outcomes;
    }

    /// The recipients of each transaction: LMTP has a reply for each recipient, SMTP one for all.
    private List<List<Recipient>> groups(List<Recipient> all) {
        return switch (dialect) {
            case SMTP -> List.of(all);
            case LMTP -> all.stream().map(List::of).toList();
        };
    }

    private void updateRecipients(QuarantinedMessage message, QuarantineEnvelope pending) throws IOException {
        if (pending.recipients().isEmpty()) {
            quarantine.remove(message);
        } else {
            quarantine.write(pending);
        }
    }

    /// Delivers a copy to another address; the message stays.
    ///
    /// @param address for which [#isAddress(String)] is true
    public Outcome release(QuarantinedMessage message, String address) {
        QuarantineEnvelope envelope = message.envelope()
                .orElseGet(() -> new QuarantineEnvelope(
                        message.token(),
                        message.time(),
                        UNKNOWN,
                        "",
                        "FROM:<>",
                        List.of(),
                        "",
                        "",
                        "",
                        "",
                        "",
                        "",
                        ""));
        Recipient recipient = new Recipient(address, argument(address));
        Map<Recipient, Reply> replies = send(message, envelope, List.of(recipient));
        return outcome(message, recipient, replies.getOrDefault(recipient, Replies.LOCAL_ERROR));
    }

    /// True if the text is a mailbox without brackets, to which a message can be sent.
    public static boolean isAddress(String address) {
        String argument = argument(address);
        return PathReader.after("TO:", argument)
                .filter(found -> !found.path().isNull())
                .filter(found -> ("TO:" + found.path()).equals(argument))
                .isPresent();
    }

    /// The argument of RCPT, one byte for each character.
    private static String argument(String address) {
        String bytes = new String(address.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return "TO:<" + bytes + ">";
    }

    private Map<Recipient, Reply> send(QuarantinedMessage message, QuarantineEnvelope envelope, List<Recipient> to) {
        Map<Recipient, Reply> replies = new LinkedHashMap<>();
        try (NextHopTransaction transaction = nextHop.begin(envelope.client())) {
            Reply sender = transaction.mail(envelope.mail());
            for (Recipient recipient : to) {
                replies.put(recipient, sender.positive() ? transaction.rcpt(recipient.rcpt()) : sender);
            }
            if (replies.values().stream().anyMatch(Reply::positive)) {
                Reply end = transaction.data(NO_FIELDS, message);
                replies.replaceAll((recipient, reply) -> reply.positive() ? end : reply);
            }
        }
        return replies;
    }

    private static Outcome outcome(QuarantinedMessage message, Recipient recipient, Reply reply) {
        return new Outcome(message.token(), recipient.address(), reply.positive(), reply.text());
    }

    @Override
    public void close() throws IOException {
        nextHop.close();
        lock.close();
    }
}
