package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The test suite of openspf.org for RFC 7208 (release 2014.04). HELO is never an identity here, so a case
/// without MAIL FROM is checked as the postmaster of HELO's domain (RFC 7208 2.4).
class SpfSuiteTest {
    private static final int CASES = 203;

    /// Results other than those of the suite.
    private static final Map<String, Deviation> DEVIATIONS = Map.ofEntries(
            tooWide("multispf2", "+all"),
            tooWide("all-double", "all"),
            tooWide("a-cidr4-0", "a/0"),
            tooWide("a-cidr6-0-ip6", "a//0"),
            tooWide("include-softfail", "all after an include"),
            tooWide("mx-cidr4-0", "mx/0"),
            tooWide("mx-cidr6-0-ip6", "mx//0"),
            tooWide("exists-ip4", "exists: of a fixed name"),
            tooWide("exists-ip6", "exists: of a fixed name"),
            tooWide("cidr4-0", "ip4:/0"),
            tooWide("cidr6-0", "ip6:/0"),
            tooWide("macro-multiple-delimiters", "exists: of the local part alone"));

    private record Deviation(SpfResult.Reason result, String why) {}

    private static Map.Entry<String, Deviation> tooWide(String name, String why) {
        return Map.entry(name, new Deviation(SpfResult.Reason.TOO_WIDE, why));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void case_isOfSuiteOrNamedDeviation(String name, JsonNode test, Zones zones) {
        Set<String> expected = texts(test.get("result"));

        SpfResult.Reason reason = check(test, zones);

        Deviation deviation = DEVIATIONS.get(name);
        if (deviation == null) {
            assertTrue(expected.contains(reason.label()), () -> reason.label() + " instead of " + expected);
        } else {
            assertEquals(deviation.result(), reason, deviation.why());
            assertFalse(expected.contains(reason.label()), "no longer deviates");
            assertNotEquals(SpfResult.Reason.PASS, reason);
        }
    }

    @Test
    void suite_hasAllCasesAndEachDeviation() throws IOException {
        List<String> names = cases().map(test -> (String) test.get()[0]).toList();

        assertEquals(CASES, names.size());
        assertTrue(new HashSet<>(names).containsAll(DEVIATIONS.keySet()));
    }

    private static SpfResult.Reason check(JsonNode test, Zones zones) {
        String helo = test.get("helo").asText();
        String mailFrom = test.path("mailfrom").asText("");
        String sender = mailFrom.isEmpty() ? "postmaster@" + helo : mailFrom;
        return new SpfCheck(zones)
                .check(InetAddress.ofLiteral(test.get("host").asText()), sender, helo)
                .reason();
    }

    static Stream<Arguments> cases() throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        List<Arguments> cases = new ArrayList<>();
        try (InputStream suite =
                Objects.requireNonNull(SpfSuiteTest.class.getResourceAsStream("spf/rfc7208-tests.yml"))) {
            for (JsonNode scenario :
                    yaml.readerFor(JsonNode.class).<JsonNode>readValues(suite).readAll()) {
                Zones zones = new Zones(scenario.get("zonedata"));
                scenario.get("tests")
                        .properties()
                        .forEach(test -> cases.add(Arguments.of(test.getKey(), test.getValue(), zones)));
            }
        }
        return cases.stream();
    }

    private static Set<String> texts(JsonNode node) {
        return node.isArray() ? Set.copyOf(list(node)) : Set.of(node.asText());
    }

    private static List<String> list(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /// The zones of a scenario. `TIMEOUT` is the answer of each type that has no records. SPF records are also TXT
    /// records where a name has none of its own.
    static final class Zones implements DnsQueries {
        private static final int MAX_ALIASES = 8;

        private final Map<String, List<JsonNode>> names = new HashMap<>();

        Zones(JsonNode data) {
            data.properties()
                    .forEach(name -> names.put(
                            name.getKey().toLowerCase(Locale.ROOT),
                            StreamSupport.stream(name.getValue().spliterator(), false)
                                    .toList()));
        }

        @Override
        public DnsReply query(String name, RecordType type) {
            String owner = name;
            for (int i = 0; i < MAX_ALIASES; i++) {
                List<JsonNode> records = names.getOrDefault(owner.toLowerCase(Locale.ROOT), List.of());
                List<String> values = values(records, type);
                if (!values.isEmpty()) {
                    return new DnsReply.Found(values, Duration.ZERO);
                }
                if (records.stream().anyMatch(node -> node.asText().equals("TIMEOUT"))
                        || (records.isEmpty() && owner.startsWith("error."))) {
                    return new DnsReply.Failed(DnsReply.Cause.ERROR, "");
                }
                List<String> alias = texts(records, "CNAME");
                if (alias.isEmpty()) {
                    return new DnsReply.Absent(Duration.ZERO);
                }
                owner = withoutDot(alias.getFirst());
            }
            return new DnsReply.Absent(Duration.ZERO);
        }

        private static List<String> values(List<JsonNode> records, RecordType type) {
            boolean hasText = records.stream().anyMatch(node -> node.has("TXT"));
            return texts(records, type == RecordType.TXT && !hasText ? "SPF" : type.name()).stream()
                    .filter(value -> !value.equals("NONE"))
                    .map(value -> type == RecordType.PTR ? withoutDot(value) : value)
                    .toList();
        }

        private static List<String> texts(List<JsonNode> records, String type) {
            return records.stream()
                    .filter(node -> node.has(type))
                    .map(node -> node.get(type))
                    .map(value ->
                            value.isArray() ? String.join(type.equals("MX") ? " " : "", list(value)) : value.asText())
                    .toList();
        }

        private static String withoutDot(String name) {
            return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        }
    }
}
