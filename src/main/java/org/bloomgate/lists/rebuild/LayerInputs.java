package org.bloomgate.lists.rebuild;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.StateFile;
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
    static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

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

    static Path file(Path snapshots, String layer) {
        return snapshots.resolve(".inputs").resolve(layer);
    }

    /// Empty if there is no valid file.
    static Optional<LayerInputs> read(Path file) throws IOException {
        try (var in = StateFile.stream(file)) {
            return Optional.ofNullable(JSON.readValue(in.readNBytes(MAX_BYTES), LayerInputs.class));
        } catch (NoSuchFileException | JsonProcessingException e) {
            return Optional.empty();
        }
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        DurableFiles.replace(file, JSON.writeValueAsBytes(this));
    }

    Optional<FeedInput> feed(String name) {
        return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
    }

    LayerInputs until(Optional<Instant> instant) {
        return new LayerInputs(generation, recipe, held, instant, feeds);
    }

    LayerInputs of(String other) {
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
