package org.bloomgate.server.nexthop;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// How a relay knows its own greeting when a next hop leads back to it: the reply to EHLO of a relay names a random
/// mark of its next hop, and the marks that the next hop's own reply named. A connection on which a relay hears its
/// mark goes round, over however many relays of this kind.
///
/// Thread-safe.
final class LoopMarks {
    /// Before the marks in a reply to EHLO; names that begin with X are free for private use (RFC 5321
    /// 4.1.5).
    static final String KEYWORD = "XBLOOMGATE";

    /// A longer chain of relays is shortened.
    static final int MOST = 8;

    private final String own;
    private volatile List<String> announced;

    LoopMarks() {
        own = "%016X".formatted(new SecureRandom().nextLong());
        announced = List.of(own);
    }

    /// For the EHLO reply of the relay that this next hop belongs to.
    List<String> announced() {
        return announced;
    }

    /// Takes the marks of the next hop.
    ///
    /// @return whether it leads back here
    boolean hears(Set<String> marks) {
        if (marks.contains(own)) {
            return true;
        }
        List<String> all = new ArrayList<>(List.of(own));
        marks.stream().sorted().limit(MOST - 1L).forEach(all::add);
        announced = List.copyOf(all);
        return false;
    }
}
