package org.bloomgate.server.http;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
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
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads a JSON body into a record, strictly: every field must be known, present once, and of the expected
/// type.
///
/// The problem of an invalid body has the position and the expected form. It never quotes a value or a field
/// name of the body, as either may be a password.
public final class RequestJson<T> {
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
            .defaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
            .withCoercionConfig(
                    LogicalType.Textual,
                    config -> List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                            .forEach(shape -> config.setCoercion(shape, CoercionAction.Fail)))
            .withCoercionConfig(
                    LogicalType.Boolean,
                    config -> List.of(CoercionInputShape.Integer, CoercionInputShape.String)
                            .forEach(shape -> config.setCoercion(shape, CoercionAction.Fail)))
            .addModule(new Jdk8Module())
            .withConfigOverride(
                    Optional.class, config -> config.setSetterInfo(JsonSetter.Value.construct(Nulls.SET, Nulls.FAIL)))
            .build();

    private final ObjectReader reader;
    private final String expected;

    /// @param expected description of the expected form, for problems
    public RequestJson(Class<T> type, String expected) {
        this(JSON.readerFor(type), expected);
    }

    private RequestJson(ObjectReader reader, String expected) {
        this.reader = reader;
        this.expected = expected;
    }

    /// A reader of records with components of type `Optional`, whose fields may be absent.
    public static <T> RequestJson<T> withOptionalFields(Class<T> type, String expected) {
        return new RequestJson<>(
                JSON.readerFor(type).without(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES), expected);
    }

    /// @throws ProblemException if the body is not the expected JSON
    /// @throws IOException only if the connection fails
    public T read(RequestBody body) throws IOException {
        return read(body.readAllBytes());
    }

    /// @throws ProblemException if it is not the expected JSON
    public T read(byte[] bytes) {
        try {
            T read = reader.readValue(bytes);
            if (read == null) {
                throw invalidBody("expected " + expected);
            }
            return read;
        } catch (JsonProcessingException fault) {
            throw invalidBody(describe(fault) + at(fault.getLocation()));
        } catch (IOException encoding) {
            throw invalidBody("malformed JSON: not UTF-8");
        }
    }

    /// Describes a fault. The parser wraps a fault inside a record into a fault of the record.
    private String describe(JsonProcessingException fault) {
        Throwable source = fault.getCause() instanceof JsonProcessingException parser ? parser : fault;
        return switch (source) {
            case StreamConstraintsException beyond ->
                "JSON beyond the limits (depth " + MAX_DEPTH + ", " + MAX_STRING + " characters a string)";
            case UnrecognizedPropertyException unknown -> "expected " + expected + "; an unknown field";
            case DatabindException _ -> "expected " + expected + "; a field missing or of another type";
            default -> "malformed JSON";
        };
    }

    private static ProblemException invalidBody(String detail) {
        return new ProblemException(Problem.invalidBody(detail));
    }

    private static String at(@Nullable JsonLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
