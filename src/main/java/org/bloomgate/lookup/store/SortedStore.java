package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// The exact store of a snapshot on this machine, open for lookups and iteration: RocksDB opened read-only, as
/// [RocksExactWriter] wrote it.
///
/// Blocks are read and their checksums compared, never mapped: a mapped table that is cut short ends the process, and
/// damage to a mapped filter reads as "not listed". Filters and indexes of the tables are read into memory when
/// the store is opened, so that later damage cannot make a key "not listed".
///
/// A key that cannot be read or whose value is damaged is [ExactAnswer.Unknown], as is every key after the deadline
/// and every key of a closed store. Thread-safe; [#close()] waits for the lookups in progress.
public final class SortedStore implements ExactLookup, OrderedKeyStore {
    private final Path directory;
    private final RocksSettings settings;
    private final ReadOptions readOptions;
    private final RocksDB database;
    private final FeedDictionary dictionary;
    private final Set<Integer> passwordDigestBytes;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    private SortedStore(
            Path directory,
            RocksSettings settings,
            ReadOptions readOptions,
            RocksDB database,
            FeedDictionary dictionary)
            throws RocksDBException {
        this.directory = directory;
        this.settings = settings;
        this.readOptions = readOptions;
        this.database = database;
        this.dictionary = dictionary;
        this.passwordDigestBytes = readPasswordDigestBytes(database);
    }

    /// Opens a store; nothing in its directory is written.
    ///
    /// @throws MalformedStoreException when the store is of another version or its dictionary is damaged
    /// @throws IOException if there is no readable store
    public static SortedStore open(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException("exact store " + directory + ": no such directory");
        }
        RocksSettings settings = new RocksSettings();
        ReadOptions readOptions = new ReadOptions();
        try {
            RocksDB database = RocksDB.openReadOnly(settings.options(), directory.toString());
            try {
                return new SortedStore(directory, settings, readOptions, database, readDictionary(directory, database));
            } catch (IOException | RocksDBException e) {
                database.close();
                throw e;
            }
        } catch (IOException | RocksDBException e) {
            readOptions.close();
            settings.close();
            throw e instanceof IOException ioException
                    ? ioException
                    : new IOException("exact store " + directory + ": " + e.getMessage(), e);
        }
    }

    private static FeedDictionary readDictionary(Path directory, RocksDB database)
            throws IOException, RocksDBException {
        byte[] bytes = database.get(StoreKey.DICTIONARY);
        if (bytes == null) {
            throw new MalformedStoreException("exact store " + directory + ": holds no feed dictionary");
        }
        return FeedDictionary.decode(bytes);
    }

    /// Reads the lengths of the digests of passwords; none in a store without passwords.
    private static Set<Integer> readPasswordDigestBytes(RocksDB database) throws RocksDBException {
        Set<Integer> lengths = new HashSet<>();
        byte[] bytes = database.get(StoreKey.DIGEST_LENGTHS);
        if (bytes != null) {
            for (byte length : bytes) {
                lengths.add((int) length);
            }
        }
        return Set.copyOf(lengths);
    }

    /// The dictionary to which the values of [StoreCursor#value()] refer.
    public FeedDictionary dictionary() {
        return dictionary;
    }

    /// The feeds of the listings in the store, by the positions that [StoreCursor#stored()] contains.
    public List<ListedFeed> feeds() {
        return dictionary.feeds();
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

    /// Queries key by key: `multiGet` of RocksDB's Java binding returns null for a key in a damaged block, as for a
    /// missing key (rocksdb issue 12741).
    private ExactAnswer lookupKey(Key key) {
        try {
            return lookupKey(key, database.get(readOptions, StoreKey.of(key)));
        } catch (RocksDBException e) {
            return new ExactAnswer.Unknown("exact store " + directory + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return new ExactAnswer.Unknown(
                    "exact store: not a key of kind " + key.kind().label());
        }
    }

    private ExactAnswer lookupKey(Key key, byte @Nullable [] value) {
        if (value == null) {
            return new ExactAnswer.NotListed();
        }
        try {
            return new ExactAnswer.Listed(dictionary.decodeListings(key, value));
        } catch (MalformedStoreException e) {
            return new ExactAnswer.Unknown("exact store " + directory + ": damaged value: " + e.getMessage());
        }
    }

    @Override
    public Set<Integer> passwordDigestBytes() {
        return passwordDigestBytes;
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
        return openCursor(new byte[] {1}, StoreKey.DIGEST_LENGTHS);
    }

    /// Opens a cursor over the keys of one kind.
    public StoreCursor openCursor(KeyKind kind) throws IOException {
        return openCursor(new byte[] {(byte) kind.wireCode()}, new byte[] {(byte) (kind.wireCode() + 1)});
    }

    private StoreCursor openCursor(byte[] from, byte[] to) throws IOException {
        if (closed) {
            throw new IOException("exact store " + directory + ": closed");
        }
        return new RocksCursor(database, dictionary, from, to);
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                database.close();
                readOptions.close();
                settings.close();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
