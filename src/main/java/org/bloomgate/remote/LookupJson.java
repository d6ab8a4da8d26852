package org.bloomgate.remote;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.key.Key;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;
import org.bloomgate.verdict.Listing;

/// Question and answer of `/v1/lookup` as JSON. What an answer says is taken literally or not at all: a word or a value
/// that is not known makes the whole answer malformed. A field that is not known is passed over, so that a service of a
/// later version can be asked.
final class LookupJson {
    private static final int MAX_NAME = 256;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(8)
                            .maxStringLength(16_384)
                            .maxNameLength(MAX_NAME)
                            .maxNumberLength(32)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
            .addModule(new Jdk8Module())
            .withConfigOverride(
                    Optional.class, config -> config.setSetterInfo(JsonSetter.Value.construct(Nulls.SET, Nulls.FAIL)))
            .build();

    private LookupJson() {}

    private record Question(List<Item> items) {}

    private record Item(String layer, String kind, String key) {}

    /// An answer as it arrived.
    ///
    /// @param layers generation of each layer that the service has
    record Reply(Map<String, String> layers, List<Said> answers) {
        Reply {
            Objects.requireNonNull(layers, "layers");
            Objects.requireNonNull(answers, "answers");
        }
    }

    /// @param answer `listed`, `not listed` or `unknown`
    record Said(String answer, Optional<List<Statement>> listings) {
        Said {
            Objects.requireNonNull(answer, "answer");
        }
    }

    record Statement(
            String feed,
            String category,
            String match,
            List<String> uses,
            String firstSeen,
            String lastSeen,
            long count) {
        Statement {
            // Refuses what is missing.
            List<Object> _ = List.of(feed, category, match, uses, firstSeen, lastSeen);
        }

        /// @throws IllegalArgumentException when it makes no sense
        Listing of(Key key) {
            try {
                if (count < 0) {
                    throw new IllegalArgumentException("count " + count);
                }
                return new Listing(
                        checked(feed),
                        checked(category),
                        key,
                        matchOf(match),
                        usesOf(uses),
                        Instant.parse(firstSeen),
                        Instant.parse(lastSeen),
                        count);
            } catch (DateTimeException malformed) {
                throw new IllegalArgumentException(malformed);
            }
        }
    }

    /// Names end up in log lines and header fields.
    private static String checked(String text) {
        boolean sound =
                !text.isEmpty() && text.length() <= MAX_NAME && text.chars().noneMatch(Character::isISOControl);
        if (!sound) {
            throw new IllegalArgumentException("no name of a feed or category");
        }
        return text;
    }

    private static Match matchOf(String label) {
        return Arrays.stream(Match.values())
                .filter(match -> match.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("match"));
    }

    private static Set<Use> usesOf(List<String> labels) {
        Set<Use> uses = EnumSet.noneOf(Use.class);
        Arrays.stream(Use.values()).filter(use -> labels.contains(use.label())).forEach(uses::add);
        if (uses.size() != labels.size()) {
            throw new IllegalArgumentException("uses");
        }
        return uses;
    }

    static byte[] question(String layer, List<Key> keys) {
        try {
            return JSON.writeValueAsBytes(new Question(keys.stream()
                    .map(key -> new Item(layer, key.kind().label(), key.text()))
                    .toList()));
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException("no JSON for a batch of keys", unwritable);
        }
    }

    /// Empty when it is no such JSON.
    static Optional<Reply> reply(InputStream octets) {
        try {
            return Optional.ofNullable(JSON.readValue(octets, Reply.class));
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }
}
