package org.bloomgate.format;

import java.util.HashSet;
import java.util.Set;
import org.bloomgate.key.FeedKeys;
import org.bloomgate.key.FeedKind;

/// Tells entries of domain feeds that are their own keys, and that no gate knows anything of, by their
/// octets alone: of most lists nearly all. What it does not take is read as text. Immutable, thread-safe.
final class PlainNames {
    /// Of the longest digest, SHA-1.
    static final int MAX_DIGEST_BYTES = 20;

    private final FeedKeys keys;
    private final boolean sameForAll;
    private final boolean any;
    private final NameHashes held;
    private final NameHashes heldBelow;

    PlainNames(FeedKeys keys, EntryGates gates) {
        this.keys = keys;
        sameForAll = gates.entries().isEmpty();
        any = sameForAll && gates.allow().holdsNamesAlone();
        Set<String> whole = new HashSet<>(any ? gates.allow().heldNames() : Set.of());
        Set<String> tails = new HashSet<>();
        if (any) {
            gates.shared().addNames(whole, tails);
        }
        held = new NameHashes(whole);
        heldBelow = new NameHashes(tails);
    }

    /// Whether feeds of the kind may hold any.
    boolean areIn(FeedKind kind) {
        return any && (kind == FeedKind.DOMAIN || kind == FeedKind.AUTO);
    }

    /// Whether feeds of the kind hold digests, which name no host that a gate could know of.
    boolean leavesDigests(FeedKind kind) {
        return sameForAll && kind == FeedKind.PASSWORD;
    }

    boolean takes(byte[] octets, int from, int to) {
        return keys.isPlainDomain(octets, from, to) && !mayBeHeld(octets, from, to);
    }

    private boolean mayBeHeld(byte[] octets, int from, int to) {
        int hash = 0;
        for (int i = to - 1; i >= from; i--) {
            if (octets[i] == '.' && heldBelow.holds(hash)) {
                return true;
            }
            hash = NameHashes.mix(hash, octets[i]);
        }
        return held.holds(hash) || heldBelow.holds(hash);
    }
}
