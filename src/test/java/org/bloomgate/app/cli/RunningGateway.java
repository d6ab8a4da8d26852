package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.app.gateway.wiring.Rebuilds;
import org.bloomgate.lists.snapshot.RebuildHistory;

/// A whole gateway on free ports over one nightly layer that lists one domain; delivers into a maildir.
record RunningGateway(Gateway gateway) implements AutoCloseable {
    static final String LISTED = "feed-listed.example";
    static final String TOKEN = "0123456789abcdef";

    /// A command or a message is sent at a time.
    private static final Pattern PARTS = Pattern.compile("(?<=\r\n)(?=MAIL|RCPT|DATA|QUIT|Subject)");

    static RunningGateway start(Path folder) throws Exception {
        return start(folder, "");
    }

    /// @param more lines of its configuration
    static RunningGateway start(Path folder, String more) throws Exception {
        Path file = configure(folder, more, "");
        Invocation built = Invocation.of("", List.of("rebuild", "-c", file.toString()));
        assertEquals(ExitStatus.FINE, built.status(), built::toString);
        return read(Optional.empty(), file);
    }

    /// One that makes no snapshots of its own: it follows the other, asks it for listings, and a zone that
    /// nobody serves.
    static RunningGateway follow(RunningGateway other, Path folder) throws Exception {
        Rebuilds ofNothing = new Rebuilds(
                _ -> List.of(), Optional.empty(), _ -> false, new RebuildHistory(folder), InstantSource.system());
        return read(
                Optional.of(ofNothing),
                configure(folder, """
                    exact: { store: http, http: { urls: ["BASE"] }, dns: { resolvers: ["127.0.0.1:1"] } }
                    mirror: { url: "BASE" }
                    dns: { listen: "127.0.0.1:0", zones: { "dbl.test": { kinds: [domain] } } }
                    milter: { listen: "127.0.0.1:0" }
                    """.replace("BASE", other.http("").toString()), ", confirm: dns, zone: zone.test"));
    }

    private static RunningGateway read(Optional<Rebuilds> rebuilds, Path file) throws Exception {
        return new RunningGateway(Gateway.start(new ConfigurationSource(file, Map.of()).read(), rebuilds));
    }

    private static Path configure(Path folder, String more, String ofFeed) throws IOException {
        Path file = folder.resolve("bloomgate.yaml");
        Files.writeString(file, """
            state: FOLDER
            nextHop: "maildir:FOLDER/mail"
            http: { listen: "127.0.0.1:0", adminToken: TOKEN }
            smtp: { listen: "127.0.0.1:0" }
            feeds: FOLDER/feeds.yaml
            """.replace("FOLDER", folder.toString()).replace("TOKEN", TOKEN) + more);
        Files.writeString(folder.resolve("feeds.yaml"), """
            feeds:
              - { name: test, kind: domain, format: lines, match: suffix, source: "FOLDER/domains.txt",
                  category: phishing, cadence: nightly, use: [sender, header, link]MORE }
            """.replace("FOLDER", folder.toString())
                .replace("MORE", ofFeed));
        Files.writeString(folder.resolve("domains.txt"), LISTED + "\n");
        return file;
    }

    URI http(String path) {
        return URI.create("http://127.0.0.1:" + port("http") + path);
    }

    private int port(String name) {
        return Integer.parseInt(gateway.readyLine().replaceAll(".*\\b" + name + "=127\\.0\\.0\\.1:(\\d+).*", "$1"));
    }

    /// The code of the reply to a message that links to this host.
    String link(String host) throws IOException {
        return send("a@from.example", "http://" + host + "/");
    }

    /// The code of the reply to a message from this sender with this text.
    String send(String sender, String text) throws IOException {
        String all = "EHLO client.example\r\nMAIL FROM:<" + sender + ">\r\nRCPT TO:<b@to.example>\r\nDATA\r\n"
                + "Subject: test\r\n\r\n" + text + "\r\n.\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port("smtp"))) {
            BufferedReader replies =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String reply = reply(replies);
            for (String part : PARTS.splitAsStream(all).toList()) {
                socket.getOutputStream().write(part.getBytes(StandardCharsets.UTF_8));
                reply = reply(replies);
            }
            return reply;
        }
    }

    private static String reply(BufferedReader replies) throws IOException {
        String line = replies.readLine();
        while (line != null && line.charAt(3) == '-') {
            line = replies.readLine();
        }
        return line == null ? "closed" : line.substring(0, 3);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
