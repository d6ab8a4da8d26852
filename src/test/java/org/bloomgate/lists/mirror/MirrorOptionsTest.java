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

    @Test
    void url_isAddressOfWebServer() {
        assertTrue(of("https://lists.example", 1, 1, 1).isEnabled());
        assertTrue(refusal("lists.example", 1, 1, 1).startsWith("url "));
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
