package org.bloomgate.lists.mirror;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.lists.mirror.PublishedStateJson.PublishedGeneration;
import org.bloomgate.lists.snapshot.LayerDirectory;

/// Parses the published state of a publisher without signatures: layers, their generations, and the times of
/// confirmation. Other fields are ignored, as the paths of files are known.
final class PublishedStateParser {
    static final int MAX_BYTES = 64 * 1024;

    /// More than any publisher has cadences.
    private static final int MAX_LAYERS = 16;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private PublishedStateParser() {}

    /// @throws PublisherException if it is not an announcement, or names an invalid layer or generation
    static List<PublishedGeneration> read(byte[] bytes) throws PublisherException {
        JsonNode layers = layers(bytes);
        if (!layers.isArray() || layers.size() > MAX_LAYERS) {
            throw new PublisherException("current: no list of at most " + MAX_LAYERS + " layers");
        }
        List<PublishedGeneration> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode one : layers) {
            PublishedGeneration announcement = new PublishedGeneration(
                    text(one, "layer"),
                    text(one, "generation"),
                    Optional.empty(),
                    instant(text(one, "confirmedAt")),
                    Optional.empty());
            if (!LayerDirectory.isName(announcement.layer()) || !names.add(announcement.layer())) {
                throw new PublisherException("current: a layer without a name of a layer of its own");
            }
            if (!LayerDirectory.isGeneration(announcement.generation())) {
                throw new PublisherException("current: layer " + announcement.layer() + " without a generation id");
            }
            all.add(announcement);
        }
        return List.copyOf(all);
    }

    private static JsonNode layers(byte[] bytes) throws PublisherException {
        try {
            return JSON.readTree(bytes).path("layers");
        } catch (IOException malformed) {
            throw new PublisherException("current: no JSON");
        }
    }

    private static Optional<Instant> instant(String text) throws PublisherException {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException noTime) {
            throw new PublisherException("current: confirmedAt is not a time");
        }
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).isTextual() ? node.path(field).textValue() : "";
    }
}
