package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import org.bloomgate.lists.fetch.Excerpt;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Reads a feed of one JSON document, or one per line, as a stream. Malformed JSON, or a value beyond a bound
/// of the parser, rejects the feed, as the position of the next value is unknown.
final class JsonStream {
    static final int MAX_DEPTH = 1000;

    /// The longest value that can be read; a value above [PhysicalLines#MAX_BYTES] is a reject.
    static final int MAX_STRING_CHARS = 1024 * 1024;

    static final int MAX_NAME_CHARS = PhysicalLines.MAX_BYTES;
    static final int MAX_NUMBER_CHARS = 1000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_STRING_CHARS)
                    .maxNameLength(MAX_NAME_CHARS)
                    .maxNumberLength(MAX_NUMBER_CHARS)
                    .build())
            // Names may be the values: a table of them would grow with the feed.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private JsonStream() {}

    /// Reads one document.
    interface Documents {

        /// @param parser at the first token; left at the last
        void read(JsonParser parser) throws IOException;
    }

    /// Reads one document of a stranger as a tree, with the same bounds.
    static JsonNode readTree(InputStream in) throws IOException {
        return new ObjectMapper(JSON).readTree(in);
    }

    static void read(Feed feed, InputStream in, Documents documents) throws IOException {
        try (JsonParser parser = JSON.createParser(in)) {
            read(feed, parser, documents);
        }
    }

    private static void read(Feed feed, JsonParser parser, Documents documents) throws IOException {
        try {
            while (parser.nextToken() != null) {
                documents.read(parser);
            }
        } catch (StreamConstraintsException e) {
            throw new FeedRefusedException(
                    feed,
                    "JSON beyond a bound (depth " + MAX_DEPTH + ", " + MAX_STRING_CHARS + " characters a string, "
                            + MAX_NAME_CHARS + " a name, " + MAX_NUMBER_CHARS + " a number)" + at(parser),
                    e);
        } catch (JsonProcessingException e) {
            throw new FeedRefusedException(
                    feed,
                    "is not whole, well-formed JSON: " + Excerpt.of(feed, e.getOriginalMessage()) + at(parser),
                    e);
        }
    }

    /// The current line; exceptions of the parser do not always have a location.
    private static String at(JsonParser parser) {
        return " in line " + parser.currentLocation().getLineNr();
    }
}
