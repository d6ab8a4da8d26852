package org.bloomgate.base.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Records that are only appended, as one JSON object a line in [AppendedLines]. Unknown fields, of newer
/// versions, are ignored; a line without a required field is damaged. Thread-safe.
public final class JsonLines<T> {
    private final AppendedLines lines;
    private final ObjectWriter writer;
    private final ObjectReader reader;

    /// @param maxBytes of the file and its predecessor together
    public JsonLines(Path file, long maxBytes, Class<T> type) {
        lines = new AppendedLines(file, maxBytes);
        writer = OwnJson.MAPPER.writerFor(type);
        reader = OwnJson.MAPPER
                .readerFor(type)
                .without(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /// Appends records, which are on disk when this returns.
    public void append(List<T> records) throws IOException {
        List<String> texts = new ArrayList<>();
        for (T one : records) {
            texts.add(writer.writeValueAsString(one));
        }
        lines.append(texts);
    }

    /// The records of both files, the newest first.
    public Contents<T> readNewestFirst() throws IOException {
        List<T> records = new ArrayList<>();
        int damaged = 0;
        for (String line : lines.read().reversed()) {
            Optional<T> one = read(line);
            one.ifPresent(records::add);
            damaged += one.isPresent() ? 0 : 1;
        }
        return new Contents<>(records, damaged);
    }

    /// @param damagedLines number of lines that could not be read
    public record Contents<T>(List<T> records, int damagedLines) {
        public Contents {
            records = List.copyOf(records);
        }
    }

    private Optional<T> read(String line) {
        try {
            return Optional.ofNullable(reader.readValue(line));
        } catch (JsonProcessingException torn) {
            return Optional.empty();
        }
    }
}
