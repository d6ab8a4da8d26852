package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// A STIX 2.1 bundle, or the answer of a TAXII server: the patterns of its `indicator` objects. The feed uses
/// those of its own kind. Observed objects are not indicators, and a revoked indicator lists nothing.
/// Indicators of other kinds, and other pattern languages, are skipped as comments.
///
/// How long an indicator is valid is not looked at: a publisher takes out or revokes what is over, and `retention`
/// says what is kept.
final class StixBundle {
    private static final String OBJECTS = "objects";
    private static final Set<String> READ = Set.of("type", "pattern", "pattern_type", "revoked");

    private final Feed feed;
    private final LineTally tally;
    private long objects;

    StixBundle(Feed feed, LineTally tally) {
        this.feed = feed;
        this.tally = tally;
    }

    void read(InputStream in) throws IOException {
        JsonStream.read(feed, in, this::value);
        if (objects == 0) {
            throw new FeedRefusedException(feed, "holds no STIX object");
        }
    }

    /// @param parser at a value that may be an object of STIX, a bundle or an array of them
    private void value(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                value(parser);
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(parser);
        }
    }

    private void object(JsonParser parser) throws IOException {
        Map<String, String> members = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (name.equals(OBJECTS)) {
                value(parser);
            } else if (parser.currentToken().isScalarValue() && READ.contains(name)) {
                members.put(name, parser.getText());
            } else {
                parser.skipChildren();
            }
        }
        if (!members.getOrDefault("type", "bundle").equals("bundle")) {
            take(members);
        }
    }

    private void take(Map<String, String> object) {
        objects++;
        String pattern = object.getOrDefault("pattern", "");
        boolean indicator = object.getOrDefault("type", "").equals("indicator")
                && object.getOrDefault("pattern_type", "stix").equals("stix")
                && !object.getOrDefault("revoked", "false").equals("true");
        tally.take(objects, 1, indicator ? StixPattern.read(pattern, feed.kind()) : ParsedLine.COMMENT, pattern);
    }
}
