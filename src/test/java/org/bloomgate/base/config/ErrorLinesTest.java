package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.gateway.options.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A wrong value in the shipped configuration is found at its own line, anyone who finds it: the reader, the
/// type of the value or the record that holds it.
class ErrorLinesTest {
    private static final Path SHIPPED = Path.of("config/bloomgate.yaml");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            snapshotKey: ""                | smtpp: {}                               | unknown key 'smtpp'
              listen: "127.0.0.1:2525"     | listen: 2525                            | smtp.listen: '2525' is not host:port
              hostname: localhost          | hostname: a_b                           | smtp.hostname: 'a_b' is not a host name
              clientNetworks: []           | clientNetworks: ["::1", x]              | smtp.clientNetworks[1]: 'x' is not an
              trusted: []                  | trusted: ["192.0.2.0/33"]               | smtp.trusted[0]: '192.0.2.0/33' is not an
              proxyProtocol: false         | proxyProtocol: true                     | smtp.proxyProtocol: name the proxies
              maxSessions: 8192            | maxSessions: 0                          | smtp.maxSessions must be above 0
                data: 3m                   | data: 0s                                | smtp.timeouts.data must be above 0
              greetingDelay: 0s            | greetingDelay: 2m                       | smtp.greetingDelay must be from 0s to 1m
                mode: starttls             | mode: implicit                          | smtp.tls.mode: implicit needs
            nextHop: "maildir:var/mail"    | nextHop: "http://mx.example"            | nextHop: "http://mx.example"
              poolSize: 256                | poolSize: 0                             | nextHopOptions.poolSize: 0 is not between
              listen: "127.0.0.1:8080"     | listen: ":8080"                         | http.listen: ':8080' is not host:port
              checksPerSecond: 0           | checksPerSecond: -1                     | http.checksPerSecond: '-1' is not a whole
              deadline: 250ms              | deadline: 0s                            | exact.deadline must be above 0
                urls: []                   | urls: [nowhere]                         | exact.http.urls must be http://HOST
                prefix: bloomgate          | prefix: "{}"                            | exact.redis.prefix: "{}" is not
              interval: 1m                 | interval: 0s                            | mirror.interval must be above 0
              subjectPrefix: ""            | subjectPrefix: " x"                     | policy.subjectPrefix: write at most
              wordShare: 0.1               | wordShare: 1                            | message.wordShare must be from 0
                keep: 7d                   | keep: 1m                                | journal.keys.keep must be at least 1h
              keepGenerations: 3           | keepGenerations: 0                      | rebuild.keepGenerations must be at least 1
              examples: 5                  | examples: 1001                          | rebuild.examples must be 0 to
              canaries: []                 | canaries: ["a b"]                       | rebuild.canaries: 'a b' is not a domain
              sharedHosts: { paths: [], tenants: [] } | sharedHosts: { paths: ["a b"], tenants: [] } | rebuild.sharedHosts.paths: 'a b' is not a host
              memory: 0                    | memory: -1                              | filters.memory: '-1' is not a whole number
            """)
    void wrongValue_isAnErrorAtItsLine(String line, String wrong, String message) throws Exception {
        List<String> lines = Files.readAllLines(SHIPPED);
        int at = indexOf(lines, line);
        lines.set(at, " ".repeat(indentOf(lines.get(at))) + wrong);
        List<ConfigError> errors = errorsOf(lines);
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.getFirst().message().startsWith(message), errors::toString);
        assertEquals(
                folder.resolve("bloomgate.yaml") + ":" + (at + 1),
                errors.getFirst().where());
    }

    /// What is asked of a key because of another one is found at the key.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            store: embedded | store: http  | urls: []  | exact.http.urls: name a lookup service
            store: embedded | store: redis | nodes: [] | exact.redis.nodes: name a server
            key: "" | key: server.key | certificate: "" | smtp.tls.certificate: set it too
            listen: "127.0.0.1:2525" | listen: ":25" | relayDomains: ["*"] | smtp.relayDomains and clientNetworks open
            """)
    void missingValue_isAnErrorAtItsLine(String line, String other, String key, String message) throws Exception {
        List<String> lines = Files.readAllLines(SHIPPED);
        int changed = indexOf(lines, line);
        lines.set(changed, " ".repeat(indentOf(lines.get(changed))) + other);
        ConfigError error = errorsOf(lines).getFirst();
        assertTrue(error.message().startsWith(message), error::toString);
        assertEquals(folder.resolve("bloomgate.yaml") + ":" + (indexOf(lines, key) + 1), error.where());
    }

    /// What is found wrong with the machine may be about a value that nobody wrote.
    @Test
    void problemOfDefault_hasNoSource() throws Exception {
        Path file = Files.writeString(
                folder.resolve("bloomgate.yaml"), "snapshots: var\nsmtp:\n  hostname: mx.dest.example\n");
        ParsedConfig<Configuration> read = ConfigReader.parse(
                file,
                Map.of("BLOOMGATE_HTTP_LISTEN", "127.0.0.1:0"),
                Map.of("log.level", "debug"),
                Configuration.defaults());
        assertEquals(
                List.of(
                        "journal.directory: var cannot be written to",
                        "log.format: wrong",
                        "smtp.bareLineEnds: var cannot be written to",
                        file + ":3: smtp.hostname: wrong",
                        "--set log.level: wrong",
                        "BLOOMGATE_HTTP_LISTEN: http.listen: taken"),
                read
                        .errors(List.of(
                                "journal.directory: var cannot be written to",
                                "log.format: wrong",
                                "smtp.bareLineEnds: var cannot be written to",
                                "smtp.hostname: wrong",
                                "log.level: wrong",
                                "http.listen: taken"))
                        .stream()
                        .map(ConfigError::toString)
                        .toList());
    }

    private List<ConfigError> errorsOf(List<String> lines) throws Exception {
        Path file = Files.write(folder.resolve("bloomgate.yaml"), lines);
        return assertThrows(
                        ConfigException.class,
                        () -> ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults()))
                .errors();
    }

    private static int indexOf(List<String> lines, String text) {
        int at = lines.stream().map(String::strip).toList().indexOf(text.strip());
        assertTrue(at >= 0, text);
        return at;
    }

    private static int indentOf(String line) {
        return line.length() - line.stripLeading().length();
    }
}
