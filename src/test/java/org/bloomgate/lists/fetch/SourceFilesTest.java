package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.format.FeedFixtures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFilesTest {
    @TempDir
    private Path folder;

    private Feed feed(String source) {
        return Feed.of("lists", KeyKind.DOMAIN, FeedFormat.LINES, source);
    }

    private void files(String... names) throws IOException {
        for (String name : names) {
            Files.writeString(folder.resolve(name), "a.example\n");
        }
    }

    private List<String> names(String source) {
        return SourceFiles.of(feed(source)).stream().map(Feed::name).toList();
    }

    @Test
    void aPatternIsAFeedForEachFileInOrder() throws IOException {
        files("b.txt", "a.txt", "Upper Case.txt", "c.csv", ".hidden.txt");
        Files.createDirectory(folder.resolve("d.txt"));

        assertEquals(List.of("lists.upper-case.txt", "lists.a.txt", "lists.b.txt"), names(folder + "/*.txt"));
        assertEquals(List.of("lists.a.txt", "lists.b.txt"), names(folder + "/?.txt"));
        assertEquals(
                folder.resolve("a.txt").toString(),
                SourceFiles.of(feed(folder + "/a.*")).getFirst().source());
    }

    @Test
    void aFolderIsAllItsFiles() throws IOException {
        files("b", "a.txt", ".hidden");

        assertEquals(List.of("lists.a.txt", "lists.b"), names(folder.toString()));
    }

    @Test
    void aFolderOfRangeFilesIsOneFeed() {
        Feed ranges = Feed.of("pwned", KeyKind.PASSWORD, FeedFormat.SHA1_COUNT, folder.toString());

        assertEquals(List.of(ranges), SourceFiles.of(ranges));
    }

    @Test
    void namesThatBecomeAlikeAreToldApartAndFitTheirBound() throws IOException {
        files("A B", "a-b", "a b", "x".repeat(100), "x".repeat(101));
        List<String> names = names(folder + "/*");

        assertEquals(names.stream().distinct().toList(), names);
        assertTrue(names.containsAll(List.of("lists.a-b", "lists.a-b-2", "lists.a-b-3")), names::toString);
        names.forEach(name -> assertEquals(
                List.of(), Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, "x").problems(), name));
    }

    @Test
    void noFileOrMoreThanTheBoundIsTheFeedsOwnFailure() throws IOException {
        assertFailure(feed(folder + "/*.txt"), "no such file");
        assertFailure(feed(folder + "/nowhere/*.txt"), "cannot be read");
        for (int i = 0; i < SourceFiles.MAX_FILES; i++) {
            files(i + ".txt");
        }
        assertEquals(SourceFiles.MAX_FILES, names(folder + "/*.txt").size());
        files("more.txt");
        assertFailure(feed(folder + "/*.txt"), "more than 4000 files");
    }

    private void assertFailure(Feed feed, String reason) {
        assertEquals(List.of(feed), SourceFiles.of(feed));
        FeedRefusedException refused = assertThrows(
                FeedRefusedException.class,
                () -> new FeedFetcher("test").fetch(feed, folder.resolve("into"), Validators.NONE));
        assertTrue(FeedFixtures.message(refused).contains(reason), FeedFixtures.message(refused));
    }

    @Test
    void aFileIsOfItsSourceEvenWhenItIsGone() {
        assertTrue(SourceFiles.isOf(feed("lists/*.txt"), "lists/a.txt"));
        assertFalse(SourceFiles.isOf(feed("lists/*.txt"), "lists/a.csv"));
        assertFalse(SourceFiles.isOf(feed("lists/*.txt"), "other/a.txt"));
        assertTrue(SourceFiles.isOf(feed("lists"), "lists/a.txt"));
        assertFalse(SourceFiles.isOf(feed("list.txt"), "lists/a.txt"));
        assertFalse(SourceFiles.isOf(feed("https://feeds.example/*"), "https://feeds.example/a"));
        assertTrue(SourceFiles.isOf(feed("*.txt"), "a.txt"));
    }

    @Test
    void whatCannotBeManyFilesIsSaid() {
        assertProblem(feed("lists/*/a.txt"), "source: only the name of a file");
        assertProblem(RecordCopy.with(feed("lists/*.txt"), "name", "x".repeat(33)), "name: at most 32");
        assertEquals(
                List.of(),
                RecordCopy.with(feed("lists/*.txt"), "name", "x".repeat(32)).problems());
        Feed confirmed = FeedFixtures.feed(Map.of("source", "lists/*.txt"));
        assertEquals(List.of(), confirmed.problems());
    }

    private static void assertProblem(Feed feed, String begin) {
        assertTrue(feed.problems().stream().anyMatch(problem -> problem.startsWith(begin)), feed.problems()::toString);
    }
}
