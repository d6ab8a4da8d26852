package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedFilesTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));
    private Path lists = Path.of("");

    @BeforeEach
    void newRig() throws IOException {
        rig = new RebuildRig(folder);
        lists = Files.createDirectory(folder.resolve("lists"));
        rig.feeds.add(Feed.of("own", KeyKind.DOMAIN, FeedFormat.LINES, lists + "/*.txt"));
        Files.writeString(lists.resolve("a.txt"), "one.example\n");
        Files.writeString(lists.resolve("b.txt"), "two.example\nthree.example\n");
    }

    private static List<String> names(RebuildReport report) {
        return report.feeds().stream()
                .map(feed -> feed.name() + " " + feed.from().label())
                .toList();
    }

    @Test
    void eachFileIsALineOfTheReport() throws Exception {
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(List.of("own.a.txt source", "own.b.txt source"), names(report));
        assertEquals(2, report.feeds().getLast().counts().entries());
        assertEquals(Set.of("own.b.txt"), rig.listedBy("three.example"));
    }

    @Test
    void aFileThatIsBrokenCostsItselfAndOneThatIsGoneIsACorrection() throws Exception {
        rig.run();
        Files.writeString(lists.resolve("b.txt"), "<html>sorry</html>");
        assertEquals(List.of("own.a.txt source", "own.b.txt last-good-copy"), names(rig.run()));
        assertEquals(Set.of("own.b.txt"), rig.listedBy("three.example"));

        Files.delete(lists.resolve("b.txt"));
        assertEquals(List.of("own.a.txt source"), names(rig.run()));
        assertEquals(Set.of(), rig.listedBy("three.example"));
    }

    @Test
    void aFolderThatIsNotThereLeavesWhatWasReadOfIt() throws Exception {
        rig.run();
        Files.move(lists, folder.resolve("away"));
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(List.of("own nothing", "own.a.txt last-good-copy", "own.b.txt last-good-copy"), names(report));
        assertEquals(Set.of("own.a.txt"), rig.listedBy("one.example"));

        Files.move(folder.resolve("away"), lists);
        assertEquals(List.of("own.a.txt source", "own.b.txt source"), names(rig.run()));
    }

    @Test
    void theNameOfTheFeedAsksForAllItsFiles() throws Exception {
        rig.run();
        assertEquals(
                List.of("own.a.txt source", "own.b.txt source"), names(rig.run(Set.of("own"), Rebuild.Mode.PUBLISH)));
        assertEquals(
                List.of("own.a.txt last-good-copy", "own.b.txt source"),
                names(rig.run(Set.of("own.b.txt"), Rebuild.Mode.PUBLISH)));
    }
}
