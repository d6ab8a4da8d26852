package org.bloomgate.lookup.redis;

import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.store.MalformedStoreException;
import org.bloomgate.lookup.store.StoreKey;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.UnknownReason;

/// One generation of one layer as [RedisPublisher] wrote it. Thread-safe.
///
/// Each key is one command, which returns its field and the marker of its bucket. All commands are sent at once and
/// have one deadline. The answer counts only if the marker names this generation, and "not listed" only if the bucket
/// has as many fields as the marker says: a server that lost data is [UnknownReason#NO_DATA].
public final class RedisExactLookup implements ExactLookup {
    /// The number of copies of a generation's header.
    public static final int HEADER_COPIES = GenerationNames.HEADER_COPIES;

    private static final byte[] NONE = {};

    private final RedisConnection connection;
    private final GenerationNames names;
    private final long entries;

    /// Read once and cached; calls run concurrently.
    private volatile Optional<GenerationHeader> header = Optional.empty();

    private volatile boolean closed;

    /// @param connection shared by all layers, and not closed with this
    /// @param generation of the filter
    /// @param entries in the exact store of the generation: keys of its filters, and networks
    public RedisExactLookup(RedisConnection connection, String layer, String generation, long entries) {
        this.connection = connection;
        this.names = new GenerationNames(connection.prefix(), layer, generation);
        this.entries = entries;
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Optional<RedisClusterAsyncCommands<byte[], byte[]>> commands = connection.commands();
        if (closed || connection.isClosed()) {
            return all(keys, UnknownReason.CLOSED);
        }
        if (commands.isEmpty()) {
            return all(keys, UnknownReason.UNREACHABLE);
        }
        if (header.isEmpty()) {
            Optional<UnknownReason> refusal = readHeader(commands.get(), deadline);
            if (refusal.isPresent()) {
                return all(keys, refusal.get());
            }
        }
        return query(keys, commands.get(), header.orElseThrow(), deadline);
    }

    private static List<ExactAnswer> all(List<Key> keys, UnknownReason reason) {
        return Collections.nCopies(keys.size(), reason.answer());
    }

    /// Sets the header from the first complete copy of this generation; otherwise returns the reason why there is none.
    private Optional<UnknownReason> readHeader(RedisClusterAsyncCommands<byte[], byte[]> commands, long deadline) {
        UnknownReason refusal = UnknownReason.NO_DATA;
        for (Pending<byte[]> copy : copies(commands)) {
            try {
                byte[] bytes = copy.await(deadline);
                if (bytes != null) {
                    Optional<GenerationHeader> read =
                            GenerationHeader.decode(bytes).filter(whole -> whole.entries() == entries);
                    if (read.isPresent()) {
                        header = read;
                        return Optional.empty();
                    }
                    refusal = UnknownReason.BAD_ANSWER;
                }
            } catch (ExecutionException | TimeoutException e) {
                refusal = RedisFault.reason(e);
            }
        }
        return Optional.of(refusal);
    }

    private List<ExactAnswer> query(
            List<Key> keys,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            GenerationHeader generation,
            long deadline) {
        List<Optional<BucketQuery>> queries = keys.stream()
                .map(key -> field(key).map(field -> {
                    int bucket = field.bucket(generation.buckets());
                    byte[] name = names.bucket(bucket);
                    return new BucketQuery(
                            bucket, Pending.to(() -> commands.hmget(name, BucketField.MARKER, field.bytes())));
                }))
                .toList();
        List<Supplier<ExactAnswer>> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < queries.size(); i++) {
            Key key = keys.get(i);
            answers.add(queries.get(i)
                    .map(query -> answer(key, query, commands, generation, deadline))
                    .orElse(UnknownReason.BAD_ANSWER::answer));
        }
        return answers.stream().map(Supplier::get).toList();
    }

    /// The command about one key.
    private record BucketQuery(int bucket, Pending<List<KeyValue<byte[], byte[]>>> reply) {}

    /// Empty if the key is not a valid digest.
    private static Optional<BucketField> field(Key key) {
        try {
            return Optional.of(BucketField.of(StoreKey.of(key)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// If a field is absent, its bucket is counted as well; all counts are awaited together.
    private Supplier<ExactAnswer> answer(
            Key key,
            BucketQuery query,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            GenerationHeader generation,
            long deadline) {
        try {
            List<KeyValue<byte[], byte[]>> values = query.reply().await(deadline);
            if (values == null || values.size() != 2) {
                return UnknownReason.BAD_ANSWER::answer;
            }
            OptionalInt fields = names.fields(values.get(0).getValueOrElse(NONE));
            if (fields.isEmpty()) {
                return UnknownReason.NO_DATA::answer;
            }
            if (!values.get(1).hasValue()) {
                Pending<Long> fieldCount = Pending.to(() -> commands.hlen(names.bucket(query.bucket())));
                return () -> absent(fieldCount, fields.getAsInt(), deadline);
            }
            ExactAnswer listed = new ExactAnswer.Listed(
                    generation.feeds().decodeListings(key, values.get(1).getValueOrElse(NONE)));
            return () -> listed;
        } catch (MalformedStoreException e) {
            return UnknownReason.BAD_ANSWER::answer;
        } catch (ExecutionException | TimeoutException e) {
            return RedisFault.reason(e)::answer;
        }
    }

    /// @param fields number of fields in the marker, without the marker itself
    private static ExactAnswer absent(Pending<Long> fieldCount, int fields, long deadline) {
        try {
            Long count = fieldCount.await(deadline);
            boolean whole = fields == GenerationNames.UNCOUNTED || (count != null && count == fields + 1L);
            return whole ? new ExactAnswer.NotListed() : UnknownReason.NO_DATA.answer();
        } catch (ExecutionException | TimeoutException e) {
            return RedisFault.reason(e).answer();
        }
    }

    /// The copies of the header that servers report as missing; if it is [GenerationNames#HEADER_COPIES],
    /// everything is lost. Unreachable servers do not count.
    public int lostCopies(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Optional<RedisClusterAsyncCommands<byte[], byte[]>> commands = connection.commands();
        if (closed || commands.isEmpty()) {
            return 0;
        }
        int lost = 0;
        for (Pending<byte[]> copy : copies(commands.get())) {
            try {
                lost += copy.await(deadline) == null ? 1 : 0;
            } catch (ExecutionException | TimeoutException e) {
                // counted by the guard at each lookup
                return 0;
            }
        }
        return lost;
    }

    private List<Pending<byte[]>> copies(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        List<Pending<byte[]>> copies = new ArrayList<>();
        for (int copy = 0; copy < GenerationNames.HEADER_COPIES; copy++) {
            byte[] name = names.header(copy);
            copies.add(Pending.to(() -> commands.get(name)));
        }
        return copies;
    }

    /// Commands in progress end by themselves.
    @Override
    public void close() {
        closed = true;
    }
}
