package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void build() throws IOException {
        write("bloomgate.yaml", """
                snapshots: FOLDER/snapshots
                feeds: FOLDER/feeds.yaml
                journal: { directory: FOLDER/decisions, keys: { directory: FOLDER/keys } }
                local: { directory: FOLDER/local }
                """);
        write("feeds.yaml", """
                feeds:
                  - { name: plain, kind: domain, source: FOLDER/hosts, category: phishing }
                  - { name: mild, kind: domain, source: FOLDER/hosts, category: phishing, action: tag }
                  - { name: new, kind: domain, source: FOLDER/hosts, category: phishing, shadow: true }
                  - { name: nets, kind: network, format: cidr, source: FOLDER/nets, category: spam, shadow: true, trusted: true }
                """);
        write("hosts", "evil.example\n");
        write("nets", "192.0.2.0/24\n");
        Invocation built = run("rebuild");
        assertEquals(ExitStatus.FINE, built.status(), built::toString);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text.replace("FOLDER", folder.toString()));
    }

    private Invocation run(String command, String... arguments) {
        return Invocation.of(
                "",
                Stream.concat(
                                Stream.of(
                                        command,
                                        "-c",
                                        folder.resolve("bloomgate.yaml").toString()),
                                Stream.of(arguments))
                        .toList());
    }

    private static String feed(Invocation explained, String name) {
        return explained.lines().stream()
                .filter(line -> line.contains("feed " + name + ","))
                .findFirst()
                .orElseThrow(() -> new AssertionError(explained.out()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ABCDEFGH123", "ABCDEFGH1234U", "abcd-efgh-12u4"})
    void aTokenThatWasNotReadRightIsNoAnswer(String token) {
        Invocation explained = run("explain", token);

        assertEquals(ExitStatus.MISTAKE, explained.status());
        assertTrue(explained.err().contains("neither a token"), explained::err);
    }

    @Test
    void whatAFeedMayLeadToIsSaidBesideWhatItLists() {
        Invocation explained = run("explain", "evil.example");

        assertTrue(feed(explained, "mild").endsWith(", does at most tag"), explained::out);
        assertTrue(feed(explained, "new").endsWith(", in shadow: recorded, not enforced"), explained::out);
        assertTrue(feed(explained, "plain").endsWith("last seen TIME"), explained::out);
    }

    @Test
    void theSameHoldsForNetworks() {
        Invocation explained = run("explain", "--kind", "network", "192.0.2.7");

        assertTrue(feed(explained, "nets").endsWith(", in shadow: recorded, not enforced"), explained::out);
    }

    @Test
    void asJsonNothingIsSaidOfAFeedOfWhichThereIsNothingToSay() {
        String object = run("explain", "--json", "evil.example").lines().getFirst();

        assertTrue(object.matches(".*\"feed\":\"mild\"[^}]*\"atMost\":\"tag\"}.*"), object);
        assertTrue(object.matches(".*\"feed\":\"new\"[^}]*\"shadow\":true}.*"), object);
        assertFalse(object.matches(".*\"feed\":\"plain\"[^}]*(atMost|shadow).*"), object);
    }
}
