package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {

    @Test
    void hostAndPortAreToldApart() {
        assertEquals(new ListenAddress("127.0.0.1", 8080), ListenAddress.of("127.0.0.1:8080"));
        assertEquals(new ListenAddress("localhost", 0), ListenAddress.of("localhost:0"));
        assertEquals(new ListenAddress("::1", 65_535), ListenAddress.of("[::1]:65535"));
        assertEquals(new ListenAddress("", 25), ListenAddress.of(":25"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:2525", "localhost:0", "[::1]:65535", ":25"})
    void anAddressIsWrittenAsItIsRead(String text) {
        assertEquals(text, ListenAddress.of(text).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:1,true",
        "[::1]:1,true",
        "LOCALHOST:1,true",
        "0.0.0.0:1,false",
        ":1,false",
        "a.example:1,false"
    })
    void whatIsNotResolvedCountsAsReachable(String text, boolean loopback) {
        assertEquals(loopback, ListenAddress.of(text).isLoopback());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8080", "localhost", "localhost:", "localhost:x", "localhost:65536", "::1:80"})
    void anythingElseIsRefusedWithAnExample(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> ListenAddress.of(text));
        assertTrue(String.valueOf(refused.getMessage()).contains("127.0.0.1:2525"));
    }
}
