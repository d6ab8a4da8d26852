package org.bloomgate.app.gateway.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.lists.fetch.Feeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationNotesTest {
    private static final String MILTER = "milter: { listen: \"127.0.0.1:8891\" }\n";
    private static final String RULES = "policy: { recipients: { to.example: { listed: tag } } }\n";
    private static final String FEEDS =
            "feeds: [ { name: a, kind: domain, source: a.txt, category: grey, action: ACTION } ]";

    @TempDir
    private Path folder;

    private List<String> ofNextHop(String yaml, String action) throws Exception {
        return of("nextHop", yaml, FEEDS.replace("ACTION", action)).stream()
                .map(note -> note.replaceAll(".*, for (.*), and a release.*", "$1"))
                .toList();
    }

    /// The notes of a setting, without its key.
    private List<String> of(String key, String yaml, String feedsYaml) throws Exception {
        Configuration configuration = read("bloomgate.yaml", yaml, Configuration.defaults());
        Feeds feeds = read("feeds.yaml", feedsYaml, Feeds.defaults());
        return ConfigurationNotes.of(configuration, feeds).stream()
                .filter(note -> note.startsWith(key + ": "))
                .map(note -> note.substring(key.length() + 2))
                .toList();
    }

    private <R extends Record> R read(String name, String yaml, R defaults) throws IOException, ConfigException {
        return ConfigReader.read(Files.writeString(folder.resolve(name), yaml), Map.of(), Map.of(), defaults);
    }

    @ParameterizedTest
    @CsvSource({"quarantine, a feed whose action is quarantine", "tag, recipients with different actions"})
    void milterBeforeAFolder_isNoted(String action, String reason) throws Exception {
        assertEquals(List.of(reason), ofNextHop(MILTER + RULES, action));
    }

    @Test
    void milterThatKeepsNothing_orWithAServer_isNotNoted() throws Exception {
        assertEquals(List.of(), ofNextHop(MILTER, "tag"));
        assertEquals(List.of(), ofNextHop(RULES, "quarantine"));
        assertEquals(List.of(), ofNextHop(MILTER + RULES + "nextHop: smtp://127.0.0.1:10026\n", "quarantine"));
    }

    @ParameterizedTest
    @CsvSource({"true, true, 0", "true, false, 1", "false, true, 1", "false, false, 2"})
    void publishedDirectory_isNotedWithoutSignatureOrLicence(boolean isSigned, boolean isFree, int count)
            throws Exception {
        String feeds = "feeds: [ { name: a, kind: domain, source: a.txt, redistribute: " + isFree + " } ]";
        String key = isSigned ? "rebuild: { signingKey: snapshot.key }\n" : "";
        assertEquals(
                count,
                of("publisher.directory", key + "publisher: { directory: www }", feeds)
                        .size());
        assertEquals(List.of(), of("publisher.directory", key, feeds));
    }

    @ParameterizedTest
    @CsvSource({"nightly, false, false", "hourly, false, false", "minutes, false, true", "minutes, true, false"})
    void layerWithoutAnEnabledTimer_isNoted(String cadence, boolean rebuilds, boolean isNoted) throws Exception {
        Configuration configuration =
                read("bloomgate.yaml", "gateway: { rebuild: " + rebuilds + " }", Configuration.defaults());
        Feeds feeds = read(
                "feeds.yaml",
                "feeds: [ { name: a, kind: domain, source: a.txt, cadence: " + cadence + " } ]",
                Feeds.defaults());
        assertEquals(
                isNoted,
                ConfigurationNotes.timer(feeds.feeds().getFirst(), configuration)
                        .isPresent());
    }
}
