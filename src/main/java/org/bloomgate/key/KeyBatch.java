package org.bloomgate.key;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All keys of one message (or query) in one reused octet buffer, so that a key costs no object: identifiers are
/// announced with [#begin(Identifier)], then the octets of each of their keys are appended and ended with
/// [#endKey(KeyKind, boolean)].
///
/// A batch holds at most [#MAX_KEYS] keys and [#MAX_OCTETS] octets: what goes beyond is not taken and
/// [#overflowed()] says so, which callers report as a limit reached. Not thread-safe; one batch belongs to one
/// transaction at a time and is [#clear()]ed between two.
public final class KeyBatch {
    /// Far above what mail holds (p99 436, highest seen 1,004) and low enough to bound the work of a hostile message.
    public static final int MAX_KEYS = 20_000;

    /// Bound of the buffer: 20,000 keys of 100 octets.
    public static final int MAX_OCTETS = 2_000_000;

    private static final int USUAL_OCTETS = 64;
    private static final int ITSELF = 0x100;
    private static final int KIND = 0xff;

    private final List<Identifier> identifiers = new ArrayList<>();
    private byte[] octets;
    private int used;
    private int[] starts;
    private int[] marks;
    private int[] owners;
    private final Map<Integer, Integer> quorums = new HashMap<>(0);
    private int size;
    private boolean full;

    /// For a message.
    public KeyBatch() {
        this(64);
    }

    /// With buffers that fit so many keys and grow when there are more.
    ///
    /// @param keys at least 1
    public KeyBatch(int keys) {
        octets = new byte[keys * USUAL_OCTETS];
        starts = new int[keys + 1];
        marks = new int[keys];
        owners = new int[keys];
    }

    /// Forgets all keys and identifiers; keeps the buffers.
    public void clear() {
        identifiers.clear();
        quorums.clear();
        used = 0;
        size = 0;
        full = false;
        starts[0] = 0;
    }

    /// Announces the identifier that the keys to come belong to. Octets of a key that was not ended are
    /// forgotten.
    public void begin(Identifier identifier) {
        used = starts[size];
        identifiers.add(identifier);
    }

    /// The same for an identifier that one listed key says nothing about.
    ///
    /// @param quorum so many of its keys have to be listed, 1 or more
    public void begin(Identifier identifier, int quorum) {
        begin(identifier);
        quorums.put(identifiers.size() - 1, quorum);
    }

    public KeyBatch append(byte[] source, int from, int to) {
        int length = to - from;
        if (reserve(length)) {
            System.arraycopy(source, from, octets, used, length);
            used += length;
        }
        return this;
    }

    public KeyBatch append(byte octet) {
        if (reserve(1)) {
            octets[used++] = octet;
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
            octets[used++] = (byte) c;
        }
        return this;
    }

    /// Ends the key whose octets were appended since the last end.
    ///
    /// @param itself true when the key is the identifier itself, false when it is a parent of it (a shorter host or
    ///     path), which a listing with [Match#EXACT] does not confirm
    public void endKey(KeyKind kind, boolean itself) {
        if (identifiers.isEmpty()) {
            throw new IllegalStateException("a key before its identifier");
        }
        if (full || size == MAX_KEYS) {
            full = true;
            used = starts[size];
            return;
        }
        if (size + 1 == starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2 - 1);
            marks = Arrays.copyOf(marks, marks.length * 2);
            owners = Arrays.copyOf(owners, owners.length * 2);
        }
        marks[size] = kind.wireCode() | (itself ? ITSELF : 0);
        owners[size] = identifiers.size() - 1;
        starts[++size] = used;
    }

    private boolean reserve(int more) {
        if (full || used + more > MAX_OCTETS) {
            full = true;
            return false;
        }
        if (used + more > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(used + more, octets.length * 2));
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
    public byte[] octets() {
        return octets;
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

    public boolean itself(int key) {
        return (marks[key] & ITSELF) != 0;
    }

    public Identifier identifier(int key) {
        return identifiers.get(owners[key]);
    }

    /// Position in [#identifiers()] of the identifier that the key belongs to.
    public int owner(int key) {
        return owners[key];
    }

    /// How many keys of the identifier at this position have to be listed for it to be listed: 1 for most.
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
        return Key.ofOctets(kind, octets, starts[key], starts[key + 1] - starts[key]);
    }
}
