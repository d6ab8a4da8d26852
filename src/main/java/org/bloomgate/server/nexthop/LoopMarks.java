package org.bloomgate.server.nexthop;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Recognises a next hop that leads back to this relay. The EHLO reply of a relay contains a random mark of its
/// next hop, and the marks in the EHLO reply of that next hop. If a relay receives its own mark from its next
/// hop, there is a loop, over any number of such relays.
///
/// Thread-safe.
final class LoopMarks {
    /// The keyword of the marks in a reply to EHLO; names that begin with X are free for private use (RFC 5321
    /// 4.1.5).
    static final String KEYWORD = "XBLOOMGATE";

    /// The most marks sent; the marks of a longer chain of relays are cut.
    static final int MAX_MARKS = 8;

    private final String own;
    private volatile List<String> marksToSend;

    LoopMarks() {
        own = "%016X".formatted(new SecureRandom().nextLong());
        marksToSend = List.of(own);
    }

    /// The marks in the EHLO reply of this relay.
    List<String> marksToSend() {
        return marksToSend;
    }

    /// Records the marks of the next hop.
    ///
    /// @return true if one of them is ours, so that the next hop leads back here
    boolean detectLoop(Set<String> marks) {
        if (marks.contains(own)) {
            return true;
        }
        List<String> all = new ArrayList<>(List.of(own));
        marks.stream().sorted().limit(MAX_MARKS - 1L).forEach(all::add);
        marksToSend = List.copyOf(all);
        return false;
    }
}
