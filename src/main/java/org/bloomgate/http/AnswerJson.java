package org.bloomgate.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/// The one way answers become JSON, over HTTP and on the command line alike: one line, instants as ISO 8601 text.
public final class AnswerJson {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build()
            .writer();

    private AnswerJson() {}

    /// The answer as one line without a line end.
    ///
    /// @param answer one of this room's records
    public static String line(Record answer) {
        try {
            return WRITER.writeValueAsString(answer);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException("no JSON for " + answer.getClass(), unwritable);
        }
    }

    static byte[] octets(Record answer) {
        try {
            return WRITER.writeValueAsBytes(answer);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException("no JSON for " + answer.getClass(), unwritable);
        }
    }
}
