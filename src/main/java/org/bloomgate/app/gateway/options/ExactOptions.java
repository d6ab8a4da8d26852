package org.bloomgate.app.gateway.options;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.lookup.dns.DnsOptions;
import org.bloomgate.lookup.redis.RedisOptions;
import org.bloomgate.lookup.remote.HttpExactOptions;
import org.bloomgate.lookup.remote.StorageOptions;
import org.bloomgate.lookup.tier.Action;

/// The `exact` section of the configuration.
///
/// @param store where the exact tier is
/// @param deadline for all suspects of one message together
/// @param onUnknown action if the exact tier does not answer, by feed category; `default` for the others
/// @param http lookup services for `store: http`
/// @param storage web server for `store: storage`
/// @param redis servers for `store: redis`, which rebuilds publish to
/// @param dns resolvers for the zones that confirm feeds
public record ExactOptions(
        @RequiresRestart Store store,
        Duration deadline,
        Map<String, Action> onUnknown,
        @RequiresRestart HttpExactOptions http,
        @RequiresRestart StorageOptions storage,
        @RequiresRestart RedisOptions redis,
        @RequiresRestart DnsOptions dns) {
    /// Where listings are looked up.
    public enum Store {
        /// In the store of the snapshot, in this process.
        EMBEDDED,
        /// In the published files of the snapshot, page by page from a web server.
        STORAGE,
        /// Another Bloomgate in the lookup role.
        HTTP,
        /// A Redis or Valkey Cluster.
        REDIS
    }

    public ExactOptions {
        onUnknown = Map.copyOf(onUnknown);
        if (!deadline.isPositive()) {
            throw new IllegalArgumentException("deadline must be above 0");
        }
    }

    public static ExactOptions defaults() {
        return new ExactOptions(
                Store.EMBEDDED,
                Duration.ofMillis(250),
                Map.of("default", Action.TAG, "malware", Action.DEFER),
                HttpExactOptions.defaults(),
                StorageOptions.defaults(),
                RedisOptions.defaults(),
                DnsOptions.defaults());
    }

    /// Contradictory settings, by the key to change.
    public List<String> problems() {
        return switch (store) {
            case EMBEDDED, STORAGE -> List.of();
            case HTTP ->
                http.urls().isEmpty()
                        ? List.of("http.urls: name a lookup service, for example http://127.0.0.1:8081, or leave store"
                                + " at embedded")
                        : List.of();
            case REDIS ->
                redis.nodes().isEmpty()
                        ? List.of("redis.nodes: name a server, for example 127.0.0.1:6379, or leave store at embedded")
                        : List.of();
        };
    }
}
