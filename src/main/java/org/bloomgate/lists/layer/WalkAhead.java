package org.bloomgate.lists.layer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.store.StoredListings;

/// Walks a store on a thread of its own: one batch of keys is read while the previous one is used. Used by one
/// thread.
final class WalkAhead implements AutoCloseable {
    private final StoreCursor cursor;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(BackgroundTask.createThreadFactory("walk"));
    private ListingBatch batch = new ListingBatch();
    private ListingBatch otherBatch = new ListingBatch();
    private Optional<Future<Boolean>> reading;
    private Optional<IOException> fault = Optional.empty();
    private int position = -1;

    /// @param cursor is closed with this
    WalkAhead(StoreCursor cursor) {
        this.cursor = cursor;
        reading = beginReading();
    }

    private Optional<Future<Boolean>> beginReading() {
        ListingBatch empty = otherBatch;
        empty.clear();
        return Optional.of(thread.submit(() -> read(empty)));
    }

    /// Fills a batch; false after the last key.
    private boolean read(ListingBatch target) throws IOException {
        while (!target.isFull()) {
            if (!cursor.next()) {
                return false;
            }
            target.add(cursor.bytes(), cursor.end(), cursor.stored());
        }
        return true;
    }

    /// Moves to the next key; false after the last one.
    ///
    /// @throws IOException after the last readable key, if the rest of the store cannot be read
    boolean next() throws IOException {
        while (position + 1 == batch.size()) {
            if (fault.isPresent()) {
                throw fault.get();
            }
            if (reading.isEmpty()) {
                return false;
            }
            swapBatches();
        }
        position++;
        return true;
    }

    private void swapBatches() throws IOException {
        boolean hasMore = awaitBatch(reading.orElseThrow());
        ListingBatch filledBatch = otherBatch;
        otherBatch = batch;
        batch = filledBatch;
        position = -1;
        reading = hasMore ? beginReading() : Optional.empty();
    }

    /// Whether more keys follow the batch.
    private boolean awaitBatch(Future<Boolean> task) throws IOException {
        try {
            return TaskResult.await(task, "the previous store was read");
        } catch (InterruptedIOException ended) {
            throw ended;
        } catch (IOException broken) {
            fault = Optional.of(broken);
            return false;
        }
    }

    /// Compares the key with that of a sort, in the order of both.
    int compareTo(KeyCursor key) {
        return Arrays.compareUnsigned(
                batch.bytes(), batch.from(position) - 1, batch.to(position), key.bytes(), 0, key.end());
    }

    int kindCode() {
        return batch.kindCode(position);
    }

    /// The buffer that holds the bytes of the key between [#from] and [#to], until the next one.
    byte[] bytes() {
        return batch.bytes();
    }

    int from() {
        return batch.from(position);
    }

    int to() {
        return batch.to(position);
    }

    /// The listings of the key, until the next one.
    StoredListings listings() {
        return batch.listings(position);
    }

    /// Waits for the batch that is being read.
    @Override
    public void close() {
        thread.close();
        cursor.close();
    }
}
