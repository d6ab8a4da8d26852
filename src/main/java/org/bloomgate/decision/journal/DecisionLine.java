package org.bloomgate.decision.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.bloomgate.base.io.Token;

/// A decision as one line of JSON, of at most 4 KB whatever a client sent.
final class DecisionLine {
    /// Of one line.
    static final int MAX_BYTES = 4_096;

    static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final ObjectWriter WRITER = JSON.writerFor(Decision.class);
    private static final ObjectReader READER = JSON.readerFor(Decision.class);

    static final int SECOND_LENGTH = 19;
    private static final int DATE_LENGTH = 10;

    /// Every line begins with it.
    static final String TIME_FIELD = "{\"time\":\"";

    private static final String TOKEN_FIELD = "\"token\":\"";

    private DecisionLine() {}

    /// UTF-8, with the line end; JSON escapes every line end in a text.
    ///
    /// @param line emptied first; at most [#MAX_BYTES] afterwards
    static void write(Decision decision, ByteArrayOutputStream line) throws IOException {
        generate(decision, line);
        if (line.size() > MAX_BYTES) {
            generate(shortened(decision), line);
        }
    }

    private static void generate(Decision decision, ByteArrayOutputStream line) throws IOException {
        line.reset();
        WRITER.writeValue(line, decision);
        line.write('\n');
    }

    /// The decision with shorter texts and lists, as few as make it a line of [#MAX_BYTES], and a note that says so.
    private static Decision shortened(Decision whole) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        Decision shorter = whole;
        for (DecisionBounds bounds : DecisionBounds.SHORTER) {
            shorter = bounds.shortened(whole);
            generate(shorter, line);
            if (line.size() <= MAX_BYTES) {
                break;
            }
        }
        return shorter;
    }

    /// Empty for a line that is torn or not a decision.
    static Optional<Decision> read(String line) {
        try {
            return Optional.ofNullable(READER.readValue(line));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /// An instant in the format of a line, to the second: `2026-01-31T12:00:00`. All have the same length, so
    /// they compare as text.
    static String second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString().substring(0, SECOND_LENGTH);
    }

    /// The second of the time that a line begins with; empty for a line that begins with something else.
    static String secondOf(String line) {
        int end = TIME_FIELD.length() + SECOND_LENGTH;
        boolean dated = line.startsWith(TIME_FIELD)
                && line.length() >= end
                && line.charAt(TIME_FIELD.length() + DATE_LENGTH) == 'T';
        return dated ? line.substring(TIME_FIELD.length(), end) : "";
    }

    /// The instant of [#second(Instant)].
    static Optional<Instant> instant(String second) {
        try {
            return second.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(second + "Z"));
        } catch (DateTimeParseException torn) {
            return Optional.empty();
        }
    }

    /// The token of a line, which is before any text of a client; empty if it has none.
    static String token(String line) {
        int at = line.indexOf(TOKEN_FIELD);
        int from = at + TOKEN_FIELD.length();
        return at < 0 || from + Token.LENGTH > line.length() ? "" : line.substring(from, from + Token.LENGTH);
    }

    /// The decision within the bounds; a hostile one that waits in the queue takes no more than its line does.
    ///
    /// @param subjects whether the subject and the header From stay
    static Decision bounded(Decision whole, boolean subjects) {
        Decision bounded = DecisionBounds.ORDINARY.bounded(whole, subjects);
        try {
            return bounded.characters() > MAX_BYTES ? shortened(bounded) : bounded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
