package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Endpoint;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lookup.redis.LoopbackCluster;
import org.bloomgate.server.milter.MilterClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/// Every exact store, every kind of key, every listener: values that a feed lists, values that nobody lists and values
/// that the operator lists have one answer.
@Timeout(120)
class StoreMatrixIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String UNLISTED_CLIENT = "192.0.2.9";

    @TempDir
    private Path folder;

    private final List<AutoCloseable> servers = new ArrayList<>();

    enum Store {
        EMBEDDED,
        STORAGE,
        HTTP,
        REDIS
    }

    /// A value of one kind, in the three relations to the lists.
    private enum Kind {
        ADDRESS("eve@from-feed.example", "eve@unlisted.example", "eve@local.example"),
        /// The feed itself excepts the unlisted name.
        DOMAIN("feed-domain.example", "fine.feed-domain.example", "local-domain.example"),
        URL("http://url.example/feed", "http://url.example/unlisted", "http://url.example/local"),
        PASSWORD("feed password", "unlisted password", "local password"),
        HASH(sha256("feed\n"), sha256("unlisted\n"), sha256("local\n")),
        NETWORK("198.51.100.7", UNLISTED_CLIENT, "203.0.113.7"),
        PHONE("+442079460001", "+442079460002", "+442079460003");

        private final String feed;
        private final String unlisted;
        private final String local;

        Kind(String feed, String unlisted, String local) {
            this.feed = feed;
            this.unlisted = unlisted;
            this.local = local;
        }

        Map<String, String> byRelation() {
            return Map.of("feed", feed, "unlisted", unlisted, "local", local);
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// What stands in the feed.
        String lines() {
            return switch (this) {
                case NETWORK -> "198.51.100.0/24";
                case DOMAIN -> "||" + feed + "^\n@@||" + unlisted + "^";
                default -> feed;
            };
        }

        String format() {
            return this == DOMAIN ? "adblock" : "lines";
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable server : servers.reversed()) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyListener_givesTheSameAnswerFromEveryStore(Store store) throws Exception {
        Path file = configure(store);
        Map<String, String> wrong = new TreeMap<>();
        try (Gateway gateway = Gateway.start(new ConfigurationSource(file, Map.of()).read())) {
            for (Kind kind : Kind.values()) {
                kind.byRelation().forEach((relation, value) -> {
                    Map<String, String> answers = new TreeMap<>();
                    answers.put("http", overHttp(gateway, kind, value));
                    answers.put("cli", byCommand(file, kind, value));
                    if (kind != Kind.PASSWORD) {
                        answers.put("smtp", bySmtp(gateway, kind, relation, value));
                        answers.put("milter", byMilter(gateway, kind, relation, value));
                    }
                    if (kind == Kind.DOMAIN || kind == Kind.NETWORK) {
                        answers.put("dns", byDns(gateway, kind, value));
                    }
                    answers.values().removeIf(relation.equals("unlisted") ? "clean"::equals : "listed"::equals);
                    answers.forEach((listener, answer) -> wrong.put(kind + " " + relation + " " + listener, answer));
                });
            }
        }
        assertEquals(Map.of(), wrong);
    }

    private Path configure(Store store) throws Exception {
        String common = """
            state: FOLDER
            feeds: FOLDER/feeds.yaml
            nextHop: "maildir:FOLDER/mail"
            http: { listen: "127.0.0.1:0" }
            dns: { listen: "127.0.0.1:0", zones: { "dbl.test": { kinds: [domain] }, "ip.test": { kinds: [network] } } }
            milter: { listen: "127.0.0.1:0" }
            policy: { listed: { phone: reject } }
            smtp: { listen: "127.0.0.1:0", trusted: ["127.0.0.1"] }
            """.replace("FOLDER", folder.toString());
        StringBuilder feeds = new StringBuilder("feeds:\n");
        for (Kind kind : Kind.values()) {
            Path list = Files.writeString(folder.resolve(kind.label() + ".txt"), kind.lines() + "\n");
            feeds.append("  - { name: ")
                    .append(kind.label())
                    .append("s, kind: ")
                    .append(kind.label())
                    .append(", format: ")
                    .append(kind.format())
                    .append(", category: spam, maxRejectShare: 1.0, source: \"")
                    .append(list)
                    .append(kind == Kind.NETWORK ? "\", trusted: true }\n" : "\" }\n");
        }
        Files.writeString(folder.resolve("feeds.yaml"), feeds);
        Path local = Files.writeString(folder.resolve("service.yaml"), common);
        Path file = folder.resolve("bloomgate.yaml");
        String exact = switch (store) {
            case EMBEDDED -> "";
            case REDIS -> {
                LoopbackCluster cluster = LoopbackCluster.start(Files.createDirectory(folder.resolve("redis")), 1);
                servers.add(cluster);
                yield "exact: { store: redis, deadline: 10s, redis: { nodes: [\""
                        + String.join("\", \"", cluster.nodes()) + "\"] } }\n";
            }
            case HTTP -> {
                run(local, "rebuild", "--all");
                yield "exact: { store: http, deadline: 10s, http: { urls: [\"" + serve(local) + "\"] } }\n";
            }
            case STORAGE -> {
                KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
                writePem("snapshot.key", "PRIVATE KEY", keys.getPrivate());
                writePem("snapshot.pub", "PUBLIC KEY", keys.getPublic());
                Files.writeString(local, common + "rebuild: { signingKey: " + folder.resolve("snapshot.key") + " }\n");
                run(local, "rebuild", "--all");
                yield "exact: { store: storage, deadline: 10s, storage: { url: \"" + serve(local)
                        + "\" } }\nsnapshotKey: " + folder.resolve("snapshot.pub") + "\n";
            }
        };
        Files.writeString(file, common + exact);
        if (store == Store.EMBEDDED || store == Store.REDIS) {
            run(file, "rebuild", "--all");
        }
        for (Kind kind : Kind.values()) {
            run(file, "listing", "add", "--force", kind.label(), kind.local);
        }
        return file;
    }

    /// Returns the address of a lookup service.
    private String serve(Path configuration) throws Exception {
        Endpoint service = Endpoint.open(new ConfigurationSource(configuration, Map.of()).read());
        servers.add(service);
        service.start();
        return service.address().replaceAll("http=(\\S+) .*", "http://$1");
    }

    private void writePem(String name, String label, Key key) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(key.getEncoded());
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n");
    }

    private static void run(Path file, String... arguments) {
        Invocation done = Invocation.of("", with(file, arguments));
        assertEquals(ExitStatus.FINE, done.status(), done::toString);
    }

    private static List<String> with(Path file, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-c", file.toString()));
        return all;
    }

    private static String overHttp(Gateway gateway, Kind kind, String value) {
        String body = JSON.createObjectNode()
                .set(
                        "items",
                        JSON.createArrayNode()
                                .add(JSON.createObjectNode()
                                        .put("kind", kind.label())
                                        .put("value", value)))
                .toString();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port(gateway, "http") + "/v1/check"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            JsonNode answer =
                    JSON.readTree(CLIENT.send(request, BodyHandlers.ofString()).body());
            return answer.get("results").get(0).get("verdict").asText();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String byCommand(Path file, Kind kind, String value) {
        Invocation check = Invocation.of(value + "\n", with(file, "check", kind.label(), "-"));
        return switch (check.status()) {
            case ExitStatus.FINE -> "clean";
            case ExitStatus.LISTED -> "listed";
            default -> check.toString();
        };
    }

    private static String bySmtp(Gateway gateway, Kind kind, String relation, String value) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(gateway, "smtp"))) {
            BufferedReader replies =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String last = reply(socket, replies, "");
            for (String command : List.of(
                    "EHLO client.example",
                    "XFORWARD ADDR=" + client(kind, value),
                    "MAIL FROM:<" + sender(kind, value) + ">",
                    "RCPT TO:<b@to.example>",
                    "DATA",
                    message(kind, relation, value) + ".")) {
                last = reply(socket, replies, command + "\r\n");
                if (last.startsWith("5")) {
                    break;
                }
            }
            return last.startsWith("250") ? "clean" : last.startsWith("550") ? "listed" : last;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String reply(Socket socket, BufferedReader replies, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        String line = replies.readLine();
        while (line.charAt(3) == '-') {
            line = replies.readLine();
        }
        return line;
    }

    private static String byMilter(Gateway gateway, Kind kind, String relation, String value) {
        try (MilterClient client = MilterClient.connect(port(gateway, "milter"))) {
            client.greet(client(kind, value), "client.example");
            String last = client.mail(sender(kind, value), List.of("b@to.example"), message(kind, relation, value))
                    .last();
            return last.startsWith("y550") ? "listed" : last.matches("[ac]") ? "clean" : last;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String byDns(Gateway gateway, Kind kind, String value) {
        try {
            SimpleResolver resolver = new SimpleResolver("127.0.0.1");
            resolver.setPort(port(gateway, "dns"));
            resolver.setTimeout(Duration.ofSeconds(10));
            String name = kind == Kind.DOMAIN ? value + ".dbl.test." : reversed(value) + ".ip.test.";
            Message answer =
                    resolver.send(Message.newQuery(Record.newRecord(Name.fromString(name), Type.A, DClass.IN)));
            return switch (answer.getRcode()) {
                // without an answer: names below this one may be listed
                case Rcode.NOERROR -> answer.getSection(Section.ANSWER).isEmpty() ? "clean" : "listed";
                case Rcode.NXDOMAIN -> "clean";
                default -> Rcode.string(answer.getRcode());
            };
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String reversed(String address) {
        return String.join(".", List.of(address.split("\\.")).reversed());
    }

    private static String client(Kind kind, String value) {
        return kind == Kind.NETWORK ? value : UNLISTED_CLIENT;
    }

    private static String sender(Kind kind, String value) {
        return kind == Kind.ADDRESS ? value : "a@from.example";
    }

    private static String message(Kind kind, String relation, String value) {
        String text = switch (kind) {
            case DOMAIN -> "http://" + value + "/";
            case URL -> value;
            case PHONE -> "Call " + value + " now";
            default -> "text";
        };
        String encoded = Base64.getEncoder()
                .encodeToString(
                        (kind == Kind.HASH ? relation : "file").concat("\n").getBytes(StandardCharsets.UTF_8));
        return """
            Subject: test
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b

            TEXT
            --b
            Content-Type: application/octet-stream
            Content-Transfer-Encoding: base64

            FILE
            --b--
            """.replace("TEXT", text).replace("FILE", encoded).replace("\n", "\r\n");
    }

    private static String sha256(String content) {
        return Sha256.hex(content.getBytes(StandardCharsets.UTF_8));
    }

    private static int port(Gateway gateway, String name) {
        String line = gateway.readyLine();
        assertTrue(line.contains(name + "="), line);
        return Integer.parseInt(line.replaceAll(".*\\b" + name + "=127\\.0\\.0\\.1:(\\d+).*", "$1"));
    }
}
