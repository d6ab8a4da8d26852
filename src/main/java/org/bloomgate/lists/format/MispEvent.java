package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lists.fetch.Excerpt;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Reads an event of MISP, or a search result of MISP: the attributes for detection (`to_ids`) in the event and
/// its objects. The feed uses those of its own kind; others are skipped as comments, and so are deleted and
/// proposed ones.
final class MispEvent {
    /// Members that lead to attributes.
    private static final Set<String> FOLLOWED = Set.of("response", "Event", "Object", "Attribute");

    private static final Set<String> READ = Set.of("type", "value", "to_ids", "deleted");

    /// Parts by type of attribute; for a type with two values joined by a bar, the position of each.
    private static final Map<String, List<Part>> PARTS = Map.ofEntries(
            of("domain", KeyKind.DOMAIN),
            of("hostname", KeyKind.DOMAIN),
            Map.entry("domain|ip", List.of(new Part(KeyKind.DOMAIN, 0), new Part(KeyKind.NETWORK, 1))),
            of("hostname|port", KeyKind.DOMAIN),
            of("ip-src", KeyKind.NETWORK),
            of("ip-dst", KeyKind.NETWORK),
            of("ip-src|port", KeyKind.NETWORK),
            of("ip-dst|port", KeyKind.NETWORK),
            of("email", KeyKind.ADDRESS),
            of("email-src", KeyKind.ADDRESS),
            of("email-reply-to", KeyKind.ADDRESS),
            of("sha256", KeyKind.HASH),
            Map.entry("filename|sha256", List.of(new Part(KeyKind.HASH, 1))));

    private static final String URL = "url";

    private static Map.Entry<String, List<Part>> of(String type, KeyKind first) {
        return Map.entry(type, List.of(new Part(first, 0)));
    }

    private final Feed feed;
    private final LineTally tally;
    private long attributes;

    private record Part(KeyKind kind, int position) {}

    MispEvent(Feed feed, LineTally tally) {
        this.feed = feed;
        this.tally = tally;
    }

    void read(InputStream in) throws IOException {
        JsonStream.read(feed, in, parser -> value(parser, false));
        if (attributes == 0) {
            throw new FeedRefusedException(feed, "holds no attribute of a MISP event");
        }
    }

    /// @param attribute whether attributes are expected here
    private void value(JsonParser parser, boolean attribute) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                value(parser, attribute);
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(parser, attribute);
        }
    }

    private void object(JsonParser parser, boolean attribute) throws IOException {
        Map<String, String> members = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (FOLLOWED.contains(name)) {
                value(parser, name.equals("Attribute"));
            } else if (attribute && parser.currentToken().isScalarValue() && READ.contains(name)) {
                members.put(name, parser.getText());
            } else {
                parser.skipChildren();
            }
        }
        if (attribute) {
            addAttribute(members);
        }
    }

    private void addAttribute(Map<String, String> attribute) {
        attributes++;
        String value = attribute.getOrDefault("value", "");
        boolean used =
                isTrue(attribute.getOrDefault("to_ids", "true")) && !isTrue(attribute.getOrDefault("deleted", "false"));
        tally.add(attributes, 1, used ? parsed(attribute.getOrDefault("type", ""), value) : ParsedLine.COMMENT, value);
    }

    private static boolean isTrue(String text) {
        return text.equals("true") || text.equals("1");
    }

    private ParsedLine parsed(String type, String value) {
        if (value.length() > PhysicalLines.MAX_BYTES) {
            return new ParsedLine.Unreadable("longer than " + PhysicalLines.MAX_BYTES + " characters");
        }
        if (type.equals(URL)) {
            return Indicator.of(List.of(new Indicator(KeyKind.URL, value.strip())), feed.kind());
        }
        return Optional.ofNullable(PARTS.get(type))
                .map(parts -> parsed(parts, type, value))
                .orElse(ParsedLine.COMMENT);
    }

    private ParsedLine parsed(List<Part> parts, String type, String value) {
        List<String> values = TextScan.split(value, c -> c == '|');
        return parts.stream().allMatch(part -> part.position < values.size())
                ? Indicator.of(
                        parts.stream()
                                .map(part -> new Indicator(
                                        part.kind, values.get(part.position).strip()))
                                .toList(),
                        feed.kind())
                : new ParsedLine.Unreadable("not the two values of " + Excerpt.of(type));
    }
}
