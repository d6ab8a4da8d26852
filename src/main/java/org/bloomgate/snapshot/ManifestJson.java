package org.bloomgate.snapshot;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;

/// The manifest as JSON. Reading is strict: an unknown, missing, doubled or null field is refused, and the format
/// version is looked at before anything else.
final class ManifestJson {
    /// Some ten thousand feeds or files.
    static final int MAX_BYTES = 4 << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .addMixIn(KeyKind.class, ByLabel.class)
            .addMixIn(Match.class, ByLabel.class)
            .addMixIn(Use.class, ByLabel.class)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();

    private ManifestJson() {}

    static byte[] write(SnapshotManifest manifest) {
        try {
            return JSON.writeValueAsBytes(manifest);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("manifest of " + manifest.generation(), e);
        }
    }

    static SnapshotManifest read(byte[] octets) throws SnapshotRefusedException {
        try {
            JsonNode tree = JSON.readTree(octets);
            JsonNode version = tree.path("formatVersion");
            if (!version.isInt() || version.intValue() != SnapshotManifest.FORMAT_VERSION) {
                throw new SnapshotRefusedException("manifest.json: format version " + version + ", this build reads "
                        + SnapshotManifest.FORMAT_VERSION);
            }
            return JSON.treeToValue(tree, SnapshotManifest.class);
        } catch (SnapshotRefusedException e) {
            throw e;
        } catch (JsonProcessingException e) {
            throw new SnapshotRefusedException("manifest.json: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new SnapshotRefusedException("manifest.json: " + e.getMessage());
        }
    }

    /// Constants stand in the manifest by the label they have everywhere else.
    private interface ByLabel {
        @JsonValue
        String label();
    }
}
