package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.net.ListenAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpOptionsTest {

    @Test
    void defaultsListenOnLoopbackWithNothingThatChangesStateOpen() {
        assertEquals(
                new HttpOptions(
                        ListenAddress.of("127.0.0.1:8080"),
                        "",
                        2_048,
                        1_048_576,
                        26_214_400,
                        1_000,
                        Duration.ofSeconds(10),
                        HttpOptions.Tls.none(),
                        0,
                        "",
                        Map.of(),
                        List.of()),
                HttpOptions.defaults());
    }

    @ParameterizedTest
    @CsvSource({
        ":8080, 1, 1, 1, listen",
        "127.0.0.1:0, 0, 1, 1, maxBodyBytes",
        "127.0.0.1:0, 1, 0, 1, maxItems",
        "127.0.0.1:0, 1, 1, 0, requestTimeout",
    })
    void whatCannotServeIsRefusedByKey(String listen, long bytes, int items, long seconds, String key) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> new HttpOptions(
                        ListenAddress.of(listen),
                        "",
                        1,
                        bytes,
                        1,
                        items,
                        Duration.ofSeconds(seconds),
                        HttpOptions.Tls.none(),
                        0,
                        "",
                        Map.of(),
                        List.of()));
        assertTrue(String.valueOf(refused.getMessage()).startsWith(key));
    }

    @ParameterizedTest
    @CsvSource({
        "admin, secret-of-the-admin",
        "a b, secret-of-somebody",
        "ada, ''",
        "ada, the-token-of-the-admin",
        "ada, the-token-of-a-reader",
        "ada, sha256:12",
        "ada, fifteen-letters",
    })
    void anOperatorHasANameAndATokenOfTheirOwn(String name, String token) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> withOperators(Map.of(name, token)));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("operators." + name));
        assertThrows(
                IllegalArgumentException.class,
                () -> withOperators(Map.of("ada", "one-token-of-two", "bob", "one-token-of-two")));
        assertEquals(
                1,
                withOperators(Map.of("ada", "sha256:" + "0".repeat(64)))
                        .operators()
                        .size());
    }

    private static HttpOptions withOperators(Map<String, String> operators) {
        HttpOptions usual = HttpOptions.defaults();
        return new HttpOptions(
                usual.listen(),
                "the-token-of-the-admin",
                1,
                1,
                1,
                1,
                usual.requestTimeout(),
                usual.tls(),
                0,
                "the-token-of-a-reader",
                operators,
                usual.hosts());
    }
}
