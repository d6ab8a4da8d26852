package org.bloomgate.lookup.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Writes the changes of a store's entries since an earlier one, for a client that has the earlier one and
/// needs this one, byte by byte: [ChangedStore] reads them.
///
/// One zstd stream of blocks, each its length in 4 bytes, big end first, and numbers as [Varint]s:
///
/// ```
///   "BGSC", version 1, the FeedDictionary of the new store
///   steps, until End:
///     Keep N          so many keys stay, with the listings that ListingForecast expects
///     Drop N          so many keys are gone
///     Change VALUE    the key stays with other listings than expected
///     Add KEY VALUE   a key comes: the bytes it shares with the one added before, and the rest
///   for each table of the new store: name, size, and its last bytes
/// ```
///
/// The last bytes of a table hold what RocksDB draws at random, its properties; all before them follows from the
/// entries. Not thread-safe.
public final class StoreChange implements AutoCloseable {
    static final int MAGIC = 0x42475343;
    static final int VERSION = 1;

    /// Properties, their index and the footer take about a thousand; the name of a host may be 255 of them.
    static final int TAIL_BYTES = 4096;

    static final int MAX_BLOCK_BYTES = 4 << 20;

    private static final int FULL_BLOCK_BYTES = 1 << 20;
    private static final int ZSTD_LEVEL = 9;

    private final ListingForecast forecast;
    private final DataOutputStream out;
    private final ByteBuffer block = ByteBuffer.allocate(MAX_BLOCK_BYTES);
    private byte[] added = new byte[0];
    private Step pending = Step.KEEP;
    private long times;

    /// The steps for the keys of the previous store, in their order.
    enum Step {
        END,
        KEEP,
        DROP,
        CHANGE,
        ADD;

        static Step of(long code) throws MalformedStoreException {
            return switch ((int) Math.min(code, Integer.MAX_VALUE)) {
                case 0 -> END;
                case 1 -> KEEP;
                case 2 -> DROP;
                case 3 -> CHANGE;
                case 4 -> ADD;
                default -> throw new MalformedStoreException("a step of kind " + code);
            };
        }

        long code() {
            return switch (this) {
                case END -> 0;
                case KEEP -> 1;
                case DROP -> 2;
                case CHANGE -> 3;
                case ADD -> 4;
            };
        }
    }

    private StoreChange(ListingForecast forecast, List<ListedFeed> now, DataOutputStream out) {
        this.forecast = forecast;
        this.out = out;
        block.putInt(MAGIC);
        Varint.put(block, VERSION);
        putBytes(new FeedDictionary(now).encode());
    }

    /// Begins the change that leads from a store to the one that is written now.
    ///
    /// @param file that is made
    /// @param before the feeds of the store before
    /// @param now the feeds of the new store
    public static StoreChange begin(Path file, List<ListedFeed> before, List<ListedFeed> now) throws IOException {
        return new StoreChange(new ListingForecast(before, now), now, zstd(file));
    }

    private static DataOutputStream zstd(Path file) throws IOException {
        return new DataOutputStream(
                new BufferedOutputStream(new ZstdOutputStream(Files.newOutputStream(file), ZSTD_LEVEL)));
    }

    /// The next keys of the store before are not in the new one.
    public void gone(long keys) throws IOException {
        if (keys > 0) {
            count(Step.DROP, keys);
        }
    }

    /// The next key of the store before is in the new one too.
    ///
    /// @param before its listings there
    /// @param now its listings here
    public void stays(StoredListings before, StoredListings now) throws IOException {
        if (forecast.of(before).isSameAs(now)) {
            count(Step.KEEP, 1);
        } else {
            forecast.learn(before, now);
            step(Step.CHANGE);
            putValue(now);
        }
    }

    /// A key comes that the store before does not hold.
    public void comes(int kindCode, byte[] bytes, int from, int to, StoredListings listings) throws IOException {
        byte[] key = new byte[to - from + 1];
        key[0] = (byte) kindCode;
        System.arraycopy(bytes, from, key, 1, to - from);
        int mismatch = Arrays.mismatch(added, key);
        int shared = mismatch < 0 ? key.length : mismatch;
        step(Step.ADD);
        Varint.put(block, shared);
        putBytes(Arrays.copyOfRange(key, shared, key.length));
        putValue(listings);
        added = key;
    }

    private void count(Step step, long more) throws IOException {
        if (step != pending) {
            flushCount();
            pending = step;
        }
        times += more;
    }

    private void flushCount() throws IOException {
        if (times > 0) {
            room();
            Varint.put(block, pending.code());
            Varint.put(block, times);
            times = 0;
        }
    }

    private void step(Step step) throws IOException {
        flushCount();
        room();
        Varint.put(block, step.code());
    }

    private void room() throws IOException {
        if (block.position() > FULL_BLOCK_BYTES) {
            writeBlock();
        }
    }

    private void writeBlock() throws IOException {
        out.writeInt(block.position());
        out.write(block.array(), 0, block.position());
        block.clear();
    }

    private void putValue(StoredListings listings) {
        ByteBuffer value = ByteBuffer.allocate(listings.maxBytes());
        listings.encode(value);
        putBytes(Arrays.copyOf(value.array(), value.position()));
    }

    private void putBytes(byte[] bytes) {
        Varint.put(block, bytes.length);
        block.put(bytes);
    }

    /// After the last key of both stores.
    ///
    /// @param directory of the new store, which is finished
    public void finish(Path directory) throws IOException {
        step(Step.END);
        writeBlock();
        List<Path> tables = tables(directory);
        Varint.put(block, tables.size());
        for (Path table : tables) {
            putBytes(table.getFileName().toString().getBytes(US_ASCII));
            Varint.put(block, Files.size(table));
            putBytes(tail(table));
        }
        writeBlock();
        out.close();
    }

    /// In the order of their keys, which is that of their numbers.
    private static List<Path> tables(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(RocksExactWriter.TABLE))
                    .sorted()
                    .toList();
        }
    }

    private static byte[] tail(Path table) throws IOException {
        try (var channel = Files.newByteChannel(table)) {
            channel.position(Math.max(0, channel.size() - TAIL_BYTES));
            return Channels.newInputStream(channel).readNBytes(TAIL_BYTES);
        }
    }

    /// An unfinished file stays as it is, for the caller to delete.
    @Override
    public void close() throws IOException {
        out.close();
    }
}
