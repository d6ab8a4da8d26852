package org.bloomgate.app.gateway.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedsFolderTest {
    @TempDir
    private Path home;

    private FeedsFolder folder;

    @BeforeEach
    void write() throws IOException {
        folder = new FeedsFolder(home.resolve("feeds.yaml"));
        write("feeds.yaml", """
                feeds:
                  - { name: mine, source: mine.txt }
                  - catalogue: openphish
                    source: phish.txt

                  - { name: last, source: last.txt }
                """);
        Files.createDirectories(folder.folder());
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(home.resolve(name), text);
    }

    private List<String> names() throws ConfigException {
        return folder.parse().value().feeds().stream().map(Feed::name).toList();
    }

    private Feed feed(String name) throws ConfigException {
        return folder.all().feeds().stream()
                .filter(feed -> feed.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void files_areReadAfterTheFeedsFileInOrderOfTheirNames() throws Exception {
        write("feeds.d/b.yaml", "source: b.txt");
        write("feeds.d/a.yml", "{ name: a, source: a.txt }");
        write("feeds.d/c.yaml.tmp", "not a feed");
        write("feeds.d/c.yml.bak", "not a feed");
        assertEquals(List.of("mine", "openphish", "last", "a", "b"), names());
        assertTrue(folder.remove("a"));
        assertEquals(List.of("mine", "openphish", "last", "b"), names());
    }

    @Test
    void keysOfAFeed_overrideThoseOfTheCatalogue() throws Exception {
        write("feeds.d/urlhaus.yaml", "catalogue: urlhaus\nshadow: true\nauth: { env: MINE }\n");
        write("feeds.d/second.yaml", "{ catalogue: openphish, source: again.txt }");
        Feed merged = feed("urlhaus");
        assertTrue(merged.effect().shadow());
        assertEquals("MINE", merged.transfer().auth().env());
        assertEquals("Auth-Key", merged.transfer().auth().header());
        assertEquals("https://urlhaus.abuse.ch/downloads/csv_recent/", merged.source());
        assertEquals("phish.txt", feed("openphish").source());
        assertEquals(14, feed("second").retention().toDays());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x    | {catalogue: openfish}                 | 1 | catalogue: there is no 'openfish' in the catalogue; did you mean 'openphish'?
            x    | {source: x.txt, formt: lines}         | 1 | unknown key 'feeds[3].formt'
            x    | {source: x.txt,LF kind: dmain}        | 2 | feeds[3].kind: 'dmain' is none of
            x    | {source: x.txt,LF name: y}            | 2 | name: 'y' is in the file of x; rename one
            x    | {catalogue: openphish,LF format: csv} | 1 | feeds[3].column: format csv needs
            mine | {source: x.txt}                       | 1 | feeds[3].name: mine is given twice
            X    | {source: x.txt}                       | 1 | feeds[3].name: 1 to 64 of a-z
            x    | 5                                     | 1 | takes keys and values
            """)
    void mistake_isReportedWithFileAndLine(String name, String text, int line, String message) throws IOException {
        write("feeds.d/" + name + ".yaml", text.replace("LF", "\n"));
        ConfigException refused = assertThrows(ConfigException.class, this::names);
        String expected = folder.file(name) + ":" + line + ": " + message;
        assertTrue(String.valueOf(refused.getMessage()).startsWith(expected), refused::getMessage);
    }

    @Test
    void pausedFeed_isLeftOutUntilItIsResumed() throws Exception {
        write("feeds.d/a.yaml", "source: a.txt");
        assertTrue(folder.setPaused("openphish", true));
        assertTrue(folder.setPaused("a", true));
        assertFalse(folder.setPaused("a", true));
        assertEquals(List.of("mine", "last"), names());
        assertEquals(Set.of("a", "openphish"), folder.paused());
        assertEquals(4, folder.all().feeds().size());
        assertTrue(folder.setPaused("openphish", false));
        assertEquals(List.of("mine", "openphish", "last"), names());
    }

    @Test
    void linesOfTheFeedsFile_areThoseOfTheFeedAlone() throws Exception {
        assertEquals(List.of("2:   - { name: mine, source: mine.txt }"), folder.lines("mine"));
        assertEquals(List.of("3:   - catalogue: openphish", "4:     source: phish.txt"), folder.lines("openphish"));
        assertEquals(List.of("6:   - { name: last, source: last.txt }"), folder.lines("last"));
    }
}
