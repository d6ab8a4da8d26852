package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A gateway in a process of its own, ended by signals while a message is under way.
@Timeout(120)
class GatewaySignalIT {
    private static final Pattern READY = Pattern.compile("ready smtp=127\\.0\\.0\\.1:(\\d+) .*");

    @TempDir
    private Path folder;

    @Test
    void theFirstSignalLetsAMessageFinish() throws Exception {
        Process gateway = start();
        try (BufferedReader log = gateway.errorReader();
                Client client = new Client(port(log))) {
            client.toData();
            gateway.toHandle().destroy();
            awaitLine(log, Pattern.compile(".*SIGTERM: stopping.*"));
            assertEquals("250", client.say("Subject: x\r\n\r\nx\r\n.").substring(0, 3));
            assertEquals("421", client.line().substring(0, 3));
            assertEquals(ExitStatus.FINE, gateway.waitFor());
        } finally {
            gateway.destroyForcibly();
        }
        try (Stream<Path> mail = Files.list(folder.resolve("mail", "new"))) {
            assertEquals(1, mail.count());
        }
    }

    @Test
    void theSecondSignalStopsAtOnce() throws Exception {
        Process gateway = start();
        try (BufferedReader log = gateway.errorReader();
                Client client = new Client(port(log))) {
            client.toData();
            gateway.toHandle().destroy();
            awaitLine(log, Pattern.compile(".*SIGTERM: stopping.*"));
            gateway.toHandle().destroy();
            assertEquals(143, gateway.waitFor());
        } finally {
            gateway.destroyForcibly();
        }
        try (Stream<Path> mail = Files.list(folder.resolve("mail", "new"))) {
            assertEquals(0, mail.count());
        }
    }

    private Process start() throws IOException {
        List<String> sets = List.of(
                "smtp.listen=127.0.0.1:0",
                "http.listen=127.0.0.1:0",
                "state=" + folder,
                "nextHop=maildir:" + folder.resolve("mail"));
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=logback.xml",
                Bloomgate.class.getName(),
                "gateway");
        List<String> command = Stream.concat(java, sets.stream().flatMap(set -> Stream.of("--set", set)))
                .toList();
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int port(BufferedReader log) throws IOException {
        return Integer.parseInt(awaitLine(log, READY).group(1));
    }

    private static Matcher awaitLine(BufferedReader log, Pattern wanted) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            seen.append(line).append('\n');
            Matcher matcher = wanted.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        throw new AssertionError("no " + wanted + " in:\n" + seen);
    }

    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertTrue(line().startsWith("220"));
        }

        void toData() throws IOException {
            assertTrue(say("HELO client.example").startsWith("250"));
            assertTrue(say("MAIL FROM:<a@from.example>").startsWith("250"));
            assertTrue(say("RCPT TO:<b@to.example>").startsWith("250"));
            assertTrue(say("DATA").startsWith("354"));
        }

        String say(String text) throws IOException {
            socket.getOutputStream().write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return line();
        }

        String line() throws IOException {
            String line = in.readLine();
            return line == null ? "" : line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
