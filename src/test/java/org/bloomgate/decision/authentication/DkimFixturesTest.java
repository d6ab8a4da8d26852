package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Messages signed by dkimpy and OpenDKIM, and the examples of RFC 6376 A.2 and RFC 8463 A.3. `keys.tsv` holds key
/// records, `expected.tsv` the reason for each signature.
class DkimFixturesTest {
    private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");
    private static final Map<String, String> KEYS = new HashMap<>();

    static {
        table("keys.tsv").forEach(row -> KEYS.put(row[0], row[1]));
    }

    private static Stream<String[]> table(String name) {
        try (InputStream in = open(name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(row -> row.split("\t", -1));
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static InputStream open(String name) throws IOException {
        InputStream in = DkimFixturesTest.class.getResourceAsStream("dkim/" + name);
        if (in == null) {
            throw new IOException(name);
        }
        return in;
    }

    static Stream<String[]> expected() {
        return table("expected.tsv");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("expected")
    void signature_ofFixture_hasExpectedReason(String file, String expected) throws IOException {
        DnsQueries dns = (name, type) -> KEYS.containsKey(name)
                ? new DnsReply.Found(List.of(KEYS.get(name)), Duration.ZERO)
                : new DnsReply.Absent(Duration.ZERO);
        List<DkimResult> results = new DkimVerifier(dns, NOW).verify(() -> open(file), domain -> true, _ -> false);
        assertEquals(
                expected,
                results.stream().map(result -> result.reason().label()).collect(Collectors.joining(",")));
    }
}
