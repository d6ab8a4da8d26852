package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:8080",
                "http://[::1]:8080",
                "https://lists.example",
                "HTTPS://lists.example",
                "https://lists.example/below/"
            })
    void addressOfWebServer_isValid(String address) {
        assertTrue(WebAddress.isValid(address));
        assertDoesNotThrow(() -> WebAddress.requireValid("url", address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lists.example",
                "lists.example:8080",
                "ftp://lists.example",
                "https://",
                "https:///x",
                "https://user:secret@lists.example",
                "https://lists.example/?a=b",
                "https://lists.example/#a",
                "https://two words.example",
                "file:///etc/passwd"
            })
    void otherText_isRejectedByKeyAlone(String address) {
        assertEquals(
                "url must be http://HOST[:PORT] or https://HOST[:PORT], without user, query and fragment",
                assertThrows(IllegalArgumentException.class, () -> WebAddress.requireValid("url", address))
                        .getMessage());
    }
}
