package org.bloomgate.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
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
}
