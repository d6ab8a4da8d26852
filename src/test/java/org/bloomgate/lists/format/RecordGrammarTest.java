package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lookup.tier.ListExceptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Generated networks, CSV records and STIX indicators against references that are written from their documents.
class RecordGrammarTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static String pick(Random random, String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private static String name(Random random) {
        return GrammarTest.NAMES.get(random.nextInt(GrammarTest.NAMES.size()));
    }

    /// Keeps keys and exceptions.
    private static class Keys implements FeedSink {
        private final Set<Key> listed = new HashSet<>();
        private final Set<Key> excepted = new HashSet<>();
        private final Set<Integer> rejected = new TreeSet<>();

        @Override
        public void addKey(long line, Key key, long count) {
            listed.add(key);
        }

        @Override
        public void reject(long line, String reason, String excerpt) {
            rejected.add((int) line);
        }

        @Override
        public void hold(long line, String reason, Key key) {
            throw new AssertionError(key + ": " + reason);
        }

        @Override
        public void except(long line, Key key) {
            excepted.add(key);
        }
    }

    /// Addresses of one /16, of which a line means a part.
    private record Span(int first, int last, boolean excepts) {
        boolean has(int address) {
            return first <= address && address <= last;
        }
    }

    /// `ipset(8)`: of the networks around an address the narrowest counts, `nomatch` excepts.
    @Test
    void networks_areReadAsListed() throws IOException {
        Random random = new Random(4);
        List<String> lines = new ArrayList<>();
        List<Span> spans = new ArrayList<>();
        Set<Integer> unknown = new TreeSet<>();
        for (int i = 0; i < GrammarTest.LINES; i++) {
            int bits = 20 + random.nextInt(13);
            int size = 1 << (32 - bits);
            int first = random.nextInt(1 << 16) & -size;
            String network = text(first) + "/" + bits;
            switch (random.nextInt(9)) {
                case 0 -> lines.add(network);
                case 1 -> lines.add(network + " ; SBL1");
                case 2 -> lines.add("add x " + network + " timeout 0");
                case 3, 4 -> lines.add("add x " + network + " nomatch");
                case 5 -> lines.add(text(first) + " - " + text(first + size - 1));
                case 6 -> lines.add("# " + network);
                case 7 -> lines.add("create x hash:net");
                default -> lines.add(pick(random, network + " x", "8.8.8.8/33", "not a network", "add x"));
            }
            String line = lines.getLast();
            if (line.endsWith("/33")) {
                unknown.add(i + 1);
            } else if (line.startsWith("add x 8") || line.matches("8\\.8\\.[^x]*( ; SBL1)?|8\\.8\\..* - .*")) {
                spans.add(new Span(first, first + size - 1, line.endsWith("nomatch")));
            } else if (!line.startsWith("#") && !line.startsWith("create")) {
                unknown.add(i + 1);
            }
        }
        Keys keys = new Keys();
        Feed feed = FeedFixtures.feed(Map.of("kind", "network", "format", "cidr"));
        FeedFixtures.read(feed, String.join("\n", lines), keys);
        assertEquals(unknown, keys.rejected);
        ListExceptions own = new ListExceptions(keys.excepted);
        for (int address = 0; address < 1 << 16; address += 499) {
            int asked = address;
            Key key = new Key(KeyKind.NETWORK, text(address) + "/32");
            boolean listed = spans.stream()
                    .filter(span -> !span.excepts() && span.has(asked))
                    .anyMatch(span -> spans.stream()
                            .noneMatch(other -> other.excepts()
                                    && other.has(asked)
                                    && other.last() - other.first() <= span.last() - span.first()));
            boolean read = keys.listed.stream()
                    .filter(listing -> AddressBlock.parse(listing.text()).contains(AddressBlock.parse(key.text())))
                    .anyMatch(listing -> !own.cover(key, false, listing));
            assertEquals(listed, read, key.text());
        }
    }

    private static String text(int address) throws IOException {
        return InetAddress.getByAddress(ByteBuffer.allocate(4)
                        .putInt((8 << 24) + (8 << 16) + address)
                        .array())
                .getHostAddress();
    }

    /// RFC 4180: a quoted field has separators, line ends and doubled quotes as data.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {",", ";", "|", "tab"})
    void records_haveTheirValueInTheColumn(String mark) throws IOException {
        String separator = mark.equals("tab") ? "\t" : mark;
        Random random = new Random(mark.hashCode());
        StringBuilder text =
                new StringBuilder(pick(random, "id%sdomain%snote\n", "\ufeff\"id\"%s\"domain\"%s\"note\"\r\n")
                        .replace("%s", separator));
        for (int i = 0; i < GrammarTest.LINES; i++) {
            String quoted = "\"a" + separator + " \"\"b\"\"" + pick(random, "", "\n2nd line") + "\"";
            String value = name(random);
            String[] fields = {
                pick(random, "1", "\"1\"", quoted),
                pick(random, value, "\"" + value + "\"", ""),
                pick(random, "x", quoted, "")
            };
            text.append(String.join(separator, List.of(fields).subList(0, random.nextInt(20) == 0 ? 2 : 3)))
                    .append(pick(random, "\n", "\r\n"));
        }
        Keys keys = new Keys();
        Feed feed = FeedFixtures.feed(Map.of("format", "csv", "column", "domain"));
        FeedFixtures.read(feed, text.toString(), keys);
        Set<Key> expected = new HashSet<>();
        Set<Integer> unknown = new TreeSet<>();
        int line = 1;
        for (List<String> record : records(text.toString(), separator.charAt(0))) {
            if (record.size() != 3 || record.get(1).isEmpty()) {
                unknown.add(line);
            } else if (line > 1) {
                expected.add(new Key(KeyKind.DOMAIN, record.get(1)));
            }
            line += 1
                    + (int) String.join("", record)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
        }
        assertEquals(expected, keys.listed);
        assertEquals(unknown, keys.rejected);
    }

    private static List<List<String>> records(String text, char separator) {
        List<List<String>> records = new ArrayList<>();
        List<String> record = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (char c : text.replace("\ufeff", "").replace("\r", "").toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == separator || c == '\n')) {
                record.add(field.toString());
                field.setLength(0);
                if (c == '\n') {
                    records.add(record);
                    record = new ArrayList<>();
                }
            } else {
                field.append(c);
            }
        }
        return records;
    }

    /// STIX 2.1, sections 4.7 and 10.7, and `labels` of STIX 2.0.
    @Test
    void indicators_listWhatIsBadNow() throws IOException {
        Random random = new Random(6);
        ObjectNode bundle = JSON.createObjectNode().put("type", "bundle").put("id", "bundle--1");
        ArrayNode objects = bundle.putArray("objects");
        for (int i = 0; i < GrammarTest.LINES; i++) {
            ObjectNode object = objects.addObject()
                    .put("type", pick(random, "indicator", "indicator", "indicator", "malware"))
                    .put("id", "indicator--" + random.nextInt(GrammarTest.LINES))
                    .put("modified", "2024-0%d-01T00:00:00Z".formatted(1 + random.nextInt(9)))
                    .put("pattern_type", pick(random, "stix", "stix", "stix", "snort"))
                    .put("pattern", "[domain-name:value = '%s']".formatted(name(random)));
            switch (random.nextInt(10)) {
                case 0 -> object.put("revoked", true);
                case 1 ->
                    object.put("valid_until", pick(random, "2024-02-01T00:00:00.000+02:00", "2099-01-01T00:00:00Z"));
                case 2 -> object.put("valid_from", pick(random, "2024-02-01T00:00:00Z", "2099-01-01T00:00:00Z"));
                case 3 -> object.putArray("indicator_types").add(pick(random, "benign", "malicious-activity"));
                case 4 ->
                    object.putArray("indicator_types").add("anonymization").add("benign");
                case 5 -> object.putArray("labels").add(pick(random, "benign", "anomalous-activity"));
                default -> object.putArray("indicator_types");
            }
        }
        Keys keys = new Keys();
        Feed feed = FeedFixtures.feed(Map.of("format", "stix"));
        FeedFixtures.read(feed, bundle.toString(), keys);
        Set<Key> expected = new HashSet<>();
        for (JsonNode object : objects) {
            if (isBadNow(object, objects)) {
                String pattern = object.get("pattern").asText();
                expected.add(new Key(
                        KeyKind.DOMAIN, pattern.substring(pattern.indexOf('\'') + 1, pattern.lastIndexOf('\''))));
            }
        }
        assertEquals(expected, keys.listed);
        assertTrue(expected.size() > 50);
    }

    private static boolean isBadNow(JsonNode object, ArrayNode objects) {
        Instant now = Instant.now();
        boolean superseded = false;
        for (JsonNode other : objects) {
            int later = other.get("modified")
                    .asText()
                    .compareTo(object.get("modified").asText());
            superseded |= other.get("id").equals(object.get("id"))
                    && (later > 0 || (later == 0 && other.path("revoked").asBoolean()));
        }
        boolean benign = false;
        for (String member : List.of("indicator_types", "labels")) {
            for (JsonNode type : object.path(member)) {
                benign |= type.asText().equals("benign");
            }
        }
        return object.get("type").asText().equals("indicator")
                && object.get("pattern_type").asText().equals("stix")
                && !object.path("revoked").asBoolean()
                && !superseded
                && !benign
                && time(object, "valid_from", Instant.MIN).isBefore(now)
                && time(object, "valid_until", Instant.MAX).isAfter(now);
    }

    private static Instant time(JsonNode object, String member, Instant otherwise) {
        return object.has(member)
                ? OffsetDateTime.parse(object.get(member).asText()).toInstant()
                : otherwise;
    }

    @Test
    void rangesUpToTheBound_areListed() throws FeedRefusedException {
        Feed feed = FeedFixtures.feed(Map.of());
        String most = ranges(LineTally.MAX_EXPANDED / 255);
        assertEquals(
                LineTally.MAX_EXPANDED / 255,
                FeedFixtures.read(feed, most, new NoKeys()).entries());
        FeedRefusedException refused = assertThrows(
                FeedRefusedException.class,
                () -> FeedFixtures.read(feed, ranges(LineTally.MAX_EXPANDED / 255 + 1), new NoKeys()));
        assertTrue(FeedFixtures.message(refused).contains("needs kind network"), FeedFixtures.message(refused));
        assertFalse(refused.isFault());
    }

    private static final class NoKeys extends Keys {
        @Override
        public void addKey(long line, Key key, long count) {}
    }

    private static String ranges(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("12.%d.%d.0/24\n".formatted(i >> 8, i & 255));
        }
        return text.toString();
    }
}
