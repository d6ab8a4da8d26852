package org.bloomgate.lookup.redis;

import io.lettuce.core.ReadFrom;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.SortedStore;

/// Writes the exact store of a snapshot to Redis, as a new generation next to those in use.
///
/// ```
///   announce -> header -> fields -> markers, each where all fields are -> sample read back -> current
///   once the snapshot is current: all other generations expire after an hour
/// ```
///
/// A kill at any instant does not affect gateways: they use another generation. All its remains have an expiry,
/// which the next publisher shortens to the retention. The last generation of a layer that is no longer
/// published expires after 90 days.
///
/// The user of an access control list needs hash, key, string and scripting commands on `PREFIX:*`; a gateway's
/// HMGET, GET and EXISTS.
public final class RedisPublisher implements ExactPublisher {
    private final RedisOptions options;

    public RedisPublisher(RedisOptions options) {
        this.options = options;
    }

    @Override
    public void publish(Built built, Progress progress) throws IOException {
        GenerationNames names = new GenerationNames(options.prefix(), built.layer(), built.generation());
        try (RedisLink link = RedisLink.connect(options, ReadFrom.UPSTREAM);
                SortedStore store = SortedStore.open(built.directory())) {
            new GenerationWriter(link.commands(), names, built, progress, options.timeout()).write(store);
        } catch (IOException e) {
            throw new IOException(
                    "exact.redis: " + built.layer() + "/" + built.generation() + " is not published: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void retireOthers(String layer, String generation) throws IOException {
        GenerationNames names = new GenerationNames(options.prefix(), layer, generation);
        try (RedisLink link = RedisLink.connect(options, ReadFrom.UPSTREAM)) {
            Map<String, Integer> others = generations(link.commands(), names);
            others.remove(generation);
            for (Map.Entry<String, Integer> other : others.entrySet()) {
                retire(link.commands(), names.withGeneration(other.getKey()), other.getValue());
            }
        }
    }

    /// All that were ever begun and not retired, with the number of their buckets.
    private Map<String, Integer> generations(RedisClusterAsyncCommands<byte[], byte[]> commands, GenerationNames names)
            throws IOException {
        Map<String, Integer> generations = new TreeMap<>();
        CommandWindow window = new CommandWindow(options.timeout());
        window.send(() -> commands.hgetall(names.generations()), register -> {
            if (register != null) {
                register.forEach((generation, buckets) ->
                        generations.put(GenerationNames.text(generation), buckets(GenerationNames.text(buckets))));
            }
        });
        window.drain();
        return generations;
    }

    private static int buckets(String text) {
        try {
            int buckets = Integer.parseInt(text);
            return GenerationHeader.isNumberOfBuckets(buckets) ? buckets : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void retire(RedisClusterAsyncCommands<byte[], byte[]> commands, GenerationNames names, int buckets)
            throws IOException {
        Duration rest = options.retention();
        CommandWindow window = new CommandWindow(options.timeout());
        List<byte[]> headers = new ArrayList<>();
        for (int copy = 0; copy < GenerationNames.HEADER_COPIES; copy++) {
            headers.add(names.header(copy));
        }
        for (byte[] header : headers) {
            window.send(() -> commands.expire(header, rest));
        }
        for (int bucket = 0; bucket < buckets; bucket++) {
            byte[] name = names.bucket(bucket);
            window.send(() -> commands.expire(name, rest));
        }
        window.drain();
        window.send(() -> commands.hdel(names.generations(), GenerationNames.bytes(names.generation())));
        window.drain();
    }
}
