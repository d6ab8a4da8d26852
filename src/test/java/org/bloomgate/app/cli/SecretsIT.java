package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.LogOptions;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Secrets of a configuration, and whatever a command, a route, a metric, a report or the log shows.
@Timeout(120)
class SecretsIT {
    private static final List<String> ROUTES = List.of(
            "/",
            "/metrics",
            "/openapi.json",
            "/health/live",
            "/health/ready",
            "/v1/status",
            "/v1/rebuilds",
            "/v1/feeds/report",
            "/v1/snapshots",
            "/v1/audit",
            "/v1/listings",
            "/v1/exceptions",
            "/v1/decisions",
            "/v1/quarantine",
            "/v1/shadow",
            "/v1/explain?value=a.example",
            "/v1/configuration");

    private static final List<List<String>> COMMANDS = List.of(
            List.of("config", "check"),
            List.of("config", "check", "--json"),
            List.of("rebuild", "--all", "--json"),
            List.of("inspect"),
            List.of("inspect", "--json"),
            List.of("history"),
            List.of("feeds", "report", "--json"),
            List.of("audit"));

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private final Map<String, String> secrets = new TreeMap<>();
    private final Map<String, String> shown = new TreeMap<>();

    @Test
    void noneOfThemIsShown() throws Exception {
        Path config = configure();
        secret("lookup password");
        assertEquals(15, secrets.size());
        for (List<String> command : COMMANDS) {
            List<String> all = new ArrayList<>(command);
            all.addAll(List.of("-c", config.toString()));
            Invocation done = Invocation.of("", all);
            look(String.join(" ", command), done.out() + done.err());
        }
        for (String key : List.of("exact.http.urls", "mirror.url", "nextHop")) {
            String address = key + "=http://user:" + secret("lookup password") + "@127.0.0.1:1";
            Invocation refused = Invocation.of("", List.of("config", "check", "--set", address));
            assertEquals(ExitStatus.MISTAKE, refused.status(), refused::toString);
            look("the error of " + key, refused.err());
        }
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        LogSetup.use(new LogOptions(LogOptions.Level.DEBUG, LogOptions.Format.TEXT, Map.of()));
        try {
            routes(config);
        } finally {
            LogSetup.use(LogOptions.defaults());
            root.detachAppender(log);
        }
        assertTrue(log.list.size() > 1, "the log was looked at");
        List.copyOf(log.list).forEach(event -> look("log", event.getFormattedMessage()));
        assertEquals(Map.of(), shown);
    }

    private void routes(Path config) throws Exception {
        try (Gateway gateway = Gateway.start(new ConfigurationSource(config, Map.of()).read())) {
            RunningGateway running = new RunningGateway(gateway);
            assertEquals("250", running.link("good.example"));
            for (String route : ROUTES) {
                for (String token : List.of("", "admin token", "reader", "operator")) {
                    HttpRequest.Builder request = HttpRequest.newBuilder(running.http(route));
                    if (!token.isEmpty()) {
                        request.header("Authorization", "Bearer " + secrets.get(token));
                    }
                    look(
                            route,
                            CLIENT.send(request.build(), BodyHandlers.ofString())
                                    .body());
                }
            }
            HttpRequest wrong = HttpRequest.newBuilder(running.http("/v1/listings"))
                    .header("Authorization", "Bearer " + secrets.get("admin token") + "x")
                    .build();
            look("/v1/listings", CLIENT.send(wrong, BodyHandlers.ofString()).body());
        }
    }

    private void look(String place, String text) {
        secrets.forEach((name, secret) -> {
            if (text.contains(secret)) {
                shown.put(name + " in " + place, text.substring(0, Math.min(300, text.length())));
            }
        });
    }

    private String secret(String name) {
        return secrets.computeIfAbsent(name, of -> "planted-" + Integer.toHexString(of.hashCode()) + "-secret");
    }

    /// The middle of a key, as it stands in its file.
    private Path key(String name) throws IOException, GeneralSecurityException {
        byte[] bytes = KeyPairGenerator.getInstance("Ed25519")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        String text = Base64.getEncoder().encodeToString(bytes);
        secrets.put(name, text.substring(text.length() - 32));
        return Files.writeString(
                folder.resolve(name.replace(' ', '-')),
                "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    private Path configure() throws IOException, GeneralSecurityException {
        Path file = folder.resolve("bloomgate.yaml");
        Files.writeString(file, """
                state: FOLDER
                nextHop: "maildir:FOLDER/mail"
                http:
                  listen: "127.0.0.1:0"
                  adminToken: ADMIN
                  operators: { ada: { role: admin, token: OPERATOR }, eve: { role: reader, token: READ } }
                exact:
                  redis: { username: gateway, password: REDIS }
                  http: { token: FLEET }
                  dns: { resolvers: ["127.0.0.1:9"] }
                mirror: { token: MIRROR }
                rebuild: { signingKey: SIGNING }
                publisher: { currentKey: CURRENT }
                smtp: { listen: "127.0.0.1:0" }
                feeds: FOLDER/feeds.yaml
                """.replace("FOLDER", folder.toString())
                .replace("ADMIN", secret("admin token"))
                .replace("READ", secret("reader"))
                .replace("FLEET", secret("token for lookups"))
                .replace("MIRROR", secret("token for snapshots"))
                .replace("OPERATOR", secret("operator"))
                .replace("REDIS", secret("redis password"))
                .replace("SIGNING", key("signing key").toString())
                .replace("CURRENT", key("current key").toString()));
        Files.writeString(folder.resolve("feeds.yaml"), """
                feeds:
                  - { name: good, kind: domain, format: lines, category: phishing, source: FOLDER/domains.txt }
                  - { name: z, kind: domain, source: "dns:{key}.zone.example", keyFile: FOLDER/zone-key, budget: 100ms, answers: { 127.0.0.2: spam } }
                  - { name: a, kind: domain, format: lines, source: "http://USER:PASSWORD@127.0.0.1:1/a?key=VALUE&BARE;b=SEMICOLON" }
                """.replace("FOLDER", folder.toString())
                .replace("PASSWORD", secret("feed password"))
                .replace("VALUE", secret("feed query"))
                .replace("BARE", secret("feed bare query"))
                .replace("SEMICOLON", secret("feed second query"))
                .replace("USER", secret("feed user")));
        Files.writeString(folder.resolve("zone-key"), secret("zone key"));
        Files.writeString(folder.resolve("domains.txt"), "listed.example\n");
        return file;
    }
}
