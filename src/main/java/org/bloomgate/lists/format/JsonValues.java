package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Reads a JSON feed, or one JSON document per line. The path leads from the document to the values: member
/// names joined by `.`, `*` for every member; arrays are always entered. A string at the end of the path is a
/// value, the member names of an object are values, and null counts as a comment.
final class JsonValues {
    private final Feed feed;
    private final List<String> path;
    private final LineTally tally;
    private final DropMetadata metadata = new DropMetadata();
    private long values;

    JsonValues(Feed feed, LineTally tally) {
        this.feed = feed;
        String path = feed.position().path().orElse("");
        this.path = path.isEmpty() ? List.of() : TextScan.split(path, c -> c == '.');
        this.tally = tally;
    }

    void read(InputStream in) throws IOException {
        JsonStream.read(feed, in, parser -> descend(parser, 0));
        metadata.compare(feed, values);
        if (values == 0) {
            throw new FeedRefusedException(feed, "nothing at path '" + String.join(".", path) + "'");
        }
    }

    /// @param depth number of path elements that lead to the current token
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
                String name = parser.currentName();
                boolean follow = path.get(depth).equals("*") || path.get(depth).equals(name);
                parser.nextToken();
                if (depth == 0 && feed.kind() == FeedKind.NETWORK) {
                    metadata.readMember(name, parser);
                }
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
            case VALUE_NULL -> tally.add(++values, 1, ParsedLine.COMMENT, "");
            default -> tally.add(++values, 1, new ParsedLine.Unreadable("not a string"), parser.getText());
        }
    }

    private void take(String value) {
        String text = feed.kind() == FeedKind.PASSWORD ? value : value.strip();
        ParsedLine parsed = text.length() > PhysicalLines.MAX_BYTES
                ? new ParsedLine.Unreadable("longer than " + PhysicalLines.MAX_BYTES + " characters")
                : ParsedLine.value(text);
        tally.add(++values, 1, parsed, text);
    }
}
