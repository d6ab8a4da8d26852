package org.bloomgate.decision.keyjournal;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;

/// The keyed 64-bit hash of a key in mail: PolymurHash 2.0 over its bytes, different for each kind and
/// for each aspect, so that a listing matches only those keys that it applies to.
///
/// An aspect is the [Use] of the place where a key was found, whether it was the identifier itself or a parent of
/// it, and whether it was already listed when the message was delivered. Immutable, thread-safe, allocates nothing. Two
/// keys share a hash once in 2^63 pairs.
final class MailKeyHash {
    /// The number of aspects of keys that were not listed, each of which is a bit of a set.
    static final int UNLISTED_ASPECTS = Use.values().length * 2;

    /// The number of all aspects: those of listed keys follow in the same order.
    static final int ASPECTS = UNLISTED_ASPECTS * 2;

    private final Hasher64[] byKind = new Hasher64
            [1 + Stream.of(KeyKind.values()).mapToInt(KeyKind::wireCode).max().orElse(0)];
    private final long[] aspects = new long[ASPECTS];
    private final long check;

    MailKeyHash(long first, long second, long third) {
        for (KeyKind kind : KeyKind.values()) {
            byKind[kind.wireCode()] = Hashing.polymurHash2_0(kind.wireCode(), first, second);
        }
        Hasher64 own = Hashing.polymurHash2_0(third, first, second);
        for (int i = 0; i < ASPECTS; i++) {
            aspects[i] = own.hashBytesToLong(new byte[] {1, (byte) i});
        }
        check = own.hashBytesToLong(new byte[] {2});
    }

    /// A number that differs between installation keys.
    long check() {
        return check;
    }

    long hash(int kindCode, byte[] bytes, int from, int to) {
        return byKind[kindCode].hashBytesToLong(bytes, from, to - from);
    }

    /// The hash of a key in one aspect, from [#hash]; applied again, it gives back that hash.
    long withAspect(int aspect, long hash) {
        return hash ^ aspects[aspect];
    }

    static int aspect(Use use, boolean itself) {
        return Integer.numberOfTrailingZeros(use.bit()) * 2 + (itself ? 1 : 0);
    }

    /// The aspects of the keys that a listing applies to and that were not listed at delivery, one bit each.
    static int reach(Match match, Set<Use> uses) {
        int reach = 0;
        for (Use use : uses) {
            reach |= match == Match.BELOW ? 0 : 1 << aspect(use, true);
            reach |= match == Match.EXACT ? 0 : 1 << aspect(use, false);
        }
        return reach;
    }

    /// The same aspects, also of keys that were listed at delivery.
    static int withListed(int reach) {
        return reach | reach << UNLISTED_ASPECTS;
    }
}
