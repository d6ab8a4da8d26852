package org.bloomgate.lookup.redis;

import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreCursor;
import org.jspecify.annotations.Nullable;

/// Writes one generation: fields first, then the marker of each bucket that has them all. Used once, by one thread.
///
/// Memory: four bytes a bucket, one pending batch of entries and one [CommandWindow].
final class GenerationWriter {
    /// A generation that is not finished goes by itself after this: long enough to write a thousand million entries.
    static final Duration WHILE_WRITING = Duration.ofHours(6);

    /// A finished one stays so long when nothing takes its place. Messages are tagged for its age long before.
    static final Duration FINISHED = Duration.ofDays(90);

    private static final byte[] NONE = {};
    private static final int PENDING_ENTRIES = 1 << 17;

    /// Lua takes some thousands of arguments.
    private static final int FIELDS_A_COMMAND = 256;

    private static final int SAMPLE = 1_000;
    private static final int TICK = 1 << 12;

    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final BucketScripts scripts;
    private final GenerationNames names;
    private final ExactPublisher.Built built;
    private final ExactPublisher.Progress progress;
    private final CommandWindow window;
    private final int[] fields;
    private final Map<Integer, List<byte[]>> pending = new HashMap<>();
    private final List<Sampled> sample = new ArrayList<>();
    private long entries;

    /// @param timeout of each command
    GenerationWriter(
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            GenerationNames names,
            ExactPublisher.Built built,
            ExactPublisher.Progress progress,
            Duration timeout) {
        this.commands = commands;
        this.scripts = new BucketScripts(commands);
        this.names = names;
        this.built = built;
        this.progress = progress;
        this.window = new CommandWindow(timeout);
        this.fields = new int[BucketField.buckets(built.entries())];
    }

    private record Sampled(BucketField field, ByteBuffer value) {}

    /// @throws IOException if a server did not accept or keep everything: the generation must not be used
    void write(SortedStore store) throws IOException {
        publish();
        writeHeader(store, WHILE_WRITING);
        writeFields(store);
        markBuckets();
        writeHeader(store, FINISHED);
        readSample();
        makeCurrent();
    }

    /// So that the next publisher finds what this one leaves behind when it is killed.
    private void publish() throws IOException {
        List<byte[]> entry = List.of(
                GenerationNames.bytes(built.generation()), GenerationNames.bytes(Integer.toString(fields.length)));
        window.send(() -> scripts.put(names.generations(), FINISHED, entry));
        window.drain();
    }

    private void writeHeader(SortedStore store, Duration expiry) throws IOException {
        byte[] header = new GenerationHeader(fields.length, built.entries(), store.dictionary()).encode();
        for (int copy = 0; copy < GenerationNames.HEADER_COPIES; copy++) {
            byte[] name = names.header(copy);
            window.send(() -> commands.set(name, header, SetArgs.Builder.ex(expiry)));
        }
        window.drain();
    }

    private void writeFields(SortedStore store) throws IOException {
        long stride = Math.max(1, built.entries() / SAMPLE);
        try (StoreCursor cursor = store.openCursor()) {
            while (cursor.next()) {
                BucketField field = BucketField.of(cursor.storeKey());
                byte[] value = cursor.value();
                add(field, value);
                if (entries % stride == 0) {
                    sample.add(new Sampled(field, ByteBuffer.wrap(value)));
                }
                if (++entries % PENDING_ENTRIES == 0) {
                    flush();
                }
                if (entries % TICK == 0) {
                    progress.advance(entries, built.entries());
                }
            }
        }
        flush();
        window.drain();
        if (entries != built.entries()) {
            throw new IOException("the exact store holds " + entries + " entries, not " + built.entries());
        }
    }

    private void add(BucketField field, byte[] value) throws IOException {
        int bucket = field.bucket(fields.length);
        fields[bucket]++;
        List<byte[]> here = pending.computeIfAbsent(bucket, none -> new ArrayList<>());
        here.add(field.bytes());
        here.add(value);
        if (here.size() == 2 * FIELDS_A_COMMAND) {
            pending.remove(bucket);
            put(bucket, here);
        }
    }

    private void flush() throws IOException {
        for (Map.Entry<Integer, List<byte[]>> bucket : pending.entrySet()) {
            put(bucket.getKey(), bucket.getValue());
        }
        pending.clear();
    }

    private void put(int bucket, List<byte[]> here) throws IOException {
        byte[] name = names.bucket(bucket);
        window.send(() -> scripts.put(name, WHILE_WRITING, here));
    }

    private void markBuckets() throws IOException {
        for (int bucket = 0; bucket < fields.length; bucket++) {
            byte[] name = names.bucket(bucket);
            int expected = fields[bucket];
            window.send(
                    () -> scripts.mark(name, FINISHED, names.marker(expected), expected),
                    there -> requireFields(name, expected, there));
            if (bucket % TICK == 0) {
                progress.advance(entries, built.entries());
            }
        }
        window.drain();
    }

    private static void requireFields(byte[] bucket, int expected, @Nullable Long there) throws IOException {
        if (there == null || there != expected) {
            throw new IOException(GenerationNames.text(bucket) + " holds " + there + " of " + expected
                    + " entries that were written");
        }
    }

    /// Reads evenly spread entries as a gateway does.
    private void readSample() throws IOException {
        for (Sampled sampled : sample) {
            int bucket = sampled.field().bucket(fields.length);
            byte[] name = names.bucket(bucket);
            byte[] marker = names.marker(fields[bucket]);
            window.send(
                    () -> commands.hmget(
                            name, BucketField.MARKER, sampled.field().bytes()),
                    values -> {
                        boolean asWritten = values != null
                                && Arrays.equals(values.get(0).getValueOrElse(NONE), marker)
                                && sampled.value()
                                        .equals(ByteBuffer.wrap(values.get(1).getValueOrElse(NONE)));
                        if (!asWritten) {
                            throw new IOException(GenerationNames.text(name) + " does not give back what was written");
                        }
                    });
        }
        window.drain();
    }

    private void makeCurrent() throws IOException {
        byte[] generation = GenerationNames.bytes(built.generation());
        window.send(() -> commands.set(names.current(), generation, SetArgs.Builder.ex(FINISHED)));
        window.drain();
    }
}
