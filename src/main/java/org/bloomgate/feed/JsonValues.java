package org.bloomgate.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.bloomgate.key.FeedKind;

/// A JSON feed, or one JSON document a line. The path leads from the document to the values: member names
/// joined by `.`, `*` for every member; arrays are entered wherever they stand. A string at its end is a value,
/// an object gives its member names. Read as a stream; what is beyond a bound of the parser, or no JSON,
/// refuses the feed from there on: where the next value would begin is not known.
final class JsonValues {
    static final int MAX_DEPTH = 1000;

    /// Of a value that is read at all; one above [PhysicalLines#MAX_BYTES] is a reject.
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

    private final Feed feed;
    private final List<String> path;
    private final LineTally tally;
    private long values;

    JsonValues(Feed feed, LineTally tally) {
        this.feed = feed;
        String path = feed.position().path().orElse("");
        this.path = path.isEmpty() ? List.of() : List.of(path.split("\\.", -1));
        this.tally = tally;
    }

    void read(InputStream in) throws IOException {
        try (JsonParser parser = JSON.createParser(in)) {
            read(parser);
        }
        if (values == 0) {
            throw new FeedRefusedException(feed, "nothing at path '" + String.join(".", path) + "'");
        }
    }

    private void read(JsonParser parser) throws IOException {
        try {
            while (parser.nextToken() != null) {
                descend(parser, 0);
            }
        } catch (StreamConstraintsException beyond) {
            throw new FeedRefusedException(
                    feed,
                    "JSON beyond a bound (depth " + MAX_DEPTH + ", " + MAX_STRING_CHARS + " characters a string, "
                            + MAX_NAME_CHARS + " a name, " + MAX_NUMBER_CHARS + " a number)" + at(parser),
                    beyond);
        } catch (JsonProcessingException malformed) {
            throw new FeedRefusedException(
                    feed,
                    "is not whole, well-formed JSON: " + Excerpt.of(feed, malformed.getOriginalMessage()) + at(parser),
                    malformed);
        }
    }

    /// Exceptions of the parser know their place only sometimes.
    private static String at(JsonParser parser) {
        return " in line " + parser.currentLocation().getLineNr();
    }

    /// @param depth how much of the path leads to the current token
    private void descend(JsonParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                descend(parser, depth);
            }
        } else if (depth == path.size()) {
            leaf(parser);
        } else if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean follow = path.get(depth).equals("*") || path.get(depth).equals(parser.currentName());
                parser.nextToken();
                if (follow) {
                    descend(parser, depth + 1);
                } else {
                    parser.skipChildren();
                }
            }
        }
    }

    private void leaf(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case VALUE_STRING -> take(parser.getText());
            case START_OBJECT -> {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    take(parser.currentName());
                    parser.nextToken();
                    parser.skipChildren();
                }
            }
            default -> tally.take(++values, 1, new ParsedLine.Unreadable("not a string"), parser.getText());
        }
    }

    private void take(String value) {
        String text = feed.kind() == FeedKind.PASSWORD ? value : value.strip();
        ParsedLine parsed = text.length() > PhysicalLines.MAX_BYTES
                ? new ParsedLine.Unreadable("longer than " + PhysicalLines.MAX_BYTES + " characters")
                : ParsedLine.value(text);
        tally.take(++values, 1, parsed, text);
    }
}
