package org.bloomgate.server.nexthop;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.core.smtp.Reply;

/// The replies of a next hop to the last messages. It refuses mail if more than a fifth of them were not accepted,
/// as in the alert BloomgateNextHopRefuses. After a single run of refusals the first accepted message ends that,
/// after several runs [#SOUND] accepted ones in a row. Thread-safe.
final class RecentReplies {
    static final int COUNTED = 20;
    static final int SOUND = 3;

    private final InstantSource clock;

    /// One bit a message, the newest lowest: 1 if it was refused.
    private int refused;

    private int counted;
    private Optional<NextHop.Refusals> current = Optional.empty();

    RecentReplies(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void add(Reply reply) {
        refused = (refused << 1 | (reply.positive() ? 0 : 1)) & (1 << COUNTED) - 1;
        counted = Math.min(counted + 1, COUNTED);
        int number = Integer.bitCount(refused);
        int runs = Integer.bitCount(refused & ~(refused << 1));
        int newest = refused & (1 << (runs > 1 ? SOUND : 1)) - 1;
        if (newest == 0 || number * 5 <= counted) {
            current = Optional.empty();
        } else if (!reply.positive() || current.isEmpty()) {
            Instant since = current.map(NextHop.Refusals::since).orElseGet(clock::instant);
            current = Optional.of(new NextHop.Refusals(
                    "refused " + number + " of the last " + counted + " messages, one with " + reply.text(), since));
        }
    }

    /// Adds a reply to RCPT, if it is not about the recipient alone (RFC 3463: X.1 is the address, X.2 the mailbox).
    void addRecipient(Reply reply) {
        String text = reply.lines().getFirst();
        boolean enhanced = text.length() > 3 && text.charAt(1) == '.' && text.charAt(3) == '.';
        boolean ofRecipient = enhanced ? text.charAt(2) == '1' || text.charAt(2) == '2' : reply.code() != 554;
        if (!reply.positive() && !ofRecipient) {
            add(reply);
        }
    }

    /// Forgets all, for a server that is reached at last.
    synchronized void clear() {
        refused = 0;
        counted = 0;
        current = Optional.empty();
    }

    synchronized Optional<NextHop.Refusals> refusals() {
        return current;
    }
}
