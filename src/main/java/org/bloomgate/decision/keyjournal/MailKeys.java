package org.bloomgate.decision.keyjournal;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// The hashes of the keys of one delivered message, in a reusable buffer. It never contains passwords, nor
/// words, as one word does not list a message. Not thread-safe: it belongs to the session that fills it and
/// then to the writer.
public final class MailKeys {
    private static final int FIRST_CAPACITY = 256;

    /// The kinds that are recorded, by wire code.
    private static final BitSet RECORDED = Stream.of(KeyKind.values())
            .filter(kind -> !kind.rules().isSecret() && !kind.rules().takesMany())
            .collect(BitSet::new, (codes, kind) -> codes.set(kind.wireCode()), BitSet::or);

    private final MailKeyHash hash;
    private long[] hashes = new long[FIRST_CAPACITY];
    private int size;
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
                int aspect = MailKeyHash.aspect(batch.identifier(i).place().use(), batch.itself(i));
                if (kindCode == KeyKind.NETWORK.wireCode()) {
                    addNetworks(aspect, AddressBlock.ofBytes(bytes, batch.start(i), batch.end(i)), batch.size() - i);
                    continue;
                }
                hashes[size++] = hash.in(aspect, hash.hash(kindCode, bytes, batch.start(i), batch.end(i)));
            }
        }
    }

    /// Every network that the address is in, as any of them may be listed later.
    private void addNetworks(int aspect, AddressBlock address, int more) {
        reserve(address.bits() + 1 + more);
        for (int bits = 0; bits <= address.bits(); bits++) {
            byte[] block = address.within(bits).bytes();
            hashes[size++] = hash.in(aspect, hash.hash(KeyKind.NETWORK.wireCode(), block, 0, block.length));
        }
    }

    private void reserve(int more) {
        if (size + more > hashes.length) {
            hashes = Arrays.copyOf(hashes, Math.max(size + more, hashes.length * 2));
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
    }

    void of(long tokenBits, long deliveredSecond) {
        token = tokenBits;
        epochSecond = deliveredSecond;
    }

    /// Leaves one of equal hashes.
    void fold() {
        Arrays.sort(hashes, 0, size);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || hashes[i] != hashes[i - 1]) {
                hashes[kept++] = hashes[i];
            }
        }
        size = kept;
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
