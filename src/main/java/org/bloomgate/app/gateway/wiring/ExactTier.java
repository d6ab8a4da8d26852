package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ExactOptions;
import org.bloomgate.lists.mirror.MirrorOptions;
import org.bloomgate.lists.snapshot.ExactOpener;
import org.bloomgate.lists.snapshot.PublishedFiles;
import org.bloomgate.lists.snapshot.Snapshot;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lookup.redis.RedisConnection;
import org.bloomgate.lookup.redis.RedisExactLookup;
import org.bloomgate.lookup.remote.BreakerOptions;
import org.bloomgate.lookup.remote.CacheOptions;
import org.bloomgate.lookup.remote.FailoverClient;
import org.bloomgate.lookup.remote.Guard;
import org.bloomgate.lookup.remote.HttpExactLookup;
import org.bloomgate.lookup.remote.HttpExactOptions;
import org.bloomgate.lookup.remote.RemoteCounts;
import org.bloomgate.lookup.remote.RemoteLookup;
import org.bloomgate.lookup.store.PublishedStores;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.ExactLookup;

/// The configured exact tier: opens it for each snapshot, and has the connections that the layers share.
sealed interface ExactTier extends ExactOpener, AutoCloseable {
    /// Concurrent calls to a remote tier; further keys are not looked up.
    int MAX_CALLS = 64;

    /// @throws IOException when the certificates to trust cannot be read
    static ExactTier of(Configuration configuration) throws IOException {
        ExactOptions options = configuration.exact();
        return switch (options.store()) {
            case EMBEDDED -> new Embedded();
            case STORAGE -> openStorage(configuration);
            case HTTP -> {
                FailoverClient services = new FailoverClient("exact.http", options.http());
                yield new Http(
                        snapshot -> new HttpExactLookup(
                                services,
                                snapshot.manifest().layer(),
                                snapshot.manifest().generation()),
                        services::close,
                        guard(options));
            }
            case REDIS ->
                new Redis(RedisConnection.open(options.redis()), guard(options), options, new ConcurrentHashMap<>());
        };
    }

    /// The token of the publisher is sent to no other server.
    private static ExactTier openStorage(Configuration configuration) throws IOException {
        MirrorOptions mirror = configuration.mirror();
        String url = configuration.storageUrl();
        HttpExactOptions server = new HttpExactOptions(
                List.of(url.replaceFirst("/+$", "") + PublishedFiles.PATH),
                mirror.caFile(),
                url.equals(mirror.url()) ? mirror.token() : "");
        ExactOptions options = configuration.exact();
        PublishedStores stores = new PublishedStores(new FailoverClient("mirror", server), options.deadline());
        return new Http(
                snapshot -> stores.open(
                        snapshot.manifest().generation(), snapshot.manifest().parts()),
                stores::close,
                guard(options));
    }

    private static Guard guard(ExactOptions options) {
        return new Guard(
                "exact.store " + options.store().name().toLowerCase(Locale.ROOT),
                BreakerOptions.defaults(),
                MAX_CALLS,
                options.deadline(),
                Clock.systemUTC());
    }

    /// Counters of a tier on another machine.
    default Optional<RemoteCounts> counts() {
        return Optional.empty();
    }

    /// Layers that a working server has lost, with a reason. Queries the server.
    default Map<String, String> losses() {
        return Map.of();
    }

    @Override
    default void close() {}

    /// In each snapshot.
    record Embedded() implements ExactTier {
        @Override
        public ExactLookup open(Snapshot snapshot) throws IOException {
            return SortedStore.open(snapshot.exactDirectory());
        }
    }

    /// At lookup services, or in files on a web server.
    record Http(ExactOpener opener, Runnable closing, Guard guard) implements ExactTier {
        @Override
        public ExactLookup open(Snapshot snapshot) throws IOException {
            return new RemoteLookup(opener.open(snapshot), guard, CacheOptions.defaults());
        }

        @Override
        public Optional<RemoteCounts> counts() {
            return Optional.of(guard.counts());
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    /// In a Redis or Valkey Cluster.
    ///
    /// @param newest the last lookup that was opened, by layer
    record Redis(
            RedisConnection connection,
            Guard guard,
            ExactOptions options,
            ConcurrentMap<String, RedisExactLookup> newest)
            implements ExactTier {
        @Override
        public ExactLookup open(Snapshot snapshot) {
            SnapshotManifest manifest = snapshot.manifest();
            RedisExactLookup lookup =
                    new RedisExactLookup(connection, manifest.layer(), manifest.generation(), snapshot.countEntries());
            newest.put(manifest.layer(), lookup);
            return new RemoteLookup(lookup, guard, CacheOptions.defaults());
        }

        @Override
        public Map<String, String> losses() {
            Map<String, String> losses = new TreeMap<>();
            newest.forEach((layer, lookup) -> {
                int lost = lookup.lostCopies(options.redis().timeout());
                if (lost > 0) {
                    losses.put(
                            layer,
                            (lost == RedisExactLookup.HEADER_COPIES ? "everything" : "a part") + " of layer " + layer
                                    + " is lost there: 'bloomgate rebuild --layer " + layer + "' publishes it again");
                }
            });
            return losses;
        }

        @Override
        public Optional<RemoteCounts> counts() {
            return Optional.of(guard.counts());
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
