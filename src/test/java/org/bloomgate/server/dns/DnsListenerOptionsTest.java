package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.ZoneFeeds;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the `dns` section takes, and where it says what is wrong.
class DnsListenerOptionsTest {
    @TempDir
    private Path folder;

    private Configuration read(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("bloomgate.yaml"), yaml);
        return ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
    }

    @Test
    void whatAZoneDoesNotSayIsAsShipped() throws Exception {
        Map<DnsName, ZoneOptions> zones = read("dns: { zones: { \"DBL.Example.\": { codes: { spam: 127.0.0.7 } } } }")
                .dns()
                .zones();
        ZoneOptions zone = zones.values().iterator().next();
        assertEquals("dbl.example", zones.keySet().iterator().next().text());
        assertEquals(ReturnCode.of("127.0.0.7"), zone.codes().get("spam"));
        assertEquals(ReturnCode.DEFAULT, zone.codes().get("default"));
        assertEquals(java.util.Set.of(KeyKind.DOMAIN), zone.kinds());
        assertEquals("listed {name} {category}", zone.text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "kinds: [url]; 5; kinds",
                "kinds: []; 5; kinds",
                "kinds: [domains]; 5; kinds",
                "codes: { spam: 128.0.0.2 }; 5; codes.spam",
                "codes: { spam: 127.0.0.1 }; 5; codes.spam",
                "codes: { spam: 127.255.255.254 }; 5; codes.spam",
                "codes: { spam: '::1' }; 5; codes.spam",
                "ttl: 2d; 5; ttl",
                "ttl: 100ms; 5; ttl",
                "text: 'see {url}'; 5; text",
                "text: \"a\\tb\"; 5; text",
                "colour: red; 5; colour",
            })
    void whatIsWrongWithAZoneIsToldWithItsLine(String line, int at, String key) {
        ConfigException refused = assertThrows(
                ConfigException.class,
                () -> read("dns:\n  listen: \"127.0.0.1:0\"\n  zones:\n    \"dbl.example\":\n      " + line + "\n"));
        ConfigError error = refused.errors().getFirst();
        assertTrue(error.where().endsWith("bloomgate.yaml:" + at), error.toString());
        assertTrue(error.message().contains(key), error.toString());
    }

    @ParameterizedTest
    @CsvSource({"dbl..example", "-x.example", "a b.example", "''"})
    void whatIsNoNameOfAZoneIsToldWithItsLine(String name) {
        ConfigException refused = assertThrows(
                ConfigException.class, () -> read("dns:\n  zones:\n    \"" + name + "\": { kinds: [domain] }\n"));
        assertTrue(refused.errors().getFirst().where().endsWith("bloomgate.yaml:3"), refused.toString());
    }

    @Test
    void textsAreBounded() {
        assertThrows(IllegalArgumentException.class, () -> Asking.zone(List.of(), Map.of(), "x".repeat(201)));
        assertEquals(
                200, Asking.zone(List.of(), Map.of(), "x".repeat(200)).text().length());
    }

    @Test
    void listeningWithoutZonesIsAMistake() {
        ConfigException refused = assertThrows(ConfigException.class, () -> read("dns:\n  listen: \"127.0.0.1:0\"\n"));
        assertTrue(refused.errors().getFirst().where().endsWith("bloomgate.yaml:2"), refused.toString());
    }

    @Test
    void aFeedThatIsNotThereIsToldWithItsLine() throws Exception {
        Configuration read = read("dns:\n  zones:\n    \"dbl.example\":\n      feeds: [sample, gone]\n");
        Path feeds = Files.writeString(
                folder.resolve("feeds.yaml"),
                "feeds:\n  - { name: sample, kind: domain, format: lines, source: a.txt, category: spam }\n");
        ConfigException refused = assertThrows(
                ConfigException.class,
                () -> ZoneFeeds.check(
                        new ConfigurationSource(folder.resolve("bloomgate.yaml"), Map.of()),
                        read,
                        ConfigReader.read(feeds, Feeds.defaults())));
        assertEquals(1, refused.errors().size());
        assertTrue(refused.errors().getFirst().where().endsWith("bloomgate.yaml:4"), refused.toString());
        assertTrue(refused.errors().getFirst().message().contains("no feed 'gone'"), refused.toString());
    }
}
