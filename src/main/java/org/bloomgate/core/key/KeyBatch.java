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

/// All keys of one message (or query) in one reused byte buffer, so that a key costs no object: identifiers are
/// announced with [#begin(Identifier)], then the bytes of each of their keys are appended and ended with
/// [#endKey(KeyKind, boolean)].
///
/// A batch holds at most [#MAX_KEYS] keys and [#MAX_BYTES] bytes, terms and digests aside: what goes beyond is
/// not taken and [#overflowed()] says so, which callers report as a limit reached. Not thread-safe; one batch
/// belongs to one transaction at a time and is [#clear()]ed between two.
public final class KeyBatch {
    /// Far above what mail holds (p99 436, highest seen 1,004) and low enough to bound the work of a
    /// hostile message. The limit `keys`.
    public static final int MAX_KEYS = 20_000;

    /// Bound of the buffer: 20,000 keys of 100 bytes. The limit `keys`.
    public static final int MAX_BYTES = 2_000_000;

    /// The most sequences of words, in addition to other keys ([#term]): 10,000 characters, each of which may
    /// begin terms of 12 lengths. The limit `keys`.
    public static final int MAX_TERMS = 120_000;

    /// Bound of the bytes of those: 120,000 of 50 bytes. The limit `keys`.
    public static final int MAX_TERM_BYTES = 6_000_000;

    /// The size of a batch that is reused for another message; few messages have more keys.
    private static final int KEPT_KEYS = 1024;

    private static final int USUAL_BYTES = 64;
    private static final int KEPT_BYTES = KEPT_KEYS * USUAL_BYTES;
    private static final int ITSELF = 0x100;
    private static final int KIND = 0xff;

    /// In a mark: how many units of a text a key covers, none for most, and above it the first of them.
    private static final int UNITS_SHIFT = 9;

    private static final int UNITS = 0x1f;
    private static final int FIRST_UNIT_SHIFT = 14;

    /// The positions of units that a mark can hold. Hides nothing: the limit `words` ends below.
    public static final int MAX_UNITS = 1 << (Integer.SIZE - FIRST_UNIT_SHIFT);

    private final List<Identifier> identifiers = new ArrayList<>();
    private byte[] bytes;
    private int used;
    private int[] starts;
    private int[] marks;
    private int[] owners;
    private final Map<Integer, Integer> quorums = new HashMap<>(0);
    private int size;
    private boolean full;

    /// How many keys have their digests, and how many digests there are.
    private int digested;

    private int digests;

    /// A batch for one message.
    public KeyBatch() {
        this(64);
    }

    /// With buffers that fit this many keys and grow when there are more.
    ///
    /// @param keys at least 1
    public KeyBatch(int keys) {
        bytes = new byte[keys * USUAL_BYTES];
        starts = new int[keys + 1];
        marks = new int[keys];
        owners = new int[keys];
    }

    /// True if the batch is small enough to be reused: one that grew for a large message is not kept.
    public boolean worthKeeping() {
        return bytes.length <= KEPT_BYTES && marks.length <= KEPT_KEYS;
    }

    /// Forgets all keys and identifiers; keeps the buffers.
    public void clear() {
        identifiers.clear();
        quorums.clear();
        used = 0;
        size = 0;
        digested = 0;
        digests = 0;
        full = false;
        starts[0] = 0;
    }

    /// The same, and nothing of them is left in the buffer.
    public void erase() {
        clear();
        Arrays.fill(bytes, (byte) 0);
    }

    /// Announces the identifier that the keys to come belong to. Bytes of a key that was not ended are
    /// forgotten.
    public void begin(Identifier identifier) {
        used = starts[size];
        identifiers.add(identifier);
    }

    /// The same for an identifier that one listed key says nothing about.
    ///
    /// @param quorum this many of its keys have to be listed, 1 or more
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

    /// Appends text as UTF-8; canonical forms are ASCII but for addresses and words.
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

    /// Ends the key whose bytes were appended since the last end.
    ///
    /// @param itself true when the key is the identifier itself, false when it is a parent of it (a shorter host or
    ///     path), which a listing with [Match#EXACT] does not confirm
    public void endKey(KeyKind kind, boolean itself) {
        if (identifiers.isEmpty()) {
            throw new IllegalStateException("a key before its identifier");
        }
        end(kind.wireCode() | (itself ? ITSELF : 0), MAX_KEYS);
    }

    /// Adds a sequence of units of a text to the identifier begun last. There is space for [#MAX_TERMS] in
    /// addition to other keys.
    ///
    /// @param first the position of the first unit in the text, below [#MAX_UNITS]
    /// @param units how many, 1 to 31
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
        used = starts[size];
        if (used + Sha1Rules.BYTES > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(used + Sha1Rules.BYTES, bytes.length * 2));
        }
        sha1.update(bytes, starts[key], starts[key + 1] - starts[key]);
        try {
            used += sha1.digest(bytes, used, Sha1Rules.BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("there is space for it", e);
        }
        add(kind.wireCode() | (marks[key] & ITSELF), owners[key]);
        digests++;
    }

    private void end(int mark, int most) {
        if (full || size - digests >= most) {
            full = true;
            used = starts[size];
            return;
        }
        add(mark, identifiers.size() - 1);
    }

    private void add(int mark, int owner) {
        if (size + 1 == starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2 - 1);
            marks = Arrays.copyOf(marks, marks.length * 2);
            owners = Arrays.copyOf(owners, owners.length * 2);
        }
        marks[size] = mark;
        owners[size] = owner;
        starts[++size] = used;
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
            bytes = Arrays.copyOf(bytes, Math.max(used + more, bytes.length * 2));
        }
        return true;
    }

    /// Number of keys.
    public int size() {
        return size;
    }

    /// True when keys were left out because the batch was full: the message is not fully inspected.
    public boolean overflowed() {
        return full;
    }

    /// The shared buffer that [#start(int)] and [#end(int)] point into; valid until the next change.
    public byte[] bytes() {
        return bytes;
    }

    public int start(int key) {
        return starts[key];
    }

    public int end(int key) {
        return starts[key + 1];
    }

    /// [KeyKind#wireCode()] of the key.
    public int kindCode(int key) {
        return marks[key] & KIND;
    }

    /// How many keys are of this kind.
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

    /// Adds the part of the text that the key covers: the units it was found in, so that overlapping terms
    /// count none twice, or the key itself.
    public void cover(int key, BitSet covered) {
        int units = (marks[key] >>> UNITS_SHIFT) & UNITS;
        int first = units == 0 ? key : marks[key] >>> FIRST_UNIT_SHIFT;
        covered.set(first, first + Math.max(1, units));
    }

    public Identifier identifier(int key) {
        return identifiers.get(owners[key]);
    }

    /// Position in [#identifiers()] of the identifier that the key belongs to.
    public int owner(int key) {
        return owners[key];
    }

    /// How many keys of the identifier at this position, or units of its text, have to be listed for it to be listed: 1
    /// for most.
    public int quorum(int owner) {
        return quorums.getOrDefault(owner, 1);
    }

    /// True when any identifier needs more than one of its keys listed.
    public boolean hasQuorums() {
        return !quorums.isEmpty();
    }

    /// All identifiers announced since the last [#clear()], in order.
    public List<Identifier> identifiers() {
        return Collections.unmodifiableList(identifiers);
    }

    /// The key as a value; allocates, so only for suspects and for people.
    public Key key(int key) {
        KeyKind kind = KeyKind.ofWireCode(kindCode(key)).orElseThrow();
        return Key.ofBytes(kind, bytes, starts[key], starts[key + 1] - starts[key]);
    }
}
