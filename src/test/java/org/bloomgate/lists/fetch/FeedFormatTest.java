package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.lists.format.FeedFixtures;
import org.bloomgate.lists.format.RecordingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reads each feed of `src/test/resources/feeds` and compares with the expectation beside it.
class FeedFormatTest {
    private static final Path FEEDS = Path.of("src/test/resources/feeds");

    static Stream<Path> expectations() throws IOException {
        try (Stream<Path> files = Files.list(FEEDS)) {
            return files
                    .filter(file -> file.toString().endsWith(".expect"))
                    .map(Path::getFileName)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("expectations")
    void everyLineEndsAsExpected(Path name) throws IOException {
        List<String> lines = Files.readAllLines(FEEDS.resolve(name));
        int blank = lines.indexOf("");
        Feed feed = FeedFixtures.feed(settings(lines.subList(0, blank)));
        List<String> expected = lines.subList(blank + 1, lines.size());
        byte[] bytes = Files.readAllBytes(FEEDS.resolve(name.toString().replace(".expect", "")));

        if (expected.getFirst().startsWith("refused ")) {
            FeedRefusedException refused =
                    assertThrows(FeedRefusedException.class, () -> FeedFixtures.read(feed, bytes, new RecordingSink()));
            String words = expected.getFirst().substring("refused ".length());
            assertTrue(FeedFixtures.message(refused).contains(words), FeedFixtures.message(refused));
        } else {
            RecordingSink sink = new RecordingSink();
            FeedCounts counts = FeedFixtures.read(feed, bytes, sink);
            sink.events.add(text(counts));
            assertEquals(String.join("\n", expected), shortened(sink.events, expected));
        }
    }

    @Test
    void noFeedLiesWithoutExpectation() throws IOException {
        try (Stream<Path> files = Files.list(FEEDS)) {
            List<Path> alone = files.filter(file -> !file.toString().endsWith(".expect"))
                    .filter(file -> !file.endsWith("README.md"))
                    .filter(file -> Files.notExists(Path.of(file + ".expect")))
                    .toList();
            assertEquals(List.of(), alone);
        }
    }

    @Test
    void everyFormatHasAFixtureAndStandsInTheConfiguration() throws IOException {
        String comments = Files.readString(Path.of("config/feeds.yaml"));
        Set<String> read = new HashSet<>();
        for (Path name : expectations().toList()) {
            read.add(settings(Files.readAllLines(FEEDS.resolve(name)).stream()
                            .takeWhile(line -> !line.isEmpty())
                            .toList())
                    .getOrDefault("format", "lines"));
        }

        for (FeedFormat format : FeedFormat.values()) {
            assertTrue(read.contains(format.label()), "no fixture is read as " + format.label());
            assertTrue(comments.contains(format.label()), format.label() + " is not in config/feeds.yaml");
        }
    }

    private static Map<String, String> settings(List<String> lines) {
        Map<String, String> settings = new HashMap<>();
        lines.forEach(line -> settings.put(
                line.substring(0, line.indexOf(':')),
                line.substring(line.indexOf(':') + 1).strip()));
        return settings;
    }

    private static String text(FeedCounts counts) {
        return "counts " + counts.lines() + " " + counts.entries() + " " + counts.comments() + " " + counts.rejects()
                + " " + counts.held() + " " + counts.keys();
    }

    /// Reasons only as far as the expectation gives them.
    private static String shortened(List<String> events, List<String> expected) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < events.size(); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "";
            String event = events.get(i);
            boolean begun = wanted.contains(" reject ") && event.startsWith(wanted);
            out.append(i == 0 ? "" : "\n").append(begun ? wanted : event);
        }
        return out.toString();
    }
}
