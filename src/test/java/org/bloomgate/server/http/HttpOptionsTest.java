package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.net.BearerToken;
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
                        List.of(RouteGroup.AUTO),
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
                        List.of(RouteGroup.AUTO),
                        Map.of(),
                        List.of()));
        assertTrue(String.valueOf(refused.getMessage()).startsWith(key));
    }

    @ParameterizedTest
    @CsvSource({
        "admin, READER, secret-of-the-admin, ': a name is'",
        "a b, READER, secret-of-somebody, ': a name is'",
        "ada, NONE, secret-of-somebody, .role",
        "ada, READER, '', .token",
        "ada, READER, the-token-of-the-admin, .token",
        "ada, READER, sha256:12, .token",
        "ada, READER, fifteen-letters, .token",
    })
    void operatorWithoutNameRoleAndToken_isRefused(String name, Role role, String token, String key) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> withOperators(Map.of(name, new Operator(role, token, 0))));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("operators." + name + key), refused::getMessage);
    }

    @Test
    void tokenOfTwo_isRefusedInEitherForm() {
        String token = "one-token-of-two";
        for (String other : List.of(token, BearerToken.toConfigured(token))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> withOperators(Map.of(
                            "ada", new Operator(Role.ADMIN, token, 0), "bob", new Operator(Role.CLIENT, other, 0))));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> withOperators(Map.of("ada", new Operator(Role.ADMIN, token, -1))));
        withOperators(Map.of("ada", new Operator(Role.ADMIN, BearerToken.toConfigured(token), 0)));
    }

    private static HttpOptions withOperators(Map<String, Operator> operators) {
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
                usual.open(),
                operators,
                usual.hosts());
    }
}
