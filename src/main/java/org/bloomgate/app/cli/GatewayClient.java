package org.bloomgate.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.BoundedBody;
import org.bloomgate.base.net.BoundedExchange;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.tls.TrustedCertificates;
import org.bloomgate.server.http.HttpOptions;

/// Queries the gateway of a configuration on this machine over HTTP.
final class GatewayClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_BODY_BYTES = 16 << 20;

    private final HttpClient client;
    private final URI base;
    private final HttpOptions options;

    /// @throws IOException if the certificate of the gateway cannot be read
    GatewayClient(HttpOptions options) throws IOException {
        this.options = options;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .proxy(HttpClient.Builder.NO_PROXY);
        if (options.tls().enabled()) {
            // its own certificate proves its identity, whatever names that has
            System.setProperty("jdk.internal.httpclient.disableHostnameVerification", "true");
            builder.sslContext(TrustedCertificates.context(
                    "http.tls.certificate", Optional.of(Path.of(options.tls().certificate()))));
        }
        if (!options.hosts().isEmpty()) {
            System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
        }
        client = builder.build();
        ListenAddress listen = options.listen();
        boolean everywhere = listen.host().isEmpty() || listen.resolve().isAnyLocalAddress();
        String host = everywhere ? "127.0.0.1" : listen.host();
        base = URI.create((options.tls().enabled() ? "https://" : "http://") + new ListenAddress(host, listen.port()));
    }

    /// @param body an empty object if it is not JSON
    record Reply(URI base, int status, JsonNode body) {
        /// The body of an answer with status 200.
        /// @throws InputException if the gateway rejects what it was asked for
        /// @throws IOException if it answers with another status
        JsonNode content() throws InputException, IOException {
            if (status == 200) {
                return body;
            }
            String text = base + " answers " + status + ": "
                    + Printable.of(body.path("detail").asText());
            if (status == 400) {
                throw new InputException(text);
            }
            throw new IOException(text);
        }
    }

    /// @throws IOException if there is no complete answer in time
    Reply get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /// The same with the admin token, if the configuration contains it and not only its digest.
    Reply getAsAdmin(String path) throws IOException, InterruptedException {
        return send(authorize(request(path)));
    }

    /// The same for a request with a JSON body.
    Reply postAsAdmin(String path, String json) throws IOException, InterruptedException {
        return send(authorize(request(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder authorize(HttpRequest.Builder request) {
        return BearerToken.isPlain(options.adminToken())
                ? request.header(BearerToken.FIELD, BearerToken.formatField(options.adminToken()))
                : request;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
        if (!options.hosts().isEmpty()) {
            request.header("Host", options.hosts().getFirst().text());
        }
        return request;
    }

    private Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            HttpResponse<byte[]> response = BoundedExchange.send(
                    client,
                    request.build(),
                    _ -> BoundedBody.whole(MAX_BODY_BYTES, new AtomicLong(), () -> new IOException("answer too long")),
                    TIMEOUT);
            return new Reply(base, response.statusCode(), json(response.body()));
        } catch (TimeoutException e) {
            throw new IOException("no answer from " + base + " within " + TIMEOUT.toSeconds() + " s", e);
        } catch (IOException e) {
            boolean isRefused = e instanceof ConnectException && e.getMessage() == null;
            String cause = isRefused ? "the connection was refused" : IoText.describe(e);
            throw new IOException("no answer from " + base + ": " + cause, e);
        }
    }

    private static JsonNode json(byte[] body) {
        JsonMapper mapper = new JsonMapper();
        try {
            return mapper.readTree(body);
        } catch (IOException e) {
            return mapper.createObjectNode();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
