package org.bloomgate.decision.keyjournal;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.text.TextForms;

/// The hashes of the keys of one delivered message, in a reusable buffer. It never contains passwords, nor
/// words, as a single word never makes a message listed. Not thread-safe: it belongs to the session that fills it and
/// then to the writer.
public final class MailKeys {
    private static final int FIRST_CAPACITY = 256;

    /// Characters of a Message-ID.
    private static final int MAX_ID = 250;

    /// The kinds that are recorded, by wire code.
    private static final BitSet RECORDED = Stream.of(KeyKind.values())
            .filter(kind -> !kind.rules().isSecret() && !kind.rules().takesMany())
            .collect(BitSet::new, (codes, kind) -> codes.set(kind.wireCode()), BitSet::or);

    /// The groups of places of a key: the envelope, the header, links, other places. They decide which keys are kept
    /// within the bound.
    private static final int GROUPS = 4;

    private final MailKeyHash hash;
    private long[] hashes = new long[FIRST_CAPACITY];

    /// Twice the group of each hash, and one more for the key of a URL, of which a link has many.
    private byte[] ranks = new byte[FIRST_CAPACITY];

    private int size;
    private long network;
    private long recipient;
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
                add(hash.withAspect(aspect, hash.hash(kindCode, bytes, batch.start(i), batch.end(i))), rank);
            }
        }
    }

    private void add(long keyHash, byte rank) {
        ranks[size] = rank;
        hashes[size++] = keyHash;
    }

    private static byte rank(Place place, int kindCode) {
        int group = switch (place.use()) {
            case SENDER, HELO -> 0;
            case HEADER -> 1;
            case LINK -> place == Place.LINK ? 2 : 3;
        };
        return (byte) (2 * group + (kindCode == KeyKind.URL.wireCode() ? 1 : 0));
    }

    /// The key by which a message is found again by its Message-ID: no address has brackets. Empty without one.
    ///
    /// @param field the body of the field
    public static Optional<Key> keyOfMessageId(String field) {
        String id = field.strip();
        return id.startsWith("<")
                ? Optional.of(new Key(KeyKind.ADDRESS, id.substring(0, Math.min(id.length(), MAX_ID))))
                : Optional.empty();
    }

    /// Adds the Message-ID.
    public void addMessageId(String field) {
        keyOfMessageId(field).ifPresent(id -> {
            byte[] bytes = id.bytes();
            long idHash = hash.hash(id.kind().wireCode(), bytes, 0, bytes.length);
            reserve(1);
            add(hash.withAspect(MailKeyHash.aspect(Use.HEADER, true), idHash), (byte) 0);
        });
    }

    /// Sets the client's network, whose share of the journal is bounded.
    public void setClient(InetAddress address) {
        byte[] block =
                AddressBlock.of(address, Network.ofClient(address).prefixBits()).bytes();
        network = hash.hash(KeyKind.NETWORK.wireCode(), block, 0, block.length);
    }

    /// Sets one of the recipients, which stands for all of them.
    public void setRecipient(String mailbox) {
        byte[] bytes = TextForms.lowerCase(mailbox).getBytes(StandardCharsets.UTF_8);
        recipient = hash.hash(KeyKind.ADDRESS.wireCode(), bytes, 0, bytes.length);
    }

    /// Adds every network that contains the address, as any of them may be listed later.
    ///
    /// @param following number of keys that the batch has from here on
    private void addNetworks(int aspect, byte rank, AddressBlock address, int following) {
        reserve(address.bits() + 1 + following);
        for (int bits = 0; bits <= address.bits(); bits++) {
            byte[] block = address.within(bits).bytes();
            add(hash.withAspect(aspect, hash.hash(KeyKind.NETWORK.wireCode(), block, 0, block.length)), rank);
        }
    }

    private void reserve(int additional) {
        if (size + additional > hashes.length) {
            hashes = Arrays.copyOf(hashes, Math.max(size + additional, hashes.length * 2));
            ranks = Arrays.copyOf(ranks, hashes.length);
        }
    }

    static boolean isRecorded(int kindCode) {
        return RECORDED.get(kindCode);
    }

    /// Marks a key that was already listed when the message was delivered, so that no later listing applies to it.
    public void markListed(Key key) {
        byte[] bytes = key.bytes();
        long listed = hash.hash(key.kind().wireCode(), bytes, 0, bytes.length);
        for (int i = 0; i < size; i++) {
            for (int aspect = 0; aspect < MailKeyHash.UNLISTED_ASPECTS; aspect++) {
                if (hashes[i] == hash.withAspect(aspect, listed)) {
                    hashes[i] = hash.withAspect(MailKeyHash.UNLISTED_ASPECTS + aspect, listed);
                    break;
                }
            }
        }
    }

    void clear() {
        size = 0;
        network = 0;
        recipient = 0;
    }

    void setMessage(long tokenBits, long deliveredSecond) {
        token = tokenBits;
        epochSecond = deliveredSecond;
    }

    /// Removes duplicates, and hashes beyond [HourFileFormat#MAX_KEY_HASHES].
    void fold() {
        if (size > HourFileFormat.MAX_KEY_HASHES) {
            selectWithinBound();
        }
        size = distinct(hashes, 0, size);
    }

    /// Each group gets up to half of the room that the groups before it left, and the last one all of it; a second
    /// round distributes the rest. Within a group the keys of URLs come last; otherwise the order of the hashes
    /// decides, which no sender knows.
    private void selectWithinBound() {
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
        int left = HourFileFormat.MAX_KEY_HASHES;
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

    /// Sorts a part of the hashes and removes duplicates.
    ///
    /// @return its new end
    private static int distinct(long[] hashes, int from, int to) {
        Arrays.sort(hashes, from, to);
        int end = from;
        for (int i = from; i < to; i++) {
            if (i == from || hashes[i] != hashes[i - 1]) {
                hashes[end++] = hashes[i];
            }
        }
        return end;
    }

    /// The hash of the client's network; 0 if no client is known.
    long network() {
        return network;
    }

    /// The hash of a recipient; 0 if none is known.
    long recipient() {
        return recipient;
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
