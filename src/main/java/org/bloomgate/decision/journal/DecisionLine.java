package org.bloomgate.decision.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.base.io.Token;
import org.bloomgate.decision.journal.Decision.Found;

/// A decision as one line of JSON, and the bounds that keep the line, and what waits in the queue, small whatever a
/// client sent.
final class DecisionLine {
    /// Recipients of one decision.
    static final int MAX_RECIPIENTS = 50;

    /// The most findings of one decision; listed ones take precedence over unresolved ones.
    static final int MAX_FOUND = 20;

    static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final ObjectReader READER = JSON.readerFor(Decision.class);

    /// A field of lines that were written before there was an `enforced`.
    private static final String OF_BEFORE = "\"shadow\":";

    static final int SECOND_LENGTH = 19;
    private static final int DATE_LENGTH = 10;

    /// Every line begins with it.
    static final String TIME_FIELD = "{\"time\":\"";

    private static final String TOKEN_FIELD = "\"token\":\"";

    private DecisionLine() {}

    /// UTF-8, without the line end; JSON escapes every line end in a text.
    static void write(Decision decision, ByteArrayOutputStream lines) throws IOException {
        try (JsonGenerator out = JSON.createGenerator(lines)) {
            new DecisionJson(out).write(decision);
        }
    }

    /// Empty for a line that is torn or not a decision.
    static Optional<Decision> read(String line) {
        try {
            return Optional.ofNullable(
                    line.contains(OF_BEFORE) ? READER.readValue(renewed(line).toString()) : READER.readValue(line));
        } catch (JsonProcessingException torn) {
            return Optional.empty();
        }
    }

    /// Converts a line from before `enforced`, in which `action` was the enforced action and `shadow` the other
    /// one.
    private static JsonNode renewed(String line) throws JsonProcessingException {
        ObjectNode fields = JSON.readValue(line, ObjectNode.class);
        JsonNode shadow = fields.path("shadow");
        fields.set("enforced", fields.path("action"));
        if (!shadow.asText().isEmpty()) {
            fields.set("action", shadow);
        }
        return fields;
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

    /// The decision within the bounds.
    ///
    /// @param subjects whether the subject and the header From stay
    static Decision bounded(Decision whole, boolean subjects) {
        return new Decision(
                whole.time(),
                cut(whole.token()),
                cut(whole.client()),
                cut(whole.helo()),
                cut(whole.tls()),
                cut(whole.mailFrom()),
                recipients(whole.recipients()),
                recipients(whole.refused()),
                cut(whole.messageId()),
                subjects ? cut(whole.subject()) : "",
                subjects ? cut(whole.from()) : "",
                whole.sizeBytes(),
                whole.keys(),
                whole.suspects(),
                found(whole.found()),
                whole.limits(),
                whole.filters(),
                whole.notes().stream().limit(MAX_FOUND).map(DecisionLine::cut).toList(),
                whole.verdict(),
                whole.action(),
                whole.enforced(),
                cut(whole.feed()),
                cut(whole.category()),
                cut(whole.value()),
                would(whole.would()),
                cut(whole.reply()),
                cut(whole.nextHopReply()),
                cut(whole.nextHopId()),
                cut(whole.snapshot()),
                whole.millis(),
                whole.authentication());
    }

    private static List<String> recipients(List<String> whole) {
        return whole.stream().limit(MAX_RECIPIENTS).map(DecisionLine::cut).toList();
    }

    private static Map<String, String> would(Map<String, String> whole) {
        return whole.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .limit(MAX_FOUND)
                .collect(Collectors.toMap(entry -> cut(entry.getKey()), Map.Entry::getValue, (one, _) -> one));
    }

    private static List<Found> found(List<Found> whole) {
        return whole.stream()
                .sorted(Comparator.comparing(found -> !found.verdict().equals("listed")))
                .limit(MAX_FOUND)
                .map(found -> new Found(
                        found.kind(),
                        cut(found.value()),
                        cut(found.where()),
                        found.verdict(),
                        cut(found.key()),
                        found.keyKind(),
                        cut(found.feed()),
                        cut(found.category()),
                        found.firstSeen(),
                        cut(found.exception())))
                .toList();
    }

    private static String cut(String text) {
        return text.length() <= Decision.MAX_TEXT ? text : text.substring(0, Decision.MAX_TEXT);
    }
}
