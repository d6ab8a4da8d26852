package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.bloomgate.net.ListenAddress;
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
                        67_108_864,
                        Duration.ofSeconds(10),
                        HttpOptions.Tls.none(),
                        0,
                        "",
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
                        0,
                        Duration.ofSeconds(seconds),
                        HttpOptions.Tls.none(),
                        0,
                        "",
                        List.of()));
        assertTrue(String.valueOf(refused.getMessage()).startsWith(key));
    }
}
