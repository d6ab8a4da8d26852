package org.bloomgate.app.gateway.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.wiring.ConfigurationCheck;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationSourceTest {
    @TempDir
    Path folder;

    private Path main;
    private Path feeds;

    @BeforeEach
    void write() throws IOException {
        feeds = Files.writeString(folder.resolve("feeds.yaml"), "feeds: []\n");
        main = Files.writeString(folder.resolve("bloomgate.yaml"), "feeds: " + feeds + "\n");
    }

    private Configuration read(String variable) throws ConfigException {
        return new ConfigurationSource(main, Map.of())
                .parse(Map.of(variable, "x"))
                .value();
    }

    @Test
    void aMisspeltVariableIsAnErrorAsAMisspeltKeyIs() {
        ConfigException refused = assertThrows(ConfigException.class, () -> read("BLOOMGATE_SMTP_RELAYDOMAIN"));
        assertEquals(
                "BLOOMGATE_SMTP_RELAYDOMAIN: unknown variable; did you mean 'BLOOMGATE_SMTP_RELAYDOMAINS'?",
                refused.getMessage());
    }

    @Test
    void aMachineThatOnlyHasCopiesNeedsNoFeeds() throws Exception {
        Files.delete(feeds);
        Configuration read = read("UNRELATED");
        assertEquals(List.of(), Rebuilding.ownListingGates(read).configured());
    }

    @Test
    void aVariableThatAFeedNamesIsNoMisspeltOne() throws Exception {
        Files.writeString(feeds, """
            feeds:
              - name: a
                kind: domain
                format: lines
                source: "https://lists.example/a"
                auth: { scheme: bearer, env: BLOOMGATE_HTTP_TOKEN }
                category: spam
            """);
        Files.writeString(main, "feeds: " + feeds + "\n");
        assertEquals(feeds, read("BLOOMGATE_HTTP_TOKEN").feeds());
        Files.writeString(feeds, "feeds: []\n");
        assertThrows(ConfigException.class, () -> read("BLOOMGATE_HTTP_TOKEN"));
    }

    @Nested
    class StateFolders {
        private List<String> folders(String yaml) throws Exception {
            Configuration read = new ConfigurationSource(Files.writeString(main, yaml), Map.of())
                    .parse(Map.of())
                    .value();
            return Stream.of(
                            read.snapshots(),
                            read.journal().directory(),
                            read.journal().keys().directory(),
                            read.local().directory(),
                            read.quarantine().folder(),
                            read.smtp().memory().temporary(),
                            read.memory().folder())
                    .map(Path::toString)
                    .toList();
        }

        @Test
        void default_isVar() throws Exception {
            assertEquals(
                    List.of(
                            "var/snapshots",
                            "var/decisions",
                            "var/keys",
                            "var/local",
                            "var/quarantine",
                            "var/tmp",
                            "var/memory"),
                    folders("http: {}"));
        }

        @Test
        void ownKeys_takePrecedenceUnlessEmpty() throws Exception {
            assertEquals(
                    List.of("/s/snapshots", "/d", "/s/keys", "/l", "/s/quarantine", "/s/tmp", "/s/memory"),
                    folders("""
                        state: /s
                        snapshots: ""
                        journal: { directory: /d, keys: { directory: } }
                        local: { directory: /l }
                        """));
        }

        @Test
        void faults_nameStateOrTheKeyOfTheFolder() throws Exception {
            Path inTheWay = Files.writeString(folder.resolve("file"), "x");
            Files.writeString(
                    main, "state: " + inTheWay + "\nlocal: { directory: " + inTheWay + "/l }\nfeeds: " + feeds);

            List<String> errors = assertThrows(
                            ConfigException.class,
                            () -> ConfigurationCheck.check(new ConfigurationSource(main, Map.of()), Map.of()))
                    .errors()
                    .stream()
                    .map(error -> error.where() + ": " + error.message().replaceFirst(": .*", ""))
                    .toList();

            assertEquals(
                    List.of(
                            main + ":1: state (decisions)",
                            main + ":1: state (keys)",
                            main + ":1: state (quarantine)",
                            main + ":1: state (tmp)",
                            main + ":2: local.directory"),
                    errors);
        }
    }
}
