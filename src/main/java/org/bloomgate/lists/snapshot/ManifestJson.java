package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.OwnJson;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.FilterLayout;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Action;

/// The manifest as JSON. Reading is strict: an unknown, missing, duplicate or null field is rejected, and the
/// format version is checked before anything else.
///
/// Its last field, `sha256`, is that of the file's own bytes with zeros for these 64 digits. The manifest vouches
/// for every other file; without it a flipped bit in the name of a category would go unseen and change an answer.
final class ManifestJson {
    /// Some thousand feeds or files, and as many exceptions as a layer may have.
    static final int MAX_BYTES = 4 << 20;

    private static final JsonMapper JSON = OwnJson.MAPPER
            .rebuild()
            .addMixIn(FeedKind.class, ByLabel.class)
            .addMixIn(KeyKind.class, ByLabel.class)
            .addMixIn(Match.class, ByLabel.class)
            .addMixIn(Use.class, ByLabel.class)
            .addMixIn(Action.class, ByLabel.class)
            .addMixIn(FilterLayout.class, ByLabel.class)
            .addMixIn(Key.class, ByLine.class)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();

    private static final String ACTION = "action";
    private static final List<String> FLAGS = List.of("shadow", "redistribute");
    private static final String EXCEPTIONS = "exceptions";
    private static final String PARTS = "parts";
    private static final String LAYOUT = "layout";
    private static final String OWN_DIGEST = "sha256";
    private static final int DIGITS = 64;
    private static final Pattern SEALED = Pattern.compile("\"sha256\" : \"([0-9a-f]{64})\"\\s*\\}\\s*\\z");

    private ManifestJson() {}

    static byte[] write(SnapshotManifest manifest) {
        try {
            ObjectNode tree = JSON.valueToTree(manifest);
            tree.path("feeds").forEach(feed -> omitDefaults((ObjectNode) feed));
            tree.path("filters").forEach(filter -> omitDefaultLayout((ObjectNode) filter));
            if (tree.path(PARTS).isEmpty()) {
                tree.remove(PARTS);
            }
            tree.put(OWN_DIGEST, "0".repeat(DIGITS));
            return seal(JSON.writeValueAsString(tree)).getBytes(UTF_8);
        } catch (JsonProcessingException | SnapshotRefusedException e) {
            throw new IllegalStateException("manifest of " + manifest.generation(), e);
        }
    }

    /// Fields with their default are left out.
    private static void omitDefaults(ObjectNode feed) {
        if (feed.path(ACTION).isNull()) {
            feed.remove(ACTION);
        }
        feed.remove(
                FLAGS.stream().filter(flag -> !feed.path(flag).booleanValue()).toList());
        if (feed.path(EXCEPTIONS).isEmpty()) {
            feed.remove(EXCEPTIONS);
        }
    }

    private static void restoreDefaults(JsonNode feed) {
        if (feed instanceof ObjectNode fields) {
            fields.putIfAbsent(ACTION, fields.nullNode());
            FLAGS.forEach(flag -> fields.putIfAbsent(flag, fields.booleanNode(false)));
            fields.putIfAbsent(EXCEPTIONS, fields.arrayNode());
        }
    }

    private static void omitDefaultLayout(ObjectNode filter) {
        if (filter.path(LAYOUT).asText().equals(FilterLayout.TWO_LINE.label())) {
            filter.remove(LAYOUT);
        }
    }

    private static void restoreDefaultLayout(JsonNode filter) {
        if (filter instanceof ObjectNode fields) {
            fields.putIfAbsent(LAYOUT, fields.textNode(FilterLayout.TWO_LINE.label()));
        }
    }

    /// The text with the right digits in its last field.
    static String seal(String text) throws SnapshotRefusedException {
        Matcher lastField = SEALED.matcher(text);
        if (!lastField.find()) {
            throw new SnapshotRefusedException("manifest.json: does not end with its own SHA-256");
        }
        String before = text.substring(0, lastField.start(1));
        String after = text.substring(lastField.end(1));
        return before + Sha256.hex((before + "0".repeat(DIGITS) + after).getBytes(UTF_8)) + after;
    }

    static SnapshotManifest read(byte[] bytes) throws SnapshotRefusedException {
        try {
            JsonNode tree = JSON.readTree(bytes);
            JsonNode version = tree.path("formatVersion");
            if (!version.isInt() || version.intValue() != SnapshotManifest.FORMAT_VERSION) {
                throw new SnapshotRefusedException("manifest.json: format version " + version + ", this build reads "
                        + SnapshotManifest.FORMAT_VERSION + ": rebuild the layer");
            }
            if (!Arrays.equals(bytes, seal(new String(bytes, UTF_8)).getBytes(UTF_8))) {
                throw new SnapshotRefusedException("manifest.json: its SHA-256 is not the one in its last field");
            }
            tree.path("feeds").forEach(ManifestJson::restoreDefaults);
            tree.path("filters").forEach(ManifestJson::restoreDefaultLayout);
            ((ObjectNode) tree).putIfAbsent(PARTS, JSON.createObjectNode());
            return JSON.treeToValue(((ObjectNode) tree).without(OWN_DIGEST), SnapshotManifest.class);
        } catch (SnapshotRefusedException e) {
            throw e;
        } catch (JsonProcessingException e) {
            throw new SnapshotRefusedException("manifest.json: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new SnapshotRefusedException("manifest.json: " + e.getMessage());
        }
    }

    /// A key is one string.
    private abstract static class ByLine {
        @JsonValue
        abstract String line();

        @JsonCreator
        static Key ofLine(String line) {
            return Key.ofLine(line);
        }
    }

    /// Constants are written with the label that they have everywhere else.
    private interface ByLabel {
        @JsonValue
        String label();
    }
}
