package org.bloomgate.redis;

import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.bloomgate.exact.MalformedStoreException;
import org.bloomgate.exact.StoreKey;
import org.bloomgate.key.Key;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.ExactLookup;
import org.bloomgate.lookup.UnknownReason;

/// One generation of one layer as [RedisPublisher] wrote it. Thread-safe.
///
/// Every key is one command that brings its field and the marker of its bucket; all are sent at once and waited for
/// until the same instant. A field makes a key listed and its absence "not listed" only where the marker names this
/// generation: a server that lost its data, or has but part of it, is [UnknownReason#NO_DATA].
public final class RedisExactLookup implements ExactLookup {
    private static final byte[] NONE = {};

    private final RedisConnection connection;
    private final GenerationNames names;
    private final byte[] marker;
    private final long entries;

    /// Once there, it stays: calls run side by side.
    private volatile Optional<GenerationHeader> header = Optional.empty();

    private volatile boolean closed;

    /// @param connection shared by all layers, and not closed with this
    /// @param generation of the filter that asks
    /// @param entries that the manifest of the generation counts
    public RedisExactLookup(RedisConnection connection, String layer, String generation, long entries) {
        this.connection = connection;
        this.names = new GenerationNames(connection.prefix(), layer, generation);
        this.marker = GenerationNames.octets(generation);
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
        return ask(keys, commands.get(), header.orElseThrow(), deadline);
    }

    private static List<ExactAnswer> all(List<Key> keys, UnknownReason reason) {
        return Collections.nCopies(keys.size(), reason.answer());
    }

    /// Takes the first copy that is whole and of the right generation; says why there is none.
    private Optional<UnknownReason> readHeader(RedisClusterAsyncCommands<byte[], byte[]> commands, long deadline) {
        List<Pending<byte[]>> copies = new ArrayList<>();
        for (int copy = 0; copy < GenerationNames.HEADER_COPIES; copy++) {
            byte[] name = names.header(copy);
            copies.add(Pending.to(() -> commands.get(name)));
        }
        UnknownReason refusal = UnknownReason.NO_DATA;
        for (Pending<byte[]> copy : copies) {
            try {
                byte[] octets = copy.await(deadline);
                if (octets != null) {
                    Optional<GenerationHeader> read =
                            GenerationHeader.decode(octets).filter(whole -> whole.entries() == entries);
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

    private List<ExactAnswer> ask(
            List<Key> keys,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            GenerationHeader generation,
            long deadline) {
        List<Optional<Pending<List<KeyValue<byte[], byte[]>>>>> replies = keys.stream()
                .map(key -> field(key)
                        .map(field -> Pending.to(() -> commands.hmget(
                                names.bucket(field.bucket(generation.buckets())), BucketField.MARKER, field.octets()))))
                .toList();
        List<ExactAnswer> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < replies.size(); i++) {
            Key key = keys.get(i);
            answers.add(replies.get(i)
                    .map(reply -> answer(key, reply, generation, deadline))
                    .orElse(UnknownReason.BAD_ANSWER.answer()));
        }
        return answers;
    }

    /// Empty for a digest that is none.
    private static Optional<BucketField> field(Key key) {
        try {
            return Optional.of(BucketField.of(StoreKey.of(key)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private ExactAnswer answer(
            Key key, Pending<List<KeyValue<byte[], byte[]>>> reply, GenerationHeader generation, long deadline) {
        try {
            List<KeyValue<byte[], byte[]>> values = reply.await(deadline);
            if (values == null || values.size() != 2) {
                return UnknownReason.BAD_ANSWER.answer();
            }
            if (!Arrays.equals(values.get(0).getValueOrElse(NONE), marker)) {
                return UnknownReason.NO_DATA.answer();
            }
            byte[] listings = values.get(1).getValueOrElse(NONE);
            return values.get(1).hasValue()
                    ? new ExactAnswer.Listed(generation.feeds().listings(key, listings))
                    : new ExactAnswer.NotListed();
        } catch (MalformedStoreException e) {
            return UnknownReason.BAD_ANSWER.answer();
        } catch (ExecutionException | TimeoutException e) {
            return RedisFault.reason(e).answer();
        }
    }

    /// What is under way ends by itself.
    @Override
    public void close() {
        closed = true;
    }
}
