package org.bloomgate.lists.format;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.format.LineFormat.PlainLines;

/// Recognises, by their bytes alone, entries that are keys without conversion and that no gate can hold back:
/// names of domain feeds, pages of URL feeds, addresses. In most lists these are nearly all entries. All others
/// are parsed as text. Immutable, thread-safe.
final class PlainEntries {
    /// The size of the longest digest, SHA-1.
    static final int MAX_DIGEST_BYTES = 20;

    private final FeedKeys keys;
    private final boolean sameForAll;
    private final boolean names;
    private final NameHashes held;
    private final NameHashes heldBelow;

    /// @param fetched true for feeds from the network, which may not list reserved names
    PlainEntries(FeedKeys keys, EntryGates gates, boolean fetched) {
        this.keys = keys;
        sameForAll = gates.entries().isEmpty();
        names = sameForAll && gates.allow().holdsOnlyNames();
        Set<String> whole = new HashSet<>(names ? gates.allow().listHeldNames() : Set.of());
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

    /// The kind of the plain keys of a feed; empty if all of it is parsed as text.
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

    /// Whether feeds of the kind contain digests, which no gate can hold back.
    boolean readsDigests(FeedKind kind) {
        return sameForAll && kind == FeedKind.PASSWORD;
    }

    /// The beginning of the key that ends at `to`; -1 if the bytes have to be parsed as text. Gates hold back
    /// only whole hosts, so pages and addresses pass.
    int keyStart(KeyKind kind, byte[] bytes, int from, int to) {
        int start = keys.plainStart(kind, bytes, from, to);
        return start >= 0 && kind == KeyKind.DOMAIN && mayBeHeld(bytes, start, to) ? -1 : start;
    }

    private boolean mayBeHeld(byte[] bytes, int from, int to) {
        int hash = 0;
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == '.' && heldBelow.mayContain(hash)) {
                return true;
            }
            hash = NameHashes.mix(hash, bytes[i]);
        }
        return held.mayContain(hash) || heldBelow.mayContain(hash);
    }
}
