package org.bloomgate.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.bloomgate.base.io.PrintableText;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Verdict;

/// Converts answers to JSON, for HTTP and the command line: one line, instants as ISO 8601 text, kinds, matches
/// and uses by their words in the configuration. A field without a value is absent, never null.
public final class AnswerJson {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule()
                    .addSerializer(Action.class, labelSerializer(Action::label))
                    .addSerializer(Verdict.Kind.class, labelSerializer(Verdict.Kind::label))
                    .addSerializer(FeedKind.class, labelSerializer(FeedKind::label))
                    .addSerializer(KeyKind.class, labelSerializer(KeyKind::label))
                    .addSerializer(Match.class, labelSerializer(Match::label))
                    .addSerializer(Use.class, labelSerializer(Use::label)))
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build()
            .writer();

    private AnswerJson() {}

    /// The answer as one line without a line end.
    ///
    /// @param answer a record, or a map with text as keys
    public static String line(Object answer) {
        try {
            return PrintableText.of(WRITER.writeValueAsString(answer));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON for " + answer.getClass(), e);
        }
    }

    public static byte[] bytes(Record answer) {
        return line(answer).getBytes(StandardCharsets.UTF_8);
    }

    private static <T> JsonSerializer<T> labelSerializer(Function<T, String> label) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
                out.writeString(label.apply(value));
            }
        };
    }
}
