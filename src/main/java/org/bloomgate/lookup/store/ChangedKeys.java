package org.bloomgate.lookup.store;

import static org.bloomgate.lookup.store.ChangeReader.require;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.bloomgate.lookup.store.StoreChange.Step;

/// Walks the keys of a store as they are after a change that [StoreChange] wrote. The next change may begin at these.
/// Not thread-safe.
final class ChangedKeys implements StoreCursor {
    private final ChangeReader change;
    private final StoreCursor before;
    private final FeedDictionary dictionary;
    private final ListingForecast forecast;
    private final long maxBytes;
    private final StoredListings read = new StoredListings();
    private Step step = Step.KEEP;
    private long left;
    private byte[] added = new byte[0];
    private byte[] key = added;
    private int end;
    private StoredListings stored = read;
    private long bytes;

    /// @param change behind its version
    /// @param before the keys that it begins at, closed by their owner
    /// @param feeds of those
    /// @param maxBytes bound of all keys and values after the change
    ChangedKeys(ChangeReader change, StoreCursor before, FeedDictionary feeds, long maxBytes) throws IOException {
        this.change = change;
        this.before = before;
        this.maxBytes = maxBytes;
        dictionary = FeedDictionary.decode(change.bytes("feeds", StoreChange.MAX_BLOCK_BYTES));
        forecast = new ListingForecast(feeds.feeds(), dictionary.feeds());
    }

    /// The feeds of the store that the change leads to.
    FeedDictionary dictionary() {
        return dictionary;
    }

    @Override
    public boolean next() throws IOException {
        while (true) {
            if (left == 0) {
                begin(Step.of(change.number("step")));
            }
            if (step == Step.END) {
                require(!before.next(), "leaves keys out");
                return false;
            }
            left--;
            if (follow()) {
                bytes += end + stored.maxBytes();
                require(bytes <= maxBytes, "comes to more than " + maxBytes + " bytes");
                return true;
            }
        }
    }

    /// Keys are kept and dropped by number, at least one at a time: each step is one of at most this many as
    /// there are.
    private void begin(Step next) throws IOException {
        step = next;
        left = switch (step) {
            case KEEP, DROP -> change.number("times");
            case CHANGE, ADD -> 1;
            case END -> 0;
        };
        require(left > 0 || step == Step.END, "a step that does nothing");
    }

    /// Whether there is a key then.
    private boolean follow() throws IOException {
        switch (step) {
            case KEEP -> {
                move();
                stored = forecast.of(before.stored());
                require(stored.size() > 0, "keeps what nobody lists");
            }
            case CHANGE -> {
                move();
                readValue();
                forecast.learn(before.stored(), read);
            }
            case ADD -> {
                readKey();
                readValue();
            }
            case DROP -> move();
            case END -> throw new IllegalStateException("no key follows");
        }
        return step != Step.DROP;
    }

    private void move() throws IOException {
        require(before.next(), "is of a store with more keys");
        key = before.bytes();
        end = before.end();
    }

    private void readKey() throws IOException {
        long shared = change.number("bytes shared");
        require(shared <= added.length, "shares more than there is");
        byte[] rest = change.bytes("key", RocksExactWriter.MAX_KEY_BYTES + 1);
        byte[] whole = Arrays.copyOf(added, (int) shared + rest.length);
        System.arraycopy(rest, 0, whole, (int) shared, rest.length);
        require(whole.length > 1 && whole.length <= RocksExactWriter.MAX_KEY_BYTES + 1, "a key of " + whole.length);
        added = whole;
        key = whole;
        end = whole.length;
    }

    private void readValue() throws IOException {
        read.decode(ByteBuffer.wrap(change.bytes("value", StoreChange.MAX_BLOCK_BYTES)), dictionary.size());
        stored = read;
    }

    @Override
    public byte[] bytes() {
        return key;
    }

    @Override
    public int end() {
        return end;
    }

    @Override
    public StoredListings stored() {
        return stored;
    }

    @Override
    public byte[] value() {
        ByteBuffer value = ByteBuffer.allocate(stored.maxBytes());
        stored.encode(value);
        return Arrays.copyOf(value.array(), value.position());
    }

    @Override
    public void close() {
        // who opened the change and the store closes them
    }
}
