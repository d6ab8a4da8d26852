package org.bloomgate.lists.rebuild;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.lists.layer.FeedReport;

/// The inputs of the last rebuild of a layer. From them the next rebuild decides whether it is due and what has
/// changed. They are in a small file of the builder, which is replaced after the pointer. If it is missing,
/// damaged, or of another generation than the current one, the layer is due.
///
/// @param generation that was current when the rebuild ended
/// @param recipe digest of everything except the feeds that determines the content of a snapshot
/// @param held whether a gate closed, so that the current generation was not made from these inputs
/// @param holdsUntil when the same feeds would make another snapshot, as a retained listing or a seed expires
record LayerInputs(
        String generation, String recipe, boolean held, Optional<Instant> holdsUntil, List<FeedInput> feeds) {
    /// Some ten thousand feeds.
    private static final int MAX_BYTES = 8 << 20;

    /// One feed.
    ///
    /// @param definition digest of the feed as configured
    /// @param requestedAt time of the last request to its source; empty if there was none
    /// @param stamp of a source on this machine, see [org.bloomgate.lists.fetch.SourceStamp]
    /// @param fingerprint of the content that its keys come from; empty if there is none
    /// @param from as in the manifest
    /// @param failed whether today's content was rejected
    record FeedInput(
            String name,
            String definition,
            Optional<Instant> requestedAt,
            Optional<String> stamp,
            String fingerprint,
            FeedReport.From from,
            boolean failed) {

        /// Whether the feed contributes the same keys as before. A feed that fails for the first time is a
        /// change.
        boolean isSameAs(FeedInput before) {
            return name.equals(before.name)
                    && definition.equals(before.definition)
                    && fingerprint.equals(before.fingerprint)
                    && from.isFresh() == before.from.isFresh();
        }
    }

    LayerInputs {
        feeds = List.copyOf(feeds);
    }

    static JsonFile<LayerInputs> file(Path snapshots, String layer) {
        return new JsonFile<>(snapshots.resolve(".inputs").resolve(layer), MAX_BYTES, LayerInputs.class);
    }

    Optional<FeedInput> feed(String name) {
        return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
    }

    LayerInputs withHoldsUntil(Optional<Instant> instant) {
        return new LayerInputs(generation, recipe, held, instant, feeds);
    }

    LayerInputs withGeneration(String other) {
        return new LayerInputs(other, recipe, held, holdsUntil, feeds);
    }

    /// Whether a snapshot from these inputs would have the same content as one from earlier inputs.
    boolean areSameAs(LayerInputs before, Instant now) {
        boolean sameFeeds = feeds.size() == before.feeds.size()
                && feeds.stream()
                        .allMatch(feed -> before.feed(feed.name()).stream().anyMatch(feed::isSameAs));
        return sameFeeds
                && !before.held
                && recipe.equals(before.recipe)
                && before.holdsUntil.stream().allMatch(now::isBefore);
    }
}
