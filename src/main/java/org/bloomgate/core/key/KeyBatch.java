package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// All keys of one message or query in one reusable byte buffer, so that a key needs no object.
/// [#begin(Identifier)] adds an identifier; then the bytes of each of its keys are appended, and
/// [#endKey(KeyKind, boolean)] ends the key.
///
/// A batch has at most [#MAX_KEYS] keys and [#MAX_BYTES] bytes, not counting terms, digests and keys that are
/// equal to an earlier one. Further keys are ignored and [#overflowed()] is true, which callers report as a limit.
/// Not thread-safe; a batch belongs to one transaction at a time and must be [#clear()]ed before the next.
public final class KeyBatch {
    /// Enough for the deep links of a table of 20,000 rows; most messages have fewer than 436, and the work for
    /// a hostile message is bounded. The limit `keys`.
    public static final int MAX_KEYS = 200_000;

    /// The bound of the buffer: 200,000 keys of 100 bytes. The limit `keys`.
    public static final int MAX_BYTES = 20_000_000;

    /// The keys and bytes that a message may have however many messages come at a time: far more than most have.
    static final int ORDINARY_KEYS = 20_000;

    static final int ORDINARY_BYTES = 2_000_000;

    /// The most keys that are equal to an earlier one, of another identifier: the same host in many links. The
    /// limit `keys`.
    static final int MAX_REPEATED = 200_000;

    /// The most sequences of words, in addition to other keys ([#term]): 10,000 characters, each of which may
    /// begin terms of 12 lengths. The limit `keys`.
    public static final int MAX_TERMS = 120_000;

    /// The bound of the bytes of terms: 120,000 terms of 50 bytes. The limit `keys`.
    public static final int MAX_TERM_BYTES = 6_000_000;

    /// The size of a batch that is reused for another message; few messages have more keys.
    private static final int KEPT_KEYS = 1024;

    private static final int USUAL_BYTES = 64;
    private static final int KEPT_BYTES = KEPT_KEYS * USUAL_BYTES;

    /// The most bytes by which a large buffer grows at a time.
    private static final int GROWTH_BYTES = 4_000_000;

    /// The heap of a position: start, end, mark, owner, two slots of the table of repeated keys, and a copy of one of
    /// these while it grows.
    private static final int BYTES_OF_POSITION = 32;

    private static final long SECRET = new SplittableRandom().nextLong();

    /// Odd, with bits set in no regular pattern (golden ratio).
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final int ITSELF = 0x100;
    private static final int KIND = 0xff;

    /// The position in a mark of the number of units of a text that a key covers, 0 for most keys; above it is
    /// the first unit.
    private static final int UNITS_SHIFT = 9;

    private static final int UNITS = 0x1f;
    private static final int FIRST_UNIT_SHIFT = 14;

    /// The number of unit positions that fit in a mark. Hides nothing: the limit `words` is lower.
    public static final int MAX_UNITS = 1 << (Integer.SIZE - FIRST_UNIT_SHIFT);

    private final List<Identifier> identifiers = new ArrayList<>();
    private byte[] bytes;
    private int used;

    /// The bytes of the keys: those of a repeated key are the bytes of the first one.
    private int[] starts;

    private int[] ends;

    /// The end of the bytes of ended keys.
    private int ended;

    private final RepeatedKeys repeated = new RepeatedKeys();
    private int repetitions;
    private Runnable release = () -> {};
    private int[] marks;
    private int[] owners;
    private final Map<Integer, Integer> quorums = new HashMap<>(0);
    private int size;
    private boolean full;

    /// The number of keys that have been digested, and the number of digests.
    private int digested;

    private int digests;

    /// A batch for one message.
    public KeyBatch() {
        this(64);
    }

    /// A batch with buffers for this many keys, which grow if there are more.
    ///
    /// @param keys at least 1
    public KeyBatch(int keys) {
        bytes = new byte[keys * USUAL_BYTES];
        starts = new int[keys];
        ends = new int[keys];
        marks = new int[keys];
        owners = new int[keys];
    }

    /// Whether the batch is small enough to be reused; one that has grown for a large message is not kept.
    public boolean worthKeeping() {
        return bytes.length <= KEPT_BYTES && marks.length <= KEPT_KEYS;
    }

    /// The bytes of heap of the buffers, also while they grow by the next key.
    public long heapBytes() {
        return 2L * bytes.length + Math.min(bytes.length, GROWTH_BYTES) + (long) BYTES_OF_POSITION * marks.length;
    }

    /// Whether the batch has fewer than [#ORDINARY_KEYS] keys and [#ORDINARY_BYTES] bytes.
    public boolean isOrdinary() {
        return size < ORDINARY_KEYS && used < ORDINARY_BYTES;
    }

    /// Calls this when the keys are cleared, for example to give back their heap.
    public void onClear(Runnable released) {
        release = released;
    }

