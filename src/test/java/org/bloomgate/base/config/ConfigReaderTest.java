package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.core.key.Place;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.smtp.ListenerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    @TempDir
    Path folder;

    @Test
    void emptyFile_hasTheDefaults() throws Exception {
        assertEquals(Configuration.defaults(), read("# nothing\n"));
    }

    @Test
    void map_overridesEntryByEntry() throws Exception {
        Configuration read = read("policy: { listed: { link: tag }, recipients: { lists.example: { listed: tag } } }");
        assertEquals(Action.TAG, read.policy().listed().get(Place.LINK));
        assertEquals(Action.REJECT, read.policy().listed().get(Place.ENVELOPE));
        assertEquals(
                Map.of(MailboxPattern.of("lists.example"), OverridesFor.everyPlace(Action.TAG)),
                read.policy().recipients());
    }

    @Test
    void listener_inheritsAndIsCheckedWithInheritedValues() throws Exception {
        Configuration read = read("""
            smtp:
              relayDomains: [to.example]
              listeners:
                more: { listen: "0.0.0.0:25", clientNetworks: [], policy: { listed: { link: tag } } }
            """);
        ListenerOptions more = Objects.requireNonNull(read.smtp().listeners().get("more"));
        assertEquals(Optional.empty(), more.relayDomains());
        assertEquals(Optional.of(List.of()), more.clientNetworks());
        assertEquals(Map.of(Place.LINK, Action.TAG), more.policy().listed());
        String file = folder.resolve("bloomgate.yaml").toString();
        List<String> errors = errorsOf("""
            smtp:
              maxRecipients: 7
              listeners:
                open: { listen: "0.0.0.0:25" }
                Upper: { listen: "127.0.0.1:0" }
                nowhere: {}
                proxied: { listen: "127.0.0.1:0", proxyProtocol: true }
                secure: { listen: "127.0.0.1:0", tls: { mode: implicit } }
            """).stream().map(ConfigError::toString).toList();
        assertEquals(5, errors.size());
        for (String name : List.of("Upper", "nowhere", "open", "proxied", "secure")) {
            assertTrue(
                    errors.stream().anyMatch(error -> error.matches(".*:[4-8]: smtp\\.listeners\\." + name + ": .*")),
                    errors.toString());
        }
        assertTrue(errors.getLast().startsWith(file + ":8: smtp.listeners.secure: mode: "), errors.getLast());
    }

    @Test
    void invalidAddress_isAnErrorWithKeyLineAndExample() {
        String file = folder.resolve("bloomgate.yaml").toString();
        assertEquals(
                List.of(
                        file + ":2: smtp.listen: '2525' is not host:port (for example 127.0.0.1:2525 or [::1]:8080)",
                        file
                                + ":4: smtp.trusted[1]: 'a.example' is not an address or network"
                                + " (for example 192.0.2.0/24)",
                        file + ":5: http.listen: ':8080' is not host:port (for example 127.0.0.1:8080 or [::1]:8080)"),
                errorsOf("""
                    smtp:
                      listen: 2525
                      clientNetworks: [ "192.0.2.0/24" ]
                      trusted: [ "::1", a.example ]
                    http: { listen: ":8080" }
                    """).stream().map(ConfigError::toString).toList());
    }

    @Test
    void json_isRead() throws Exception {
        assertEquals(
                Duration.ofMillis(10),
                read("{\"exact\": {\"deadline\": \"10ms\"}}").exact().deadline());
    }

    @Test
    void contradictionsOfFeed_areErrorsWithLines() throws Exception {
        Path file = Files.writeString(folder.resolve("feeds.yaml"), """
            feeds:
              - { name: fine, source: fine.txt }
              - name: table
                source: table.csv
                format: csv
              - name: UPPER
                kind: password
                source: passwords.txt
                use: [link]
              - { kind: url }
            """);
        ConfigException wrong = assertThrows(ConfigException.class, () -> ConfigReader.read(file, Feeds.defaults()));
        assertEquals(
                List.of(
                        file + ":3: feeds[1].column: format csv needs the name of the column",
                        file + ":6: feeds[2].name: 1 to 64 of a-z 0-9 . _ - are needed, a letter or digit first",
                        file + ":9: feeds[2].use: is about identifiers in mail, leave it out for kind password",
                        file + ":10: feeds[3].name: 1 to 64 of a-z 0-9 . _ - are needed, a letter or digit first",
                        file + ":10: feeds[3].source: a path, an http(s) URL or - is needed"),
                wrong.errors().stream().map(ConfigError::toString).toList());
    }

    @Test
    void feedInConflictWithAnother_isAnErrorAtItsLine() throws Exception {
        Path file = Files.writeString(folder.resolve("feeds.yaml"), """
            allow: []
            feeds:
              - { name: one, source: one.txt }
              - { name: one, source: two.txt }
            """);
        ConfigException wrong = assertThrows(ConfigException.class, () -> ConfigReader.read(file, Feeds.defaults()));
        assertEquals(
                List.of(file + ":4: feeds[1].name: one is given twice, each feed needs its own"),
                wrong.errors().stream().map(ConfigError::toString).toList());
    }

    @Test
    void errors_haveLineAndRemedy() throws Exception {
        List<ConfigError> errors = errorsOf("""
            exact:
              deadlin: 250ms
              deadline: soon
            policy:
              listed: { link: refuse }
              onNoSnapshot: [tag, defer]
            rebuild: { keepGenerations: 99999999999 }
            """);
        String file = folder.resolve("bloomgate.yaml").toString();
        assertEquals(
                List.of(
                        file + ":2: unknown key 'exact.deadlin'; did you mean 'exact.deadline'?",
                        file + ":3: exact.deadline: 'soon' is not a duration (for example 250ms, 20s, 5m, 2h, 7d)",
                        file
                                + ":5: policy.listed.link: 'refuse' is none of pass, tag, quarantine, defer, discard,"
                                + " reject",
                        file + ":6: policy.onNoSnapshot takes one value",
                        file + ":7: rebuild.keepGenerations: '99999999999' is above the largest value, 2147483647"),
                errors.stream().map(ConfigError::toString).toList());
    }

    @Test
    void malformedYaml_isAnErrorWithItsLine() {
        List<ConfigError> errors = errorsOf("exact:\n  store: [embedded\npolicy: {}\n");
        assertEquals(1, errors.size());
        assertEquals(folder.resolve("bloomgate.yaml") + ":2", errors.getFirst().where());
    }

    @Test
    void duplicateKey_isAnError() {
        assertEquals(
                List.of("'exact' a second time; the first is at " + folder.resolve("bloomgate.yaml") + ":1"),
                errorsOf("exact: {}\nexact: {}\n").stream()
                        .map(ConfigError::message)
                        .toList());
    }

    @Test
    void anchors_areErrors() {
        assertEquals(
                List.of("anchors and aliases are not read; write the value out"),
                errorsOf("exact: &x {}\npolicy: *x\n").stream()
                        .map(ConfigError::message)
                        .toList());
    }

    @Test
    void missingFile_isAnError() {
        ConfigException e = assertThrows(
                ConfigException.class,
                () -> ConfigReader.read(folder.resolve("none.yaml"), Map.of(), Map.of(), Configuration.defaults()));
        assertEquals(folder.resolve("none.yaml") + ": no such file", e.getMessage());
    }

    @Test
    void fileNotInUtf8_isAnError() throws IOException {
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'#', (byte) 0xe4, '\n'});
        ConfigException refused = assertThrows(
                ConfigException.class, () -> ConfigReader.read(latin, Map.of(), Map.of(), Configuration.defaults()));
        assertEquals(latin + ": cannot be read: it is not in UTF-8", refused.getMessage());
    }

    @Test
    void commandLine_overridesEnvironment_overridesFile() throws Exception {
        Files.writeString(folder.resolve("c.yaml"), "exact: { deadline: 1ms }\nsmtp: { maxRecipients: 7 }\n");
        Configuration read = ConfigReader.read(
                folder.resolve("c.yaml"),
                Map.of("BLOOMGATE_EXACT_DEADLINE", "2ms", "BLOOMGATE_SMTP_MAXRECIPIENTS", "8", "BLOOMGATE_PORT", "x"),
                Map.of("exact.deadline", "3ms", "exact.onUnknown.phishing", "defer"),
                Configuration.defaults());
        assertEquals(Duration.ofMillis(3), read.exact().deadline());
        assertEquals(8, read.smtp().limits().maxRecipients());
        assertEquals(Action.DEFER, read.exact().onUnknown().get("phishing"));
    }

    @Test
    void pathOnTheCommandLine_isOneValue() throws Exception {
        Path file = Files.writeString(folder.resolve("empty.yaml"), "");
        assertEquals(
                Path.of("/srv/a,b"),
                ConfigReader.read(file, Map.of(), Map.of("snapshots", "/srv/a,b"), Configuration.defaults())
                        .snapshots());
    }

    @Test
    void wrongSetOption_isAnErrorWithTheOption() throws Exception {
        Files.writeString(folder.resolve("c.yaml"), "");
        ConfigException e = assertThrows(
                ConfigException.class,
                () -> ConfigReader.read(
                        folder.resolve("c.yaml"),
                        Map.of(),
                        Map.of("exact.deadlines", "3ms"),
                        Configuration.defaults()));
        assertEquals(
                "--set exact.deadlines: unknown key 'exact.deadlines'; did you mean 'exact.deadline'?", e.getMessage());
    }

    private Configuration read(String text) throws ConfigException, IOException {
        Path file = folder.resolve("bloomgate.yaml");
        Files.writeString(file, text);
        return ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
    }

    private List<ConfigError> errorsOf(String text) {
        return assertThrows(ConfigException.class, () -> read(text)).errors();
    }
}
