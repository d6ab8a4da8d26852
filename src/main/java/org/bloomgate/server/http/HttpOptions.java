package org.bloomgate.server.http;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.ListenAddress;

/// The `http` section of the configuration.
///
/// @param listen `host:port`; port 0 picks a free one
/// @param adminToken token with the role admin, for a machine without operators: at least 16 characters, or
///     `sha256:` and its digest; empty for none
/// @param maxConnections open at the same time; beyond them the one that has stalled longest is closed for a
///     new one
/// @param maxBodyBytes of a JSON body
/// @param maxMessageBytes of a message for `/v1/messages`
/// @param maxItems of one `/v1/check`, `/v1/lookup` or `/v1/passwords`
/// @param requestTimeout for the header fields of a request, for its body, for all lookups of a request, and
///     for a client to read each part of a long answer
/// @param tls of the listener
/// @param checksPerSecond checks of values, passwords and messages by one client address (an IPv6 /64); more
///     are answered 429. 0: no bound
/// @param open groups of routes that need no role
/// @param operators by name, as in the audit log
/// @param hosts names that a `Host` field may have, without a port; empty for any
public record HttpOptions(
        @RequiresRestart ListenAddress listen,
        String adminToken,
        @NotASetting int maxConnections,
        @NotASetting long maxBodyBytes,
        @RequiresRestart long maxMessageBytes,
        @NotASetting int maxItems,
        @NotASetting Duration requestTimeout,
        @RequiresRestart Tls tls,
        @RequiresRestart int checksPerSecond,
        List<RouteGroup> open,
        Map<String, Operator> operators,
        @RequiresRestart List<HostField> hosts) {
    private static final String TOKEN_FORM =
            "at least " + BearerToken.MIN_CHARS + " characters, or be sha256: and its 64 hexadecimal digits";

    /// The certificate files: without them the listener accepts plain HTTP, with them only HTTPS.
    ///
    /// @param certificate PEM file of the chain, the server's own certificate first
    /// @param key PEM file of its unencrypted PKCS #8 key; empty if it is in the same file
    public record Tls(String certificate, String key) {
        public Tls {
            if (certificate.isEmpty() && !key.isEmpty()) {
                throw new IllegalArgumentException("certificate: set it too: key alone does nothing");
            }
        }

        public static Tls none() {
            return new Tls("", "");
        }

        public boolean enabled() {
            return !certificate.isEmpty();
        }
    }

    /// @throws IllegalArgumentException if a value is invalid; the message names the key
    public HttpOptions {
        hosts = List.copyOf(hosts);
        open = List.copyOf(open);
        operators = Map.copyOf(operators);
        require(adminToken.isEmpty() || BearerToken.isAcceptable(adminToken), "adminToken: must have " + TOKEN_FORM);
        requireOperators(operators, adminToken);
        positive("maxConnections", maxConnections);
        positive("maxBodyBytes", maxBodyBytes);
        positive("maxMessageBytes", maxMessageBytes);
        positive("maxItems", maxItems);
        require(checksPerSecond >= 0, "checksPerSecond must not be below 0");
        positive("requestTimeout", requestTimeout.toMillis());
        require(
                !listen.host().isEmpty(),
                "listen: '" + listen + "' is not host:port (for example 127.0.0.1:8080 or [::1]:8080)");
    }

    public static HttpOptions defaults() {
        return new HttpOptions(
                ListenAddress.of("127.0.0.1:8080"),
                "",
                2_048,
                1 << 20,
                25 << 20,
                1_000,
                Duration.ofSeconds(10),
                Tls.none(),
                0,
                List.of(RouteGroup.AUTO),
                Map.of(),
                List.of());
    }

    private static void requireOperators(Map<String, Operator> operators, String adminToken) {
        Set<String> digests = new HashSet<>(Set.of(BearerToken.digest(adminToken)));
        operators.forEach((name, operator) -> {
            String key = "operators." + name;
            try {
                Operator.requireName(name);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(key + ": " + wrong.getMessage(), wrong);
            }
            require(operator.role() != Role.NONE, key + ".role: write client, fleet, reader, quarantine or admin");
            require(BearerToken.isAcceptable(operator.token()), key + ".token: must have " + TOKEN_FORM);
            require(
                    digests.add(BearerToken.digest(operator.token())),
                    key + ".token: must be a token that no one else has");
            require(operator.checksPerSecond() >= 0, key + ".checksPerSecond must not be below 0");
        });
    }

    private static void require(boolean valid, String problem) {
        if (!valid) {
            throw new IllegalArgumentException(problem);
        }
    }

    private static void positive(String key, long value) {
        require(value > 0, key + " must be above 0");
    }
}
