package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.app.gateway.wiring.Reload;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.audit.AuditQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// A running gateway whose configuration file changes, as SIGHUP takes it over.
@Timeout(60)
class ReloadIT {
    @TempDir
    private Path folder;

    private ConfigurationSource source;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
        logger().setLevel(Level.INFO);
        source = new ConfigurationSource(folder.resolve("bloomgate.yaml"), Map.of());
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(Reload.class);
    }

    @Test
    void aGoodFileIsInForceAndABadOneIsRefusedWithEveryFault() throws Exception {
        write("relayDomains: [to.example]");
        try (Gateway gateway = Gateway.start(source.read())) {
            Reload reload = new Reload(source, gateway);
            assertEquals("554", rcpt(gateway, "b@other.example"));

            write("relayDomains: [other.example]");
            reload.now();
            assertEquals("250", rcpt(gateway, "b@other.example"));
            assertEquals(List.of(source.file() + " read again and in force"), messages());

            write("relayDomain: [to.example]\n  maxRecipients: many\n  maxMessageBytes: 7k");
            reload.now();
            assertEquals("250", rcpt(gateway, "b@other.example"));
            assertEquals(
                    List.of(
                            source.file() + ":5: unknown key 'smtp.relayDomain'; did you mean 'smtp.relayDomains'?",
                            source.file()
                                    + ":6: smtp.maxRecipients: 'many' is not a whole number (for"
                                    + " example 500, 64k, 25M, 2G)",
                            source.file() + " refused; the configuration read before stays in force"),
                    messages());
        }
    }

    @Test
    void whatWaitsForARestartAndWhatIsNoCertificateIsNamed() throws Exception {
        write("maxRecipients: 5");
        try (Gateway gateway = Gateway.start(source.read())) {
            Reload reload = new Reload(source, gateway);
            write("maxSessions: 77\n  listeners: { more: { listen: \"127.0.0.1:0\" } }");
            Files.writeString(source.file(), "exact: { deadline: 1s }\n", StandardOpenOption.APPEND);
            Files.writeString(
                    source.file(), Files.readString(source.file()).replace("adminToken: \"\"", "checksPerSecond: 9"));
            reload.now();
            assertEquals(
                    List.of(
                            source.file() + " read again and in force",
                            "changed settings that need a restart: http.checksPerSecond, smtp.listeners.more,"
                                    + " smtp.maxSessions"),
                    messages());

            write("maxRecipients: 5");
            reload.now();
            assertEquals(List.of(source.file() + " read again and in force"), messages());

            write("tls: { certificate: none.pem, key: none.key }");
            reload.now();
            String refused = messages().getFirst();
            assertTrue(refused.contains(": smtp.tls.certificate: none.pem: no such file"), refused);
            assertEquals("250", rcpt(gateway, "b@to.example"));
        }
    }

    @Test
    void operators_areTakenOver() throws Exception {
        write("maxRecipients: 5");
        String before = Files.readString(source.file());
        Files.writeString(
                source.file(),
                before.replace(
                        "adminToken: \"\"", "open: [], operators: { ada: { role: reader, token: the-token-of-ada } }"));
        try (Gateway gateway = Gateway.start(source.read())) {
            assertEquals(List.of(401, 200), List.of(status(gateway, ""), status(gateway, "the-token-of-ada")));

            Files.writeString(source.file(), before.replace("\"\"", "the-token-of-the-admin"));
            new Reload(source, gateway).now();

            assertEquals(List.of(source.file() + " read again and in force"), messages());
            assertEquals(List.of(200, 401), List.of(status(gateway, ""), status(gateway, "the-token-of-ada")));
            assertEquals(200, status(gateway, "the-token-of-the-admin"));
            AuditQuery operators = new AuditQuery("reload", "operator", "", Instant.EPOCH, 9);
            assertEquals(
                    List.of("operator-remove ada"),
                    new AuditLog(source.read().local().directory())
                            .find(operators).events().stream()
                                    .map(event -> event.what() + " " + event.subject())
                                    .toList());
        }
    }

    private static int status(Gateway gateway, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(new RunningGateway(gateway).http("/metrics"));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void theReadyLineNamesEveryListener() throws Exception {
        write("listeners: { more: { listen: \"127.0.0.1:0\" } }");
        try (Gateway gateway = Gateway.start(source.read())) {
            String line = gateway.readyLine();
            assertTrue(
                    line.matches("ready smtp=127\\.0\\.0\\.1:\\d+ smtp\\.more=127\\.0\\.0\\.1:\\d+"
                            + " http=127\\.0\\.0\\.1:\\d+ snapshot=none aot=none"),
                    line);
        }
    }

    private void write(String text) throws IOException {
        Files.writeString(
                source.file(), """
                    state: FOLDER
                    nextHop: "maildir:FOLDER/mail"
                    http: { listen: "127.0.0.1:0", adminToken: "" }
                    smtp:
                      TEXT
                      listen: "127.0.0.1:0"
                    """.replace("FOLDER", folder.toString()).replace("TEXT", text));
    }

    /// What was logged since the last time.
    private List<String> messages() {
        List<String> messages =
                log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        log.list.clear();
        return messages;
    }

    /// The code of the reply to RCPT.
    private static String rcpt(Gateway gateway, String recipient) throws IOException {
        String ready = gateway.readyLine();
        int port = Integer.parseInt(ready.replaceAll(".* smtp=127\\.0\\.0\\.1:(\\d+) .*", "$1"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String commands = "HELO client.example\r\nMAIL FROM:<a@from.example>\r\nRCPT TO:<" + recipient + ">\r\n";
            socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
            BufferedReader replies =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return replies.lines()
                    .limit(4)
                    .reduce((before, last) -> last)
                    .orElse("none")
                    .substring(0, 3);
        }
    }
}
