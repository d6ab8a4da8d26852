package org.bloomgate.server.http;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.net.ListenAddress;

/// The `http` section of the configuration.
///
/// @param listen `host:port`; port 0 picks a free one
/// @param adminToken opens what changes state; at least 16 characters, or `sha256:` and its digest; empty switches
///     those resources off
/// @param maxConnections at a time; more wait to be accepted
/// @param maxBodyBytes of a JSON body
/// @param maxMessageBytes of a message handed to `/v1/messages`
/// @param maxItems of one `/v1/check`, `/v1/lookup` or `/v1/passwords`
/// @param requestTimeout for the header fields of a request, for its body, for all lookups of one request and for a
///     client to take each part of a long answer
/// @param tls of the listener
/// @param checksPerSecond requests by client address (of IPv6 a /64) that ask about values, passwords or
///     messages; more are answered 429. 0: no bound
/// @param readToken sees and searches what is kept back from others, and changes nothing; empty opens nothing
/// @param operators tokens by name, each as the admin token is, or `sha256:` and its digest: the name is in the
///     audit log
/// @param hosts names that a `Host` field may have, without a port; none: any
public record HttpOptions(
        ListenAddress listen,
        String adminToken,
        @NotASetting int maxConnections,
        @NotASetting long maxBodyBytes,
        long maxMessageBytes,
        @NotASetting int maxItems,
        @NotASetting Duration requestTimeout,
        Tls tls,
        int checksPerSecond,
        String readToken,
        Map<String, String> operators,
        List<HostField> hosts) {
    private static final Pattern OPERATOR = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /// Without files the listener speaks plain HTTP, with them HTTPS only.
    ///
    /// @param certificate PEM file of the chain, the server's own first
    /// @param key PEM file of its unencrypted PKCS #8 key; empty when it is in the same file
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

    /// @throws IllegalArgumentException when nothing could be served with these values; the message names the key
    public HttpOptions {
        hosts = List.copyOf(hosts);
        operators = Map.copyOf(operators);
        requireToken("adminToken", adminToken);
        requireToken("readToken", readToken);
        if (!readToken.isEmpty() && readToken.equals(adminToken)) {
            throw new IllegalArgumentException("readToken must be another than adminToken");
        }
        requireOperators(operators, adminToken, readToken);
        positive("maxConnections", maxConnections);
        positive("maxBodyBytes", maxBodyBytes);
        positive("maxMessageBytes", maxMessageBytes);
        positive("maxItems", maxItems);
        if (checksPerSecond < 0) {
            throw new IllegalArgumentException("checksPerSecond must not be below 0");
        }
        positive("requestTimeout", requestTimeout.toMillis());
        if (listen.host().isEmpty()) {
            throw new IllegalArgumentException(
                    "listen: '" + listen + "' is not host:port (as 127.0.0.1:8080 or [::1]:8080)");
        }
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
                "",
                Map.of(),
                List.of());
    }

    private static void requireToken(String key, String token) {
        if (!token.isEmpty() && !AdminToken.isPossible(token)) {
            throw new IllegalArgumentException(key + ": must have at least " + AdminToken.MIN_CHARS
                    + " characters, or be sha256: and its 64 hexadecimal digits");
        }
    }

    private static void requireOperators(Map<String, String> operators, String adminToken, String readToken) {
        Set<String> tokens = new HashSet<>(List.of(adminToken));
        tokens.add(readToken);
        operators.forEach((name, token) -> {
            if (!OPERATOR.matcher(name).matches() || name.equals(Tokens.ADMIN)) {
                throw new IllegalArgumentException(
                        "operators." + name + ": a name is 1 to 64 of A-Z a-z 0-9 . _ -, and not " + Tokens.ADMIN);
            }
            if (token.isBlank() || !AdminToken.isPossible(token) || !tokens.add(token)) {
                throw new IllegalArgumentException("operators." + name
                        + ": must be a token that nobody else has, of at least " + AdminToken.MIN_CHARS
                        + " characters, or sha256: and its 64 hexadecimal digits");
            }
        });
    }

    private static void positive(String key, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(key + " must be above 0");
        }
    }
}
