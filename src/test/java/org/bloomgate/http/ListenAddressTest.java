package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {

    @Test
    void hostAndPortAreToldApart() {
        assertEquals(new ListenAddress("127.0.0.1", 8080), ListenAddress.parse("127.0.0.1:8080"));
        assertEquals(new ListenAddress("localhost", 0), ListenAddress.parse("localhost:0"));
        assertEquals(new ListenAddress("::1", 65_535), ListenAddress.parse("[::1]:65535"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8080", ":8080", "localhost", "localhost:", "localhost:x", "localhost:65536", "::1:80"})
    void anythingElseIsRefusedWithAnExample(String text) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text));
        assertTrue(String.valueOf(refused.getMessage()).contains("127.0.0.1:8080"));
    }
}
