package org.bloomgate.lookup.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.base.config.NotASetting;

/// The `exact.redis` section of the configuration: the Redis or Valkey servers that hold the exact tier.
///
/// @param nodes where to begin, `HOST:PORT`; of a cluster any few, the others are learned from them
/// @param mode whether they are a cluster
/// @param username of an access control list; empty for the default user
/// @param password empty for none
/// @param tls whether connections are encrypted and certificates checked
/// @param caFile PEM certificates that TLS trusts; empty for those of the Java runtime
/// @param prefix what every key begins with
/// @param timeout for connecting, and for each command of a publisher; lookups have `exact.deadline`
/// @param retention how long a generation stays when there is a newer one
public record RedisOptions(
        List<String> nodes,
        Mode mode,
        String username,
        String password,
        boolean tls,
        Optional<Path> caFile,
        String prefix,
        @NotASetting Duration timeout,
        @NotASetting Duration retention) {
    private static final Pattern NODE = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):(\\d{1,5})");

    /// Braces would put all keys into one slot of a cluster.
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /// How the servers work together.
    public enum Mode implements Labelled {
        CLUSTER,
        /// One server, or the primary of a replicated pair.
        STANDALONE
    }

    public RedisOptions {
        nodes = List.copyOf(nodes);
        nodes.forEach(RedisOptions::check);
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("prefix: \"" + prefix + "\" is not 1 to 64 letters, digits or ._:-");
        }
        if (!username.isEmpty() && password.isEmpty()) {
            throw new IllegalArgumentException("username needs a password");
        }
        bound("timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(10));
        bound("retention", retention, Duration.ofSeconds(1), Duration.ofDays(90));
    }

    public static RedisOptions defaults() {
        return new RedisOptions(
                List.of(),
                Mode.CLUSTER,
                "",
                "",
                false,
                Optional.empty(),
                "bloomgate",
                Duration.ofSeconds(10),
                Duration.ofHours(1));
    }

    static String host(String node) {
        String host = node.substring(0, node.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    static int port(String node) {
        return Integer.parseInt(node.substring(node.lastIndexOf(':') + 1));
    }

    private static void check(String node) {
        if (!NODE.matcher(node).matches() || port(node) < 1 || port(node) > 65_535) {
            throw new IllegalArgumentException("nodes: \"" + node + "\" is not HOST:PORT");
        }
    }

    private static void bound(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(key + ": " + value + " is not between " + least + " and " + most);
        }
    }
}
