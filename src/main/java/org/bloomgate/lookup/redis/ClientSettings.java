package org.bloomgate.lookup.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// How Lettuce is to behave. A command to a server that is not there is refused at once instead of waiting for it:
/// the message cannot wait, and a publisher has nothing to gain. A server that is replaced is found within seconds.
final class ClientSettings {
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(10);
    private static final Duration AFTER_A_FAULT = Duration.ofMillis(500);
    private static final Duration SOONEST_RECONNECT = Duration.ofMillis(20);
    private static final Duration LATEST_RECONNECT = Duration.ofSeconds(1);

    /// Commands that wait for one server which is silent but connected.
    private static final int MOST_WAITING = 1 << 14;

    private ClientSettings() {}

    static ClientResources resources() {
        return ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.fullJitter(
                        SOONEST_RECONNECT, LATEST_RECONNECT, SOONEST_RECONNECT.toMillis(), TimeUnit.MILLISECONDS))
                .build();
    }

    static List<RedisURI> nodes(RedisOptions options) {
        return options.nodes().stream().map(node -> node(node, options)).toList();
    }

    private static RedisURI node(String node, RedisOptions options) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(RedisOptions.host(node))
                .withPort(RedisOptions.port(node))
                .withTimeout(options.timeout())
                .withClientName("bloomgate");
        if (!options.username().isEmpty()) {
            uri.withAuthentication(options.username(), options.password().toCharArray());
        } else if (!options.password().isEmpty()) {
            uri.withPassword(options.password().toCharArray());
        }
        if (options.tls()) {
            uri.withSsl(true).withVerifyPeer(SslVerifyMode.FULL);
        }
        return uri.build();
    }

    static ClientOptions standalone(RedisOptions options) {
        ClientOptions.Builder client = ClientOptions.builder();
        lay(client, options);
        return client.build();
    }

    static ClusterClientOptions cluster(RedisOptions options) {
        ClusterClientOptions.Builder client = ClusterClientOptions.builder();
        lay(client, options);
        return client.validateClusterNodeMembership(false)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .adaptiveRefreshTriggersTimeout(AFTER_A_FAULT)
                        .refreshTriggersReconnectAttempts(1)
                        .build())
                .build();
    }

    private static void lay(ClientOptions.Builder client, RedisOptions options) {
        client.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MOST_WAITING)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(options.timeout())
                        .keepAlive(SocketOptions.KeepAliveOptions.builder()
                                .enable()
                                .idle(Duration.ofSeconds(5))
                                .interval(Duration.ofSeconds(1))
                                .count(3)
                                .build())
                        .build());
        options.caFile()
                .ifPresent(file -> client.sslOptions(
                        SslOptions.builder().trustManager(file.toFile()).build()));
    }
}
