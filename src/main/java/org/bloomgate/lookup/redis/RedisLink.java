package org.bloomgate.lookup.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;

/// A connection to all servers, made once; what breaks later mends by itself. Thread-safe.
///
/// Lettuce opens the connection to a server of a cluster with the first command for it, and refuses that one. So
/// every server is touched before the link is handed out, and again when the cluster has changed.
final class RedisLink implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(10);

    /// A server that is down is not waited for longer.
    private static final Duration MOST_TOUCHING = Duration.ofSeconds(2);

    private static final Duration SHUTDOWN = Duration.ofSeconds(2);
    private static final int MOST_PROBES = 100_000;

    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final StatefulConnection<byte[], byte[]> connection;
    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final Supplier<List<byte[]>> probes;
    private final AtomicBoolean touching = new AtomicBoolean();

    private RedisLink(
            ClientResources resources,
            AbstractRedisClient client,
            StatefulConnection<byte[], byte[]> connection,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            Supplier<List<byte[]>> probes) {
        this.resources = resources;
        this.client = client;
        this.connection = connection;
        this.commands = commands;
        this.probes = probes;
    }

    /// @param reading which server of a cluster is used
    /// @throws IOException if no node can be reached
    static RedisLink connect(RedisOptions options, ReadFrom reading) throws IOException {
        ClientResources resources = ClientSettings.resources();
        try {
            RedisLink link = switch (options.mode()) {
                case CLUSTER -> cluster(resources, options, reading);
                case STANDALONE -> standalone(resources, options);
            };
            link.touch();
            return link;
        } catch (RedisException e) {
            shutdown(resources);
            throw new IOException(
                    "exact.redis: " + String.join(", ", options.nodes()) + ": " + RedisFault.inWords(e), e);
        }
    }

    private static RedisLink cluster(ClientResources resources, RedisOptions options, ReadFrom reading) {
        RedisClusterClient client = RedisClusterClient.create(resources, ClientSettings.nodes(options));
        client.setOptions(ClientSettings.cluster(options));
        try {
            StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
            connection.setReadFrom(reading);
            RedisLink link = new RedisLink(
                    resources,
                    client,
                    connection,
                    connection.async(),
                    () -> probes(options.prefix(), connection.getPartitions()));
            resources
                    .eventBus()
                    .get()
                    .filter(ClusterTopologyChangedEvent.class::isInstance)
                    .subscribe(changed -> BackgroundTask.start("redis-touch", link::touch));
            return link;
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, SHUTDOWN);
            throw e;
        }
    }

    private static RedisLink standalone(ClientResources resources, RedisOptions options) {
        RedisClient client =
                RedisClient.create(resources, ClientSettings.nodes(options).getFirst());
        client.setOptions(ClientSettings.standalone(options));
        try {
            StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
            byte[] probe = GenerationNames.bytes(options.prefix());
            return new RedisLink(resources, client, connection, connection.async(), () -> List.of(probe));
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, SHUTDOWN);
            throw e;
        }
    }

    /// A key of every server that has any.
    private static List<byte[]> probes(String prefix, Partitions servers) {
        Set<String> missing = new HashSet<>();
        for (RedisClusterNode server : servers) {
            if (!server.getSlots().isEmpty()) {
                missing.add(server.getNodeId());
            }
        }
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < MOST_PROBES && !missing.isEmpty(); i++) {
            byte[] key = GenerationNames.bytes(prefix + ":probe:" + i);
            RedisClusterNode server = servers.getPartitionBySlot(SlotHash.getSlot(key));
            if (server != null && missing.remove(server.getNodeId())) {
                keys.add(key);
            }
        }
        return keys;
    }

    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return commands;
    }

    /// Asks every server something until each has answered, however it did, or the time for that is over.
    private void touch() {
        if (touching.compareAndSet(false, true)) {
            try {
                long end = System.nanoTime() + MOST_TOUCHING.toNanos();
                while (!allAnswer(end) && System.nanoTime() - end < 0) {
                    TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
                }
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            } finally {
                touching.set(false);
            }
        }
    }

    private boolean allAnswer(long end) throws InterruptedException {
        boolean all = true;
        for (byte[] probe : probes.get()) {
            all &= answers(probe, end);
        }
        return all;
    }

    private boolean answers(byte[] probe, long end) throws InterruptedException {
        try {
            RedisFuture<Long> reply = commands.exists(probe);
            reply.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | RedisException e) {
            return !RedisFault.isRefusedByUs(e);
        } catch (TimeoutException e) {
            return true;
        }
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, SHUTDOWN);
        shutdown(resources);
    }

    private static void shutdown(ClientResources resources) {
        resources
                .shutdown(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
    }
}
