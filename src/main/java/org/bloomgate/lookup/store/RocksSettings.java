package org.bloomgate.lookup.store;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.util.StdErrLogger;

/// The settings with which writer and reader open RocksDB. The native objects are closed together.
///
/// - A whole-key filter of 10 bits a key inside the tables answers the common question, a false positive of the first
///   tier, without reading a block.
/// - LZ4 more than halves text keys; a lookup decompresses one block of 4 KiB.
/// - No block cache: the page cache of the system is the cache. All tables are opened at once, and their
///   filters and indexes stay in native memory: 1.7 bytes a key.
/// - No log file: RocksDB would write one even when it only reads, into a directory that must not change.
final class RocksSettings implements AutoCloseable {
    private static final double FILTER_BITS_PER_KEY = 10;

    /// The last format whose block checksums depend on the blocks alone: later ones mix in a random number, and
    /// equal keys must give equal files.
    private static final int FORMAT_VERSION = 5;

    static {
        RocksDB.loadLibrary();
    }

    private final BloomFilter filter = new BloomFilter(FILTER_BITS_PER_KEY, false);
    private final StdErrLogger silent = new StdErrLogger(InfoLogLevel.FATAL_LEVEL);
    private final Options options;

    RocksSettings() {
        BlockBasedTableConfig table = new BlockBasedTableConfig();
        table.setFilterPolicy(filter);
        table.setWholeKeyFiltering(true);
        table.setNoBlockCache(true);
        table.setFormatVersion(FORMAT_VERSION);
        options = new Options();
        options.setTableFormatConfig(table);
        options.setCompressionType(CompressionType.LZ4_COMPRESSION);
        options.setLogger(silent);
        options.setMaxOpenFiles(-1);
        options.setSkipStatsUpdateOnDbOpen(true);
    }

    Options options() {
        return options;
    }

    @Override
    public void close() {
        options.close();
        silent.close();
        filter.close();
    }
}
