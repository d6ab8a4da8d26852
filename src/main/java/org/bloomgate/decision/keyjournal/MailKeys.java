package org.bloomgate.decision.keyjournal;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Stream;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;

/// The hashes of the keys of one delivered message, in a reusable buffer. It never contains passwords, nor
/// words, as one word does not list a message. Not thread-safe: it belongs to the session that fills it and
/// then to the writer.
public final class MailKeys {
    private static final int FIRST_CAPACITY = 256;

    /// The kinds that are recorded, by wire code.
    private static final BitSet RECORDED = Stream.of(KeyKind.values())
            .filter(kind -> !kind.rules().isSecret() && !kind.rules().takesMany())
            .collect(BitSet::new, (codes, kind) -> codes.set(kind.wireCode()), BitSet::or);

    /// Where a key stood: the envelope, the header, links, other places. What exceeds the bound is chosen by it.
    private static final int GROUPS = 4;

    private final MailKeyHash hash;
    private long[] hashes = new long[FIRST_CAPACITY];

    /// The group of each hash times two; one more for the key of a URL, of which a link has many.
    private byte[] ranks = new byte[FIRST_CAPACITY];

    private int size;
    private long network;
    private long token;
    private long epochSecond;

    MailKeys(MailKeyHash hash) {
        this.hash = hash;
    }

    /// Adds all keys of a batch.
    public void add(KeyBatch batch) {
        byte[] bytes = batch.bytes();
        reserve(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            int kindCode = batch.kindCode(i);
            if (isRecorded(kindCode)) {
                Place place = batch.identifier(i).place();
                int aspect = MailKeyHash.aspect(place.use(), batch.itself(i));
                byte rank = rank(place, kindCode);
                if (kindCode == KeyKind.NETWORK.wireCode()) {
                    AddressBlock address = AddressBlock.ofBytes(bytes, batch.start(i), batch.end(i));
                    addNetworks(aspect, rank, address, batch.size() - i);
                    continue;
                }
                add(hash.in(aspect, hash.hash(kindCode, bytes, batch.start(i), batch.end(i))), rank);
            }
        }
    }

    private void add(long one, byte rank) {
        ranks[size] = rank;
        hashes[size++] = one;
    }

    private static byte rank(Place place, int kindCode) {
        int group = switch (place.use()) {
            case SENDER, HELO -> 0;
            case HEADER -> 1;
            case LINK -> place == Place.LINK ? 2 : 3;
        };
        return (byte) (2 * group + (kindCode == KeyKind.URL.wireCode() ? 1 : 0));
    }

    /// Sets the client's network, of which the journal takes a share only.
    public void client(InetAddress address) {
        byte[] block =
                AddressBlock.of(address, Network.ofClient(address).prefixBits()).bytes();
        network = hash.hash(KeyKind.NETWORK.wireCode(), block, 0, block.length);
    }

    /// Every network that the address is in, as any of them may be listed later.
    private void addNetworks(int aspect, byte rank, AddressBlock address, int more) {
        reserve(address.bits() + 1 + more);
        for (int bits = 0; bits <= address.bits(); bits++) {
            byte[] block = address.within(bits).bytes();
            add(hash.in(aspect, hash.hash(KeyKind.NETWORK.wireCode(), block, 0, block.length)), rank);
        }
    }

    private void reserve(int more) {
        if (size + more > hashes.length) {
            hashes = Arrays.copyOf(hashes, Math.max(size + more, hashes.length * 2));
            ranks = Arrays.copyOf(ranks, hashes.length);
        }
    }

    static boolean isRecorded(int kindCode) {
        return RECORDED.get(kindCode);
    }

    /// Takes out a key that was known to be listed when the mail was delivered.
    public void remove(Key key) {
        byte[] bytes = key.bytes();
        long listed = hash.hash(key.kind().wireCode(), bytes, 0, bytes.length);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (!isAspectOf(hashes[i], listed)) {
                ranks[kept] = ranks[i];
                hashes[kept++] = hashes[i];
            }
        }
        size = kept;
    }

    private boolean isAspectOf(long one, long listed) {
        for (int aspect = 0; aspect < MailKeyHash.ASPECTS; aspect++) {
            if (one == hash.in(aspect, listed)) {
                return true;
            }
        }
        return false;
    }

    void clear() {
        size = 0;
        network = 0;
    }

    void of(long tokenBits, long deliveredSecond) {
        token = tokenBits;
        epochSecond = deliveredSecond;
    }

    /// Leaves one of equal hashes, and at most [HourFileFormat#MAX_HASHES].
    void fold() {
        if (size > HourFileFormat.MAX_HASHES) {
            choose();
        }
        size = distinct(hashes, 0, size);
    }

    /// A group may take half of what those before it left, the last one all, and then what those behind it leave.
    /// Within a group the keys of URLs come last, and otherwise the order of the hashes decides, which no sender
    /// knows.
    private void choose() {
        long[] ordered = new long[size];
        int[] ends = new int[2 * GROUPS + 1];
        for (int rank = 0; rank < 2 * GROUPS; rank++) {
            int end = ends[rank];
            for (int i = 0; i < size; i++) {
                if (ranks[i] == rank) {
                    ordered[end++] = hashes[i];
                }
            }
            ends[rank + 1] = distinct(ordered, ends[rank], end);
        }
        int[] shares = new int[GROUPS];
        int left = HourFileFormat.MAX_HASHES;
        for (int divisor = 2; divisor > 0; divisor--) {
            for (int group = 0; group < GROUPS; group++) {
                int more = Math.min(
                        ends[2 * group + 2] - ends[2 * group] - shares[group],
                        group + 1 < GROUPS ? left / divisor : left);
                shares[group] += more;
                left -= more;
            }
        }
        size = 0;
        for (int group = 0; group < GROUPS; group++) {
            System.arraycopy(ordered, ends[2 * group], hashes, size, shares[group]);
            size += shares[group];
        }
    }

    /// Sorts a part of the hashes and leaves one of equal ones.
    ///
    /// @return its new end
    private static int distinct(long[] hashes, int from, int to) {
        Arrays.sort(hashes, from, to);
        int kept = from;
        for (int i = from; i < to; i++) {
            if (i == from || hashes[i] != hashes[i - 1]) {
                hashes[kept++] = hashes[i];
            }
        }
        return kept;
    }

    /// The hash of the client's network; 0 if no client is known.
    long network() {
        return network;
    }

    long token() {
        return token;
    }

    long epochSecond() {
        return epochSecond;
    }

    int size() {
        return size;
    }

    int capacity() {
        return hashes.length;
    }

    long hash(int i) {
        return hashes[i];
    }
}
