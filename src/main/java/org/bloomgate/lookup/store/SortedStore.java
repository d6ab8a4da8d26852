package org.bloomgate.lookup.store;

import com.github.benmanes.caffeine.cache.Cache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// The exact store of a snapshot on this machine, open for lookups and iteration: the pages that [PagesWriter] wrote,
/// in parts by range of keys. `docs/formats.md` describes the format.
///
/// The roots are read when the store is opened, pages when a key is looked up; the system keeps them in its page
/// cache. The ranges of the parts are adjacent and end to end, so that a part that is missing is noticed.
///
/// A key whose page cannot be read or is damaged is [ExactAnswer.Unknown], as is every key after the deadline and
/// every key of a closed store. Thread-safe; [#close()] waits for the lookups in progress.
public final class SortedStore implements ExactLookup, OrderedKeyStore {
    static final int MAX_PARTS = 100;

    /// Index pages kept in memory: those of 50 to 100 million keys. Beyond that some lookups read one more page.
    private static final long INDEX_BYTES = 32 << 20;

    static final byte[] FIRST = {};

    /// No kind has this code.
    static final byte[] LAST = {(byte) 0xff};

    private final String name;
    private final List<StorePart> parts;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    /// @param name of the store, for messages
    SortedStore(String name, List<StorePart> parts) throws MalformedStoreException {
        this.name = name;
        this.parts = parts;
        byte[] begin = FIRST;
        for (StorePart part : parts) {
            if (!Arrays.equals(part.from(), begin) || !part.dictionary().equals(dictionary())) {
                throw new MalformedStoreException("a part does not continue the part before");
            }
            begin = part.to();
        }
    }

    /// The file name of a part, from 0.
    static String partName(int part) {
        return "exact.%02d".formatted(part) + PartRoot.FILE_EXTENSION;
    }

    /// Opens a store; nothing in its directory is written.
    ///
    /// @throws MalformedStoreException when the store is of another version, or its root is damaged
    /// @throws IOException if there is no readable store
    public static SortedStore open(Path directory) throws IOException {
        List<StorePart> parts = new ArrayList<>();
        Cache<PageReference, Page> indexPages = StorePart.createIndexCache(INDEX_BYTES);
        try {
            do {
                PageFile file = PageFile.open(directory.resolve(partName(parts.size())));
                try {
                    PartRoot root = file.root();
                    parts.add(new StorePart(file, root.offset(), file.readRoot(root), indexPages));
                } catch (IOException e) {
                    file.close();
                    throw e;
                }
            } while (!Arrays.equals(parts.getLast().to(), LAST));
            return new SortedStore(directory.toString(), List.copyOf(parts));
        } catch (IOException e) {
            parts.forEach(StorePart::close);
            throw e instanceof MalformedStoreException
                    ? new MalformedStoreException("exact store " + directory + ": " + e.getMessage())
                    : new IOException("exact store " + directory + ": " + e.getMessage(), e);
        }
    }

    /// The dictionary to which the values of [StoreCursor#value()] refer.
    public FeedDictionary dictionary() {
        return parts.getFirst().dictionary();
    }

    /// The feeds of the listings in the store, by the positions that [StoreCursor#stored()] contains.
    public List<ListedFeed> feeds() {
        return dictionary().feeds();
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<ExactAnswer> answers = new ArrayList<>(keys.size());
        lock.readLock().lock();
        try {
            for (Key key : keys) {
                if (closed) {
                    answers.add(new ExactAnswer.Unknown("exact store closed"));
                } else if (System.nanoTime() - deadline >= 0) {
                    answers.add(new ExactAnswer.Unknown("exact store: deadline passed"));
                } else {
                    answers.add(lookupKey(key));
                }
            }
        } finally {
            lock.readLock().unlock();
        }
        return answers;
    }

    @Override
    public Optional<ExactLookup> local() {
        return Optional.of(this);
    }

    @Override
    public boolean mayQueryRemote() {
        return false;
    }

    private ExactAnswer lookupKey(Key key) {
        try {
            byte[] storeKey = StoreKey.of(key);
            Optional<byte[]> value = parts.get(findPart(storeKey)).find(storeKey);
            return value.isPresent()
                    ? new ExactAnswer.Listed(dictionary().decodeListings(key, value.get()))
                    : new ExactAnswer.NotListed();
        } catch (PublishedStores.UnreadableException e) {
            return e.reason().answer();
        } catch (IOException e) {
            return new ExactAnswer.Unknown("exact store " + name + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return new ExactAnswer.Unknown(
                    "exact store: not a key of kind " + key.kind().label());
        }
    }

    /// The part whose range has the key.
    private int findPart(byte[] storeKey) {
        int part = 0;
        while (part + 1 < parts.size()
                && Arrays.compareUnsigned(parts.get(part + 1).from(), storeKey) <= 0) {
            part++;
        }
        return part;
    }

    @Override
    public Set<Integer> passwordDigestBytes() {
        return parts.getLast().passwordDigestBytes();
    }

    /// Keeps the store open during the call.
    @Override
    public void forEach(KeyKind kind, byte[] from, byte[] to, OrderedKeyStore.Visitor visitor) throws IOException {
        byte[] end = to.length == 0 ? new byte[] {(byte) (kind.wireCode() + 1)} : StoreKey.of(kind, to);
        lock.readLock().lock();
        try (StoreCursor cursor = openCursor(StoreKey.of(kind, from), end)) {
            while (cursor.next()) {
                visitor.key(cursor.bytes(), 1, cursor.end(), cursor.stored().highestCount());
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    /// Opens a cursor over all keys, which the caller closes before it closes the store.
    ///
    /// @throws IOException when the store is closed
    public StoreCursor openCursor() throws IOException {
        return openCursor(FIRST, LAST);
    }

    /// Opens a cursor over the keys of one kind.
    public StoreCursor openCursor(KeyKind kind) throws IOException {
        return openCursor(new byte[] {(byte) kind.wireCode()}, new byte[] {(byte) (kind.wireCode() + 1)});
    }

    private StoreCursor openCursor(byte[] from, byte[] to) throws IOException {
        if (closed) {
            throw new IOException("exact store " + name + ": closed");
        }
        return new PagesCursor(parts.subList(findPart(from), parts.size()), from, to);
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                parts.forEach(StorePart::close);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
