package org.bloomgate.lists.layer;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.StoreWriter;
import org.bloomgate.lookup.store.StoredListings;

/// Writes the exact store on a thread of its own: one batch of keys while the next one is collected. A failure
/// there is thrown by the next call. Used by one thread.
final class StoreThread implements AutoCloseable {
    private final StoreWriter store;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(BackgroundTask.createThreadFactory("store"));
    private ListingBatch batch = new ListingBatch();
    private ListingBatch otherBatch = new ListingBatch();
    private Optional<Future<?>> pendingWrite = Optional.empty();

    /// The kind of the last key written.
    private KeyKind kind = KeyKind.DOMAIN;

    /// @param store is closed with this
    StoreThread(StoreWriter store) {
        this.store = store;
    }

    void put(KeyCursor key, StoredListings stored) throws IOException {
        batch.add(key.bytes(), key.end(), stored);
        if (batch.isFull()) {
            handOver();
        }
    }

    private void handOver() throws IOException {
        await();
        ListingBatch fullBatch = batch;
        batch = otherBatch;
        otherBatch = fullBatch;
        batch.clear();
        begin(() -> write(fullBatch));
    }

    private void begin(WriteTask work) {
        pendingWrite = Optional.of(thread.submit(work.asCallable()));
    }

    private void write(ListingBatch keys) throws IOException {
        byte[] bytes = keys.bytes();
        for (int i = 0; i < keys.size(); i++) {
            int code = keys.kindCode(i);
            if (i == 0 || code != kind.wireCode()) {
                kind = KeyKind.ofWireCode(code).orElseThrow();
            }
            if (keys.hasSameListings(i)) {
                store.put(kind, bytes, keys.from(i), keys.to(i));
            } else {
                store.put(kind, bytes, keys.from(i), keys.to(i), keys.listings(i));
            }
        }
    }

    private void await() throws IOException {
        if (pendingWrite.isPresent()) {
            Future<?> task = pendingWrite.get();
            pendingWrite = Optional.empty();
            Object _ = TaskResult.await(task, "the exact store was written");
        }
    }

    /// Begins to write the rest; the store is complete after [#awaitFinish].
    void finish() throws IOException {
        handOver();
        await();
        begin(store::finish);
    }

    void awaitFinish() throws IOException {
        await();
    }

    /// Waits for the batch that is being written.
    @Override
    public void close() {
        thread.close();
        store.close();
    }
}
