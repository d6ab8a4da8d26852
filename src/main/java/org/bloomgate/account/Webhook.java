package org.bloomgate.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bloomgate.net.BoundedBody;
import org.bloomgate.net.BoundedExchange;

/// Posts a report to a web server of the operator's: the object of [ReportJson], and its HMAC-SHA-256 (RFC 2104) in a
/// header field, so that the server can tell it from what anybody sends. One attempt, no redirects; what goes wrong is
/// the caller's to tell, and names the host alone, since paths of such addresses are secrets.
public final class Webhook {
    /// `sha256=` and the MAC of the body in lower-case hexadecimal digits.
    public static final String SIGNATURE = "X-Bloomgate-Signature";

    /// A report that is longer goes without feeds, changes, blast radius and examples.
    static final int MAX_BODY_BYTES = 1 << 20;

    /// Nobody reads the answer.
    static final int MAX_ANSWER_BYTES = 64 << 10;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final WebhookOptions options;
    private final Map<String, String> environment;
    private final Duration timeout;

    /// @param environment of the process, which holds the secret
    public Webhook(WebhookOptions options, Map<String, String> environment) {
        this(options, environment, TIMEOUT);
    }

    /// @param timeout of connecting, and of the answer from its first octet to its last
    Webhook(WebhookOptions options, Map<String, String> environment, Duration timeout) {
        this.options = options;
        this.environment = Map.copyOf(environment);
        this.timeout = timeout;
    }

    /// Posts the report of a layer that was rebuilt, or was to be; nothing of one that is not due or only tried.
    ///
    /// @return why it did not arrive
    public Optional<String> post(RebuildReport report) throws InterruptedException {
        if (!options.enabled()
                || report.outcome() == RebuildOutcome.NOT_DUE
                || report.outcome().isDryRun()) {
            return Optional.empty();
        }
        Optional<String> missing = options.missing(environment);
        if (missing.isPresent()) {
            return missing.map(why -> why + ": nothing is sent");
        }
        String secret = environment.getOrDefault(options.secretEnv(), "");
        URI target = URI.create(options.url());
        try {
            int status = send(target, body(report), secret);
            return status / 100 == 2
                    ? Optional.empty()
                    : Optional.of(target.getHost() + " answered with status " + status);
        } catch (TimeoutException late) {
            return Optional.of(target.getHost() + " did not answer within " + timeout.toMillis() + " ms");
        } catch (IOException failed) {
            return Optional.of(target.getHost() + ": " + failed);
        }
    }

    static byte[] body(RebuildReport report) {
        byte[] whole = ReportJson.of(report).getBytes(UTF_8);
        return whole.length <= MAX_BODY_BYTES
                ? whole
                : ReportJson.of(report.withoutDetails()).getBytes(UTF_8);
    }

    private int send(URI target, byte[] body, String secret)
            throws IOException, InterruptedException, TimeoutException {
        HttpRequest request = HttpRequest.newBuilder(target)
                .header("User-Agent", "Bloomgate")
                .header("Content-Type", "application/json")
                .header(SIGNATURE, "sha256=" + HexFormat.of().formatHex(mac(body, secret)))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build()) {
            try {
                HttpResponse<Long> answer = BoundedExchange.send(client, request, _ -> unread(), timeout);
                return answer.statusCode();
            } finally {
                client.shutdownNow();
            }
        }
    }

    private static BoundedBody unread() {
        return new BoundedBody(
                _ -> {},
                MAX_ANSWER_BYTES,
                new AtomicLong(),
                () -> new IOException("its answer is longer than " + MAX_ANSWER_BYTES + " octets"));
    }

    private static byte[] mac(byte[] body, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has HmacSHA256", e);
        }
    }
}
