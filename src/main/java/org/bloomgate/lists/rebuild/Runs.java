package org.bloomgate.lists.rebuild;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.OwnJson;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;

/// A directory with the sorted content of feeds: the first half of a rebuild, made by any engine. `runs.json`
/// describes the runs and is written last; without it there are none.
///
/// A run is a file of records as [org.bloomgate.lists.sort.RunWriter] writes them, in order of the key's
/// unsigned bytes, then of the source, which is the position of the feed in its layer, with [#BELOW] added for a
/// key of which the feed lists only the names below. A key may be in several runs.
///
/// @param folder with the files
public record Runs(Path folder, Index index) {
    /// Above the position of any feed.
    public static final int BELOW = 1 << 15;

    private static final String INDEX = "runs.json";

    /// Some ten thousand feeds and runs.
    private static final int MAX_INDEX_BYTES = 8 << 20;

    private static final int FORMAT_VERSION = 1;
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private static final JsonMapper JSON = OwnJson.MAPPER
            .rebuild()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /// The content of `runs.json`.
    ///
    /// @param canonicalForm version of the rules that made the keys
    /// @param createdAt when the feeds were read: the time of the snapshot
    /// @param seed of the filters; drawn when absent
    /// @param suffixes SHA-256 of the public suffix list that the keys were made with
    /// @param allowed digest of the gates that held entries back; if absent, the gates are applied to each key
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Index(
            int formatVersion,
            int canonicalForm,
            Instant createdAt,
            OptionalLong seed,
            Optional<String> suffixes,
            Optional<String> allowed,
            List<OfLayer> layers) {
        public Index {
            Objects.requireNonNull(createdAt, "createdAt");
            layers = List.copyOf(layers);
        }

        /// For this version of the format.
        public Index(
                Instant createdAt,
                OptionalLong seed,
                Optional<String> suffixes,
                Optional<String> allowed,
                List<OfLayer> layers) {
            this(FORMAT_VERSION, CanonicalForm.VERSION, createdAt, seed, suffixes, allowed, layers);
        }
    }

    /// @param feeds all of the layer, in the order configured
    public record OfLayer(String layer, List<OfFeed> feeds, List<Run> runs) {
        public OfLayer {
            feeds = List.copyOf(feeds);
            runs = List.copyOf(runs);
        }
    }

    /// @param definition digest of the feed as configured; not compared when absent
    /// @param counts of its lines
    /// @param exceptions of the feed, each kind and key: `domain good.example`; absent if there are none
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record OfFeed(String name, Optional<String> definition, FeedCounts counts, List<String> exceptions) {
        public OfFeed {
            exceptions = exceptions == null ? List.of() : List.copyOf(exceptions);
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(counts, "counts");
        }

        /// As configured now.
        public static OfFeed of(Feed feed, FeedCounts counts, List<String> exceptions) {
            return new OfFeed(feed.name(), Optional.of(OptionsDigest.of(feed)), counts, exceptions);
        }
    }

    /// @param file name in the folder
    /// @param sha256 of its bytes, in lower-case hex
    public record Run(String file, long bytes, String sha256) {
        public Run {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(sha256, "sha256");
        }
    }

    /// @throws RunsRefusedException if there are no runs, or they have another version
    public static Runs read(Path folder) throws IOException {
        Path file = folder.resolve(INDEX);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MAX_INDEX_BYTES + 1);
            if (content.length > MAX_INDEX_BYTES) {
                throw new RunsRefusedException(file, "larger than " + (MAX_INDEX_BYTES >> 20) + " MiB");
            }
            Index index = Optional.ofNullable(JSON.readValue(content, Index.class))
                    .orElseThrow(() -> new RunsRefusedException(file, "is empty"));
            require(file, index);
            return new Runs(folder, index);
        } catch (NoSuchFileException e) {
            throw new RunsRefusedException(file, "is missing: the engine that makes the runs writes it last");
        } catch (JsonProcessingException e) {
            throw new RunsRefusedException(file, "is not JSON of the documented form: " + e.getOriginalMessage());
        }
    }

    private static void require(Path file, Index index) throws RunsRefusedException {
        if (index.formatVersion() != FORMAT_VERSION) {
            throw new RunsRefusedException(
                    file, "has format version " + index.formatVersion() + ", and this program reads " + FORMAT_VERSION);
        }
        if (index.canonicalForm() != CanonicalForm.VERSION) {
            throw new RunsRefusedException(
                    file,
                    "has keys of canonical form " + index.canonicalForm() + ", and this program makes "
                            + CanonicalForm.VERSION + ": make the runs again");
        }
        for (OfLayer layer : index.layers()) {
            for (Run run : layer.runs()) {
                if (!FILE.matcher(run.file()).matches()) {
                    throw new RunsRefusedException(file, "a run is not the name of a file in this directory");
                }
            }
        }
    }

    /// The feeds of the runs of a layer, in order.
    ///
    /// @param snapshots root of all layers
    public static List<Feed> feeds(Path snapshots, List<Feed> configured, Cadence cadence) {
        return new FeedFiles(snapshots)
                .of(configured).stream()
                        .filter(feed -> feed.cadence() == cadence)
                        .toList();
    }

    /// Writes the index of a folder, after all its runs are written and synced.
    public static void write(Path folder, Index index) throws IOException {
        DurableFiles.replace(folder.resolve(INDEX), JSON.writeValueAsBytes(index));
    }

    /// Deletes the index of a folder, before other runs are written there.
    public static void deleteIndex(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(INDEX));
    }

    /// @throws RunsRefusedException if the runs have no such layer
    OfLayer of(String layer) throws RunsRefusedException {
        return index.layers().stream()
                .filter(candidate -> candidate.layer().equals(layer))
                .findFirst()
                .orElseThrow(() -> new RunsRefusedException(folder.resolve(INDEX), "no layer " + layer));
    }

    /// Whether the runs have such a layer.
    public boolean has(String layer) {
        return index.layers().stream().anyMatch(candidate -> candidate.layer().equals(layer));
    }
}