    /// Forgets all keys and identifiers; keeps the buffers.
    public void clear() {
        release.run();
        release = () -> {};
        repeated.clear();
        repetitions = 0;
        ended = 0;
        identifiers.clear();
        quorums.clear();
        used = 0;
        size = 0;
        digested = 0;
        digests = 0;
        full = false;
    }

    /// Like [#clear()], and also overwrites the buffer.
    public void erase() {
        clear();
        Arrays.fill(bytes, (byte) 0);
    }

    /// Adds an identifier, to which the following keys belong. Bytes of a key that was not ended are dropped.
    public void begin(Identifier identifier) {
        used = ended;
        identifiers.add(identifier);
    }

    /// Adds an identifier that is not listed by a single key.
    ///
    /// @param quorum the number of its keys that have to be listed, 1 or more
    public void begin(Identifier identifier, int quorum) {
        begin(identifier);
        quorums.put(identifiers.size() - 1, quorum);
    }

    public KeyBatch append(byte[] source, int from, int to) {
        int length = to - from;
        if (reserve(length)) {
            System.arraycopy(source, from, bytes, used, length);
            used += length;
        }
        return this;
    }

    public KeyBatch append(byte b) {
        if (reserve(1)) {
            bytes[used++] = b;
        }
        return this;
    }

