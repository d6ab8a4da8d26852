package org.bloomgate.exact;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.bloomgate.key.KeyKind;

/// Makes the tables of a store from those of the store before and what [StoreChange] wrote. Whether they are what they
/// are to be, only their digests tell. Not thread-safe.
final class ChangedStore {
    /// Of a store of 8 million keys: each is of 256 MiB.
    static final int MAX_TABLES = 1000;

    private static final Pattern NAME = Pattern.compile("[0-9]{6,20}\\.sst");

    private final DataInputStream in;
    private final StoreCursor before;
    private final long maxOctets;
    private final long tableBytes;
    private final StoredListings read = new StoredListings();
    private ByteBuffer block = ByteBuffer.allocate(0);
    private byte[] added = new byte[0];
    private long octets;

    private ChangedStore(DataInputStream in, StoreCursor before, long maxOctets, long tableBytes) {
        this.tableBytes = tableBytes;
        this.in = in;
        this.before = before;
        this.maxOctets = maxOctets;
    }

    /// As [SortedStores#follow].
    static void write(Path change, SortedStore before, Path into, long maxOctets) throws IOException {
        write(change, before, into, maxOctets, RocksExactWriter.TABLE_BYTES);
    }

    static void write(Path change, SortedStore before, Path into, long maxOctets, long tableBytes) throws IOException {
        try (DataInputStream in = new DataInputStream(
                        new BufferedInputStream(new ZstdInputStream(Files.newInputStream(change))));
                StoreCursor cursor = before.cursor()) {
            new ChangedStore(in, cursor, maxOctets, tableBytes).write(before.feeds(), into);
        }
    }

    private void write(List<ListedFeed> feeds, Path into) throws IOException {
        fill();
        require(block.remaining() > Integer.BYTES && block.getInt() == StoreChange.MAGIC, "no change of a store");
        long version = number("version");
        require(version == StoreChange.VERSION, "a change of version " + version);
        FeedDictionary now = FeedDictionary.decode(octets("feeds", StoreChange.MAX_BLOCK_BYTES));
        ListingForecast forecast = new ListingForecast(feeds, now.feeds());
        try (RocksExactWriter writer = new RocksExactWriter(into, now.feeds(), tableBytes)) {
            StoreChange.Step step = step();
            while (step != StoreChange.Step.END) {
                follow(step, forecast, now, writer);
                step = step();
            }
            require(!before.next(), "leaves keys out");
            patch(writer.finishTables());
        }
    }

    private StoreChange.Step step() throws IOException {
        return StoreChange.Step.of(number("step"));
    }

    private void follow(StoreChange.Step step, ListingForecast forecast, FeedDictionary now, RocksExactWriter writer)
            throws IOException {
        switch (step) {
            case KEEP -> {
                for (long left = times(); left > 0; left--) {
                    move();
                    StoredListings expected = forecast.of(before.stored());
                    require(expected.size() > 0, "keeps what nobody lists");
                    put(before.octets(), before.end(), expected, writer);
                }
            }
            case DROP -> {
                for (long left = times(); left > 0; left--) {
                    move();
                }
            }
            case CHANGE -> {
                move();
                value(now);
                forecast.learn(before.stored(), read);
                put(before.octets(), before.end(), read, writer);
            }
            case ADD -> {
                key();
                value(now);
                put(added, added.length, read, writer);
            }
            case END -> {}
        }
    }

    /// Never none: each step is one of at most so many as there are keys.
    private long times() throws IOException {
        long times = number("times");
        require(times > 0, "a step that does nothing");
        return times;
    }

    private void move() throws IOException {
        require(before.next(), "is of a store with more keys");
    }

    private void key() throws IOException {
        long shared = number("octets shared");
        require(shared <= added.length, "shares more than there is");
        byte[] rest = octets("key", RocksExactWriter.MAX_KEY_BYTES + 1);
        byte[] key = Arrays.copyOf(added, (int) shared + rest.length);
        System.arraycopy(rest, 0, key, (int) shared, rest.length);
        require(key.length > 1 && key.length <= RocksExactWriter.MAX_KEY_BYTES + 1, "a key of " + key.length);
        added = key;
    }

    private void value(FeedDictionary now) throws IOException {
        read.decode(ByteBuffer.wrap(octets("value", StoreChange.MAX_BLOCK_BYTES)), now.size());
    }

    private void put(byte[] key, int end, StoredListings listings, RocksExactWriter writer) throws IOException {
        octets += end + listings.maxBytes();
        require(octets <= maxOctets, "comes to more than " + maxOctets + " octets");
        KeyKind kind = KeyKind.ofWireCode(key[0] & 0xff)
                .orElseThrow(() -> new MalformedStoreException("key of unknown kind " + (key[0] & 0xff)));
        writer.put(kind, key, 1, end, listings);
    }

    /// Gives the tables their names and last octets.
    private void patch(List<Path> tables) throws IOException {
        require(number("tables") == tables.size() && tables.size() <= MAX_TABLES, "is of other tables");
        for (Path table : tables) {
            String name = new String(octets("name", StoreChange.MAX_BLOCK_BYTES), US_ASCII);
            require(NAME.matcher(name).matches(), "no name of a table");
            long size = number("size");
            byte[] tail = octets("tail", StoreChange.TAIL_BYTES);
            require(tail.length <= size && size - tail.length <= Files.size(table), "is of other tables");
            try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
                channel.truncate(size);
                ByteBuffer last = ByteBuffer.wrap(tail);
                channel.position(size - tail.length);
                while (last.hasRemaining()) {
                    channel.write(last);
                }
            }
            Path _ = Files.move(table, table.resolveSibling(name));
        }
    }

    private long number(String what) throws IOException {
        fill();
        return Varint.get(block, what);
    }

    private byte[] octets(String what, int most) throws IOException {
        long length = number(what);
        require(length <= most && length <= block.remaining(), what + " of " + length + " octets");
        byte[] octets = new byte[(int) length];
        block.get(octets);
        return octets;
    }

    /// Steps do not go on in the next block.
    private void fill() throws IOException {
        while (!block.hasRemaining()) {
            int length = in.readInt();
            require(length > 0 && length <= StoreChange.MAX_BLOCK_BYTES, "a block of " + length);
            block = ByteBuffer.wrap(in.readNBytes(length));
            if (block.remaining() < length) {
                throw new EOFException("change of a store: ends too early");
            }
        }
    }

    private static void require(boolean holds, String otherwise) throws MalformedStoreException {
        if (!holds) {
            throw new MalformedStoreException("change of a store: " + otherwise);
        }
    }
}
