package org.bloomgate.lookup.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.bloomgate.lookup.store.ChangeReader.require;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.bloomgate.core.key.KeyKind;

/// Makes the tables of a store from those of an earlier store and a [StoreChange]. Only their digests show
/// whether they are right. Not thread-safe.
final class ChangedStore implements AutoCloseable {
    /// A store of 8 million keys; each table has 256 MiB.
    static final int MAX_TABLES = 1000;

    private static final Pattern NAME = Pattern.compile("[0-9]{6,20}\\.sst");

    private final List<ChangeReader> changes = new ArrayList<>();
    private final StoreCursor before;

    private ChangedStore(StoreCursor before) {
        this.before = before;
    }

    /// As [SortedStores#follow].
    static void write(List<Path> changes, SortedStore before, Path into, long maxBytes) throws IOException {
        write(changes, before, into, maxBytes, RocksExactWriter.TABLE_BYTES);
    }

    static void write(List<Path> changes, SortedStore before, Path into, long maxBytes, long tableBytes)
            throws IOException {
        require(!changes.isEmpty() && changes.size() <= SortedStores.MAX_CHANGES, changes.size() + " at once");
        try (ChangedStore changed = new ChangedStore(before.cursor())) {
            for (Path change : changes) {
                changed.changes.add(ChangeReader.open(change));
            }
            changed.write(before.dictionary(), into, maxBytes, tableBytes);
        }
    }

    private void write(FeedDictionary feeds, Path into, long maxBytes, long tableBytes) throws IOException {
        StoreCursor keys = before;
        FeedDictionary dictionary = feeds;
        for (ChangeReader change : changes) {
            ChangedKeys changed = new ChangedKeys(change, keys, dictionary, maxBytes);
            keys = changed;
            dictionary = changed.dictionary();
        }
        try (RocksExactWriter writer = new RocksExactWriter(into, dictionary.feeds(), tableBytes)) {
            while (keys.next()) {
                int code = keys.kindCode();
                KeyKind kind = KeyKind.ofWireCode(code)
                        .orElseThrow(() -> new MalformedStoreException("key of unknown kind " + code));
                writer.put(kind, keys.bytes(), 1, keys.end(), keys.stored());
            }
            patch(writer.finishTables(), changes.getLast());
        }
    }

    /// Gives the tables their names and last bytes.
    private static void patch(List<Path> tables, ChangeReader change) throws IOException {
        require(change.number("tables") == tables.size() && tables.size() <= MAX_TABLES, "is of other tables");
        for (Path table : tables) {
            String name = new String(change.bytes("name", StoreChange.MAX_BLOCK_BYTES), US_ASCII);
            require(NAME.matcher(name).matches(), "no name of a table");
            long size = change.number("size");
            byte[] tail = change.bytes("tail", StoreChange.TAIL_BYTES);
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

    @Override
    public void close() throws IOException {
        before.close();
        for (ChangeReader change : changes) {
            change.close();
        }
    }
}
