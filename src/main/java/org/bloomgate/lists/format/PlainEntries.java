package org.bloomgate.lists.format;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.format.LineFormat.PlainLines;

/// Tells entries that are their own keys, and that no gate knows anything of, by their bytes alone: names of domain
/// feeds, pages of URL feeds, addresses. Of most lists nearly all are so. What it does not take is read as text.
/// Immutable, thread-safe.
final class PlainEntries {
    /// The size of the longest digest, SHA-1.
    static final int MAX_DIGEST_BYTES = 20;

    private final FeedKeys keys;
    private final boolean sameForAll;
    private final boolean names;
    private final NameHashes held;
    private final NameHashes heldBelow;

    /// @param fetched true for feeds from the network, which list no reserved names
    PlainEntries(FeedKeys keys, EntryGates gates, boolean fetched) {
        this.keys = keys;
        sameForAll = gates.entries().isEmpty();
        names = sameForAll && gates.allow().holdsNamesAlone();
        Set<String> whole = new HashSet<>(names ? gates.allow().heldNames() : Set.of());
        Set<String> tails = new HashSet<>();
        if (names) {
            gates.shared().addNames(whole, tails);
        }
        if (names && fetched) {
            whole.addAll(ReservedNames.names());
            tails.addAll(ReservedNames.names());
        }
        held = new NameHashes(whole);
        heldBelow = new NameHashes(tails);
    }

    /// The kind of the plain keys that a feed may hold; empty when it is read as text.
    Optional<KeyKind> of(FeedKind kind, LineFormat format) {
        return switch (kind) {
            case DOMAIN, AUTO -> names ? Optional.of(KeyKind.DOMAIN) : Optional.empty();
            case URL, ADDRESS ->
                sameForAll && format instanceof PlainLines
                        ? Optional.of(kind.kinds().getFirst())
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Whether feeds of the kind hold digests, which name no host that a gate could know of.
    boolean leavesDigests(FeedKind kind) {
        return sameForAll && kind == FeedKind.PASSWORD;
    }

    /// Where the key begins that ends with the bytes; -1 when they are read as text. A page of a host and an address
    /// list no host, which is all that gates hold back.
    int keyStart(KeyKind kind, byte[] bytes, int from, int to) {
        int start = keys.plainStart(kind, bytes, from, to);
        return start >= 0 && kind == KeyKind.DOMAIN && mayBeHeld(bytes, start, to) ? -1 : start;
    }

    private boolean mayBeHeld(byte[] bytes, int from, int to) {
        int hash = 0;
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == '.' && heldBelow.holds(hash)) {
                return true;
            }
            hash = NameHashes.mix(hash, bytes[i]);
        }
        return held.holds(hash) || heldBelow.holds(hash);
    }
}
