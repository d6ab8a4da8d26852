package org.bloomgate.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a JSON body onto a record, strictly: every field known, present once, a string where a string is wanted.
///
/// The problem of a body that is refused names the place and what is expected. It never quotes the body, neither value
/// nor field name: a password may stand in either.
final class RequestJson<T> {
    static final int MAX_DEPTH = 8;
    static final int MAX_STRING = 16_384;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_STRING)
                            .maxNameLength(64)
                            .maxNumberLength(32)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .withCoercionConfig(
                    LogicalType.Textual,
                    config -> List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                            .forEach(shape -> config.setCoercion(shape, CoercionAction.Fail)))
            .build();

    private final ObjectReader reader;
    private final String expected;

    /// @param expected the shape in words, for whoever sent something else
    RequestJson(Class<T> type, String expected) {
        this.reader = JSON.readerFor(type);
        this.expected = expected;
    }

    /// @throws ProblemException when the body is not the JSON that is expected
    /// @throws IOException only when the connection fails
    T read(RequestBody body) throws IOException {
        byte[] octets = body.readAllBytes();
        try {
            return reader.readValue(octets);
        } catch (StreamConstraintsException beyond) {
            throw refused("JSON beyond the limits (depth " + MAX_DEPTH + ", " + MAX_STRING + " characters a string)"
                    + at(beyond.getLocation()));
        } catch (UnrecognizedPropertyException unknown) {
            throw refused("unknown field" + at(unknown.getLocation()) + "; expected " + expected);
        } catch (DatabindException shape) {
            throw refused("expected " + expected + "; missing or of another type" + at(shape.getLocation()));
        } catch (JsonProcessingException malformed) {
            throw refused("malformed JSON" + at(malformed.getLocation()));
        } catch (IOException encoding) {
            throw refused("malformed JSON: not UTF-8");
        }
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }

    private static String at(@Nullable JsonLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
