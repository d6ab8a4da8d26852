package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.core.key.KeyKind;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/// Writes the final table files, then moves all of them into an empty database. Nothing is sorted, compacted or
/// written to a write-ahead log, so memory stays below one table file's filter and index.
final class RocksExactWriter implements StoreWriter {
    /// The extension of table files.
    private static final String TABLE = ".sst";

    /// The size at which the next table begins, so that the filter and index of a file (about 1/15 of it) fit in memory
    /// while it is written.
    private static final long TABLE_BYTES = 256L << 20;

    /// The keys between two checks of the length of a table.
    private static final int KEYS_BETWEEN_CHECKS = 4096;

    /// Keys looked up are bounded far below; the bound of a feed's line.
    static final int MAX_KEY_BYTES = 16 << 10;

    private final Path directory;
    private final long tableBytes;
    private final RocksSettings settings = new RocksSettings();
    private final EnvOptions environment = new EnvOptions();
    private final List<Path> tables = new ArrayList<>();
    private final ByteBuffer key = ByteBuffer.allocateDirect(MAX_KEY_BYTES + 1);
    private ByteBuffer value = ByteBuffer.allocateDirect(4096);
    private SstFileWriter table;
    private final int feedCount;
    private final BitSet digestLengths = new BitSet();
    private long keys;

    /// Creates a writer as [StoreWriter#create] does.
    RocksExactWriter(Path directory, List<ListedFeed> feeds) throws IOException {
        this(directory, feeds, TABLE_BYTES);
    }

    RocksExactWriter(Path directory, List<ListedFeed> feeds, long tableBytes) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.tableBytes = tableBytes;
        FeedDictionary dictionary = new FeedDictionary(feeds);
        feedCount = dictionary.size();
        table = beginTable();
        try {
            table.put(StoreKey.DICTIONARY, dictionary.encode());
        } catch (RocksDBException e) {
            close();
            throw toIoException(e);
        }
    }

    @Override
    public void put(KeyKind kind, byte[] bytes, int from, int to, StoredListings listings) throws IOException {
        if (listings.size() == 0 || listings.feed(listings.size() - 1) >= feedCount) {
            throw new IllegalArgumentException("listings of no feed of this store");
        }
        if (value.capacity() < listings.maxBytes()) {
            value = ByteBuffer.allocateDirect(listings.maxBytes());
        }
        value.clear();
        listings.encode(value);
        value.flip();
        write(kind, bytes, from, to);
    }

    @Override
    public void put(KeyKind kind, byte[] bytes, int from, int to) throws IOException {
        if (keys == 0) {
            throw new IllegalStateException("the first key has no key before it whose listings it could share");
        }
        value.rewind();
        write(kind, bytes, from, to);
    }

    private void write(KeyKind kind, byte[] bytes, int from, int to) throws IOException {
        if (to - from > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("key of " + (to - from) + " bytes, the bound is " + MAX_KEY_BYTES);
        }
        key.clear().put((byte) kind.wireCode()).put(bytes, from, to - from).flip();
        try {
            // Before the key and not after it, because RocksDB cannot finish a table without a key.
            if (keys > 0 && keys % KEYS_BETWEEN_CHECKS == 0 && table.fileSize() >= tableBytes) {
                finishTable();
                table = beginTable();
            }
            table.put(key, value);
            keys++;
            if (kind == KeyKind.PASSWORD) {
                digestLengths.set(to - from);
            }
        } catch (RocksDBException e) {
            throw toIoException(e);
        }
    }

    /// Number of keys put so far.
    long keys() {
        return keys;
    }

    @Override
    public void finish() throws IOException {
        try {
            putDigestLengths();
            finishTable();
            ingest();
        } catch (RocksDBException e) {
            throw toIoException(e);
        }
        removeWriterFiles();
        DurableFiles.forceTree(directory);
    }

    private void putDigestLengths() throws RocksDBException {
        byte[] bytes = new byte[digestLengths.cardinality()];
        int count = 0;
        for (int length = digestLengths.nextSetBit(0); length >= 0; length = digestLengths.nextSetBit(length + 1)) {
            bytes[count++] = (byte) length;
        }
        table.put(StoreKey.DIGEST_LENGTHS, bytes);
    }

    private void ingest() throws RocksDBException {
        settings.options().setCreateIfMissing(true).setErrorIfExists(true);
        try (RocksDB database = RocksDB.open(settings.options(), directory.toString());
                IngestExternalFileOptions move = new IngestExternalFileOptions()) {
            move.setMoveFiles(true).setSnapshotConsistency(false).setAllowGlobalSeqNo(false);
            database.ingestExternalFile(tables.stream().map(Path::toString).toList(), move);
        }
    }

    /// Lock, option and write-ahead files are of no use to a reader and would be hashed and shipped with the
    /// snapshot.
    private void removeWriterFiles() throws IOException {
        for (Path file : listFiles()) {
            String name = file.getFileName().toString();
            if (name.equals("LOCK") || name.startsWith("OPTIONS-") || name.startsWith("LOG") || name.endsWith(".log")) {
                Files.delete(file);
            }
        }
        for (Path source : tables) {
            Files.deleteIfExists(source);
        }
    }

    private List<Path> listFiles() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    private SstFileWriter beginTable() throws IOException {
        Path file = directory.resolve("ingest-" + tables.size() + TABLE);
        SstFileWriter next = new SstFileWriter(environment, settings.options());
        try {
            next.open(file.toString());
        } catch (RocksDBException e) {
            next.close();
            throw toIoException(e);
        }
        tables.add(file);
        return next;
    }

    private void finishTable() throws RocksDBException {
        table.finish();
        table.close();
    }

    private IOException toIoException(RocksDBException e) {
        return new IOException("exact store " + directory + ": " + e.getMessage(), e);
    }

    @Override
    public void close() {
        table.close();
        environment.close();
        settings.close();
    }
}
