package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MirrorOptionsTest {

    @Test
    void defaults_fetchNothing() {
        assertEquals(
                new MirrorOptions(
                        "",
                        Duration.ofMinutes(1),
                        Optional.empty(),
                        Duration.ofSeconds(10),
                        68_719_476_736L,
                        MirrorOptions.OnExpired.ALARM,
                        false,
                        ""),
                MirrorOptions.defaults());
        assertFalse(MirrorOptions.defaults().isEnabled());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "https://lists.example", "https://lists.example/below/"})
    void url_isHttpAddress(String url) {
        assertTrue(of(url, 1, 1, 1).isEnabled());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lists.example",
                "lists.example:8080",
                "ftp://lists.example",
                "https://",
                "https:///x",
                "https://user:secret@lists.example",
                "https://lists.example/?a=b",
                "https://lists.example/#a",
                "file:///etc/passwd"
            })
    void unusableUrl_isRejectedByKey(String url) {
        assertTrue(refusal(url, 1, 1, 1).startsWith("url "));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, interval", "1, 0, 1, timeout", "1, 1, 0, maxBytes"})
    void invalidValue_isRejectedByKey(long interval, long timeout, long maxBytes, String key) {
        assertTrue(refusal("", interval, timeout, maxBytes).startsWith(key));
    }

    private static String refusal(String url, long interval, long timeout, long maxBytes) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> of(url, interval, timeout, maxBytes))
                .getMessage());
    }

    private static MirrorOptions of(String url, long interval, long timeout, long maxBytes) {
        return new MirrorOptions(
                url,
                Duration.ofSeconds(interval),
                Optional.empty(),
                Duration.ofSeconds(timeout),
                maxBytes,
                MirrorOptions.OnExpired.ALARM,
                false,
                "");
    }
}
