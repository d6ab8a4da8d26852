package org.bloomgate.filter;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterHeader;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.LookupValue;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;

/// A filter file of Bloomgate, mapped into memory (docs/formats.md). "Maybe" (true) means that only Bloomgate itself knows;
/// false is certain. Thread-safe until it is closed.
public final class Filter implements AutoCloseable {
    private final Arena arena;
    private final BloomFilter filter;
    private final KeyKind kind;

    private Filter(Arena arena, BloomFilter filter, KeyKind kind) {
        this.arena = arena;
        this.filter = filter;
        this.kind = kind;
    }

    /// Opens a file after checking every byte of it. The file must not change while it is open.
    ///
    /// @throws IOException if the file cannot be read or must not be used; the message says why
    public static Filter open(Path file) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            int code = FilterFormat.readHeader(bytes).parameters().kindCode();
            KeyKind kind = KeyKind.ofWireCode(code)
                    .orElseThrow(() -> new IOException(file + ": key kind " + code + " is unknown"));
            return new Filter(arena, FilterFormat.open(bytes, code, CanonicalForm.VERSION), kind);
        } catch (FilterRefusedException e) {
            arena.close();
            throw new IOException(file + ": " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /// The kind of all keys in it.
    public KeyKind kind() {
        return kind;
    }

    public FilterHeader header() {
        return filter.header();
    }

    /// Whether the key may be in the filter; false is certain.
    ///
    /// @throws IllegalArgumentException if the key is of another kind
    public boolean mightContain(Key key) {
        if (key.kind() != kind) {
            throw new IllegalArgumentException("a filter of kind " + kind.label() + " asked for " + key.kind().label());
        }
        byte[] bytes = key.bytes();
        return filter.mightContain(filter.hash().hash(bytes, 0, bytes.length));
    }

    /// The keys under which a value may be listed, the value itself first, in the full canonical form. Keys of several kinds: a
    /// URL also has those of its host.
    ///
    /// @param suffixes of the snapshot; [PublicSuffixes#bundled()] is the list of this build
    /// @throws IllegalArgumentException if the value is not of the kind
    public static List<Key> keys(KeyKind kind, String value, PublicSuffixes suffixes) {
        List<LookupValue> values = kind.rules().toLookupValues(value);
        KeyBatch batch = new KeyBatch();
        for (LookupValue one : values) {
            batch.begin(new Identifier(kind, one.text(), Place.LINK, "value"));
            one.keys().append(suffixes, batch);
        }
        if (values.isEmpty() || batch.overflowed()) {
            throw new IllegalArgumentException(values.isEmpty() ? "not a value of kind " + kind.label() : "too many keys");
        }
        List<Key> keys = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            keys.add(batch.key(i));
        }
        return keys;
    }

    @Override
    public void close() {
        arena.close();
    }
}
