package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HttpOptionsTest {

    @Test
    void defaultsListenOnLoopbackWithNothingThatChangesStateOpen() {
        assertEquals(
                new HttpOptions("127.0.0.1:8080", "", 1_048_576, 26_214_400, 1_000, Duration.ofSeconds(10)),
                HttpOptions.defaults());
    }
}