    /// Appends text as UTF-8; canonical forms are ASCII, except those of addresses and words.
    public KeyBatch append(String text) {
        int length = text.length();
        if (!reserve(length)) {
            return this;
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                byte[] rest = text.substring(i).getBytes(StandardCharsets.UTF_8);
                return append(rest, 0, rest.length);
            }
            bytes[used++] = (byte) c;
        }
        return this;
    }

    /// Ends the key, whose bytes are those appended since the last key.
    ///
    /// @param itself whether the key is the identifier itself and not a parent of it (a shorter host or path),
    /// to which a listing with [Match#EXACT] does not apply
    public void endKey(KeyKind kind, boolean itself) {
        if (identifiers.isEmpty()) {
            throw new IllegalStateException("a key before its identifier");
        }
        int mark = kind.wireCode() | (itself ? ITSELF : 0);
        int first = size < KEPT_KEYS || full ? -1 : repeated.firstOf(size, mark & KIND);
        if (first < 0) {
            end(mark, MAX_KEYS);
        } else if (repetitions == MAX_REPEATED) {
            full = true;
        } else {
            repetitions++;
            used = ended;
            add(mark, identifiers.size() - 1, starts[first], ends[first]);
        }
    }

    /// Adds a sequence of units of a text as a key of the last identifier. There is space for [#MAX_TERMS] in
    /// addition to other keys.
    ///
    /// @param first the position of the first unit in the text, below [#MAX_UNITS]
    /// @param units the number of units, 1 to 31
    void term(byte[] source, int from, int to, int first, int units) {
        int length = to - from;
        if (reserve(length, MAX_BYTES + MAX_TERM_BYTES)) {
            System.arraycopy(source, from, bytes, used, length);
            used += length;
        }
        end(
                KeyKind.KEYWORD.wireCode() | ITSELF | (units << UNITS_SHIFT) | (first << FIRST_UNIT_SHIFT),
                MAX_KEYS + MAX_TERMS);
    }

    /// Adds the SHA-1 of every domain and address as a further key, for lists of digests. Does nothing for keys
    /// that have one already; there is always space.
    public void addDigests(boolean domains, boolean addresses) {
        if (!domains && !addresses) {
            return;
        }
        MessageDigest sha1 = Sha1Rules.begin();
        for (int last = size; digested < last; digested++) {
            int kind = marks[digested] & KIND;
            if (domains && kind == KeyKind.DOMAIN.wireCode()) {
                addDigest(sha1, digested, KeyKind.DOMAIN_SHA1);
            } else if (addresses && kind == KeyKind.ADDRESS.wireCode()) {
                addDigest(sha1, digested, KeyKind.ADDRESS_SHA1);
            }
        }
        digested = size;
    }

    private void addDigest(MessageDigest sha1, int key, KeyKind kind) {
        used = ended;
        if (used + Sha1Rules.BYTES > bytes.length) {
            grow(Sha1Rules.BYTES);
        }
        sha1.update(bytes, starts[key], ends[key] - starts[key]);
        try {
            used += sha1.digest(bytes, used, Sha1Rules.BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("there is space for it", e);
        }
        add(kind.wireCode() | (marks[key] & ITSELF), owners[key], ended, used);
        digests++;
    }

    private void end(int mark, int most) {
        if (full || size - digests - repetitions >= most) {
            full = true;
            used = ended;
            return;
        }
        add(mark, identifiers.size() - 1, ended, used);
    }

    private void add(int mark, int owner, int start, int end) {
        if (size == marks.length) {
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
            marks = Arrays.copyOf(marks, size * 2);
            owners = Arrays.copyOf(owners, size * 2);
        }
        marks[size] = mark;
        owners[size] = owner;
        starts[size] = start;
        ends[size] = end;
        ended = Math.max(ended, end);
        size++;
    }

    private boolean reserve(int more) {
        return reserve(more, MAX_BYTES);
    }

    private boolean reserve(int more, int most) {
        if (full || used + more > most) {
            full = true;
            return false;
        }
        if (used + more > bytes.length) {
            grow(more);
        }
        return true;
    }

    private void grow(int more) {
        bytes = Arrays.copyOf(bytes, Math.max(used + more, bytes.length + Math.min(bytes.length, GROWTH_BYTES)));
    }

    /// Number of keys.
    public int size() {
        return size;
    }

    /// Whether keys were ignored because the batch was full, so that the message is not fully inspected.
    public boolean overflowed() {
        return full;
    }

    /// The buffer to which [#start(int)] and [#end(int)] refer; valid until the next change.
    public byte[] bytes() {
        return bytes;
    }

    public int start(int key) {
        return starts[key];
    }

    public int end(int key) {
        return ends[key];
    }

    /// [KeyKind#wireCode()] of the key.
    public int kindCode(int key) {
        return marks[key] & KIND;
    }

    /// The number of keys of this kind.
    public int count(KeyKind kind) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += kindCode(i) == kind.wireCode() ? 1 : 0;
        }
        return count;
    }

    public boolean itself(int key) {
        return (marks[key] & ITSELF) != 0;
    }

    /// The number of units of a text that the key consists of; 1 for keys that are not terms.
    public int weight(int key) {
        return Math.max(1, (marks[key] >>> UNITS_SHIFT) & UNITS);
    }

    /// Adds the units of the text that the key covers, so that overlapping terms count no unit twice; for other
    /// keys, the key itself.
    public void cover(int key, BitSet covered) {
        int units = (marks[key] >>> UNITS_SHIFT) & UNITS;
        int first = units == 0 ? key : marks[key] >>> FIRST_UNIT_SHIFT;
        covered.set(first, first + Math.max(1, units));
    }

    public Identifier identifier(int key) {
        return identifiers.get(owners[key]);
    }

    /// The position in [#identifiers()] of the identifier to which the key belongs.
    public int owner(int key) {
        return owners[key];
    }

    /// The number of keys of the identifier at this position, or of units of its text, that have to be listed
    /// for it to be listed: 1 for most.
    public int quorum(int owner) {
        return quorums.getOrDefault(owner, 1);
    }

    /// Whether any identifier needs more than one listed key.
    public boolean hasQuorums() {
        return !quorums.isEmpty();
    }

    /// All identifiers added since the last [#clear()], in order.
    public List<Identifier> identifiers() {
        return Collections.unmodifiableList(identifiers);
    }

    /// The key as an object; only for suspects and for output, because it allocates.
    public Key key(int key) {
        KeyKind kind = KeyKind.ofWireCode(kindCode(key)).orElseThrow();
        return Key.ofBytes(kind, bytes, starts[key], ends[key] - starts[key]);
    }

    /// The first position of each key of a large batch, by its kind and bytes. Its hashes depend on a secret.
    private final class RepeatedKeys {
        private int[] slots = {};
        private int filled;
        private int next;

        void clear() {
            slots = new int[0];
            filled = 0;
            next = 0;
        }

        /// The position of a key that is equal to the one being appended; -1 if there is none.
        int firstOf(int end, int kind) {
            for (; next < end; next++) {
                if (2 * (filled + 1) >= slots.length) {
                    grow();
                }
                put(next);
            }
            return slots[slot(ended, used, kind)] - 1;
        }

        private void put(int key) {
            int slot = slot(starts[key], ends[key], kindCode(key));
            if (slots[slot] == 0) {
                slots[slot] = key + 1;
                filled++;
            }
        }

        private void grow() {
            int[] old = slots;
            slots = new int[Math.max(4 * KEPT_KEYS, 2 * old.length)];
            filled = 0;
            for (int one : old) {
                if (one != 0) {
                    put(one - 1);
                }
            }
        }

        /// The slot of the key, or the free one where it belongs.
        private int slot(int from, int to, int kind) {
            int slot = hash(from, to, kind) & (slots.length - 1);
            while (slots[slot] != 0 && !isEqual(slots[slot] - 1, from, to, kind)) {
                slot = (slot + 1) & (slots.length - 1);
            }
            return slot;
        }

        private boolean isEqual(int key, int from, int to, int kind) {
            return kindCode(key) == kind && Arrays.equals(bytes, starts[key], ends[key], bytes, from, to);
        }

        private int hash(int from, int to, int kind) {
            long hash = SECRET + kind;
            for (int i = from; i < to; i++) {
                hash = (hash ^ bytes[i]) * MULTIPLIER;
                hash ^= hash >>> 32;
            }
            return (int) hash;
        }
    }
}
