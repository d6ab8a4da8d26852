package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What feeds except is in the manifest of their layer, within its bounds.
class ListExceptionsRebuildTest {
    private static final String LISTED = "||bad.example^";

    @TempDir
    Path folder;

    private RebuildRig rig;

    @BeforeEach
    void rig() {
        rig = new RebuildRig(folder);
    }

    private void feed(String name, Stream<String> exceptions) throws IOException {
        rig.feed(
                        name,
                        KeyKind.DOMAIN,
                        Stream.concat(Stream.of(LISTED), exceptions).toArray(String[]::new))
                .feedOption(name, "format", FeedFormat.ADBLOCK);
    }

    private static Stream<String> exceptions(int count) {
        return IntStream.range(0, count).mapToObj(i -> "@@||ok" + i + ".bad.example^");
    }

    private List<List<Key>> published() throws IOException {
        return new SnapshotReader()
                .verify(rig.snapshot()).feeds().stream()
                        .map(ManifestFeed::exceptions)
                        .toList();
    }

    @Test
    void theyAreSortedAndEachIsThereOnce() throws IOException {
        feed("one", Stream.of("@@||z.bad.example^", "@@||a.bad.example^", "@@||Z.bad.example^"));
        feed("none", Stream.of());
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(
                List.of(
                        List.of(new Key(KeyKind.DOMAIN, "a.bad.example"), new Key(KeyKind.DOMAIN, "z.bad.example")),
                        List.of()),
                published());
    }

    @Test
    void oneMoreThanAFeedMayHaveRefusesTheFeed() throws IOException {
        feed("full", exceptions(ManifestFeed.MAX_EXCEPTIONS));
        feed("over", exceptions(ManifestFeed.MAX_EXCEPTIONS + 1));
        assertEquals(
                List.of("over"),
                rig.run().failedFeeds().stream().map(feed -> feed.name()).toList());
        assertEquals(ManifestFeed.MAX_EXCEPTIONS, published().getFirst().size());
    }

    @Test
    void charactersBeyondTheBoundRefuseTheFeed() throws IOException {
        String label = "a".repeat(60);
        String name = String.join(".", label, label, label);
        int most = ManifestFeed.MAX_EXCEPTION_CHARS / (name + ".00000.example").length();
        feed("within", IntStream.range(0, most).mapToObj(i -> "@@||%s.%05d.example^".formatted(name, i)));
        feed("over", IntStream.range(0, most + 1).mapToObj(i -> "@@||%s.%05d.example^".formatted(name, i)));
        String failure = rig.run().failedFeeds().getFirst().failure().orElseThrow();
        assertTrue(failure.contains("characters"), failure);
        assertEquals(most, published().getFirst().size());
    }

    @Test
    void moreThanALayerMayHaveRefusesTheFeedsBeyond() throws IOException {
        for (int i = 0; i < ManifestFeed.FULL_FEEDS; i++) {
            feed("full" + i, exceptions(ManifestFeed.MAX_EXCEPTIONS));
        }
        feed("more", exceptions(1));
        assertEquals(
                List.of("more"),
                rig.run().failedFeeds().stream().map(feed -> feed.name()).toList());
    }
}
