package org.bloomgate.lookup.remote;

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
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;

/// Request and answer of `/v1/lookup` as JSON. An unknown word or value makes the whole answer malformed. An
/// unknown field is ignored, so that a service of a later version can be used.
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

    static byte[] writeRequest(String layer, List<Key> keys) {
        try {
            return JSON.writeValueAsBytes(LookupQuestion.of(layer, keys));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON for a batch of keys", e);
        }
    }

    /// Parses an answer; empty if it is malformed.
    static Optional<LookupReply> parseReply(InputStream bytes) {
        try {
            return Optional.ofNullable(JSON.readValue(bytes, LookupReply.class));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
