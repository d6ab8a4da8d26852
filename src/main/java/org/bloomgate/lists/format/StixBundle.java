package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// Reads a STIX 2.1 bundle, or the answer of a TAXII server: the patterns of its `indicator` objects. The feed
/// uses those of its own kind. Observed objects are not indicators. An indicator lists nothing if it is
/// `benign`, revoked, not valid yet or no longer valid (`valid_from`, `valid_until`), or if the bundle contains a later
/// version of it (`modified`), which may be anywhere, so the bundle is read twice. Indicators of other kinds,
/// and other pattern languages, are skipped as comments.
final class StixBundle {
    private static final String OBJECTS = "objects";
    private static final Set<String> TYPES = Set.of("indicator_types", "labels");
    private static final String BENIGN = "benign";
    private static final Set<String> READ =
            Set.of("type", "id", "pattern", "pattern_type", "revoked", "modified", "valid_from", "valid_until");

    /// The number of objects whose newest version is recorded; for further objects each version counts.
    static final int MAX_IDS = 500_000;

    private final Feed feed;
    private final LineTally tally;
    private final Instant now;

    /// The newest version by the hash of the id: the time of modification; a revocation is newer than other
    /// versions of the same time.
    private final Map<Long, Long> newest = new HashMap<>();

    private Consumer<Map<String, String>> visitor = this::noteVersion;
    private long objects;

    StixBundle(Feed feed, LineTally tally, Instant now) {
        this.feed = feed;
        this.tally = tally;
        this.now = now;
    }

    /// Records the newest version of each object. To be called before [#read], with the same content.
    StixBundle noteVersions(InputStream in) throws IOException {
        JsonStream.read(feed, in, this::value);
        return this;
    }

    void read(InputStream in) throws IOException {
        visitor = this::addObject;
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
            } else if (TYPES.contains(name) && parser.currentToken() == JsonToken.START_ARRAY) {
                types(parser, members);
            } else {
                parser.skipChildren();
            }
        }
        if (!members.getOrDefault("type", "bundle").equals("bundle")) {
            visitor.accept(members);
        }
    }

    /// Notes whether one of the types is `benign`, also among the labels, which were the types before version 2.1.
    private static void types(JsonParser parser, Map<String, String> members) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.VALUE_STRING
                    && parser.getText().equalsIgnoreCase(BENIGN)) {
                members.put(BENIGN, "");
            }
            parser.skipChildren();
        }
    }

    private void noteVersion(Map<String, String> object) {
        long id = id(object);
        if (newest.size() < MAX_IDS || newest.containsKey(id)) {
            newest.merge(id, version(object), Math::max);
        }
    }

    private static long id(Map<String, String> object) {
        String id = object.getOrDefault("id", "");
        return ((long) id.hashCode() << Integer.SIZE)
                | (new StringBuilder(id).reverse().toString().hashCode() & 0xffff_ffffL);
    }

    private static long version(Map<String, String> object) {
        long modified = time(object, "modified").map(Instant::toEpochMilli).orElse(0L);
        return 2 * modified + (isRevoked(object) ? 1 : 0);
    }

    private static boolean isRevoked(Map<String, String> object) {
        return object.getOrDefault("revoked", "false").equals("true");
    }

    private static Optional<Instant> time(Map<String, String> object, String name) {
        try {
            return Optional.ofNullable(object.get(name))
                    .map(text -> OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private boolean isValid(Map<String, String> object) {
        return !isRevoked(object)
                && !object.containsKey(BENIGN)
                && (!object.containsKey("id") || version(object) >= newest.getOrDefault(id(object), Long.MIN_VALUE))
                && time(object, "valid_from").filter(now::isBefore).isEmpty()
                && time(object, "valid_until")
                        .filter(until -> !now.isBefore(until))
                        .isEmpty();
    }

    private void addObject(Map<String, String> object) {
        objects++;
        String pattern = object.getOrDefault("pattern", "");
        boolean indicator = object.getOrDefault("type", "").equals("indicator")
                && object.getOrDefault("pattern_type", "stix").equals("stix")
                && isValid(object);
        tally.add(objects, 1, indicator ? StixPattern.read(pattern, feed.kind()) : ParsedLine.COMMENT, pattern);
    }
}
