package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NextHopOptionsTest {

    @Test
    void theDefaultsAreThoseOfRfc5321() {
        assertEquals(
                new NextHopOptions.Timeouts(
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(3),
                        Duration.ofMinutes(10)),
                NextHopOptions.defaults().timeouts());
        assertEquals(Duration.ofSeconds(20), NextHopOptions.defaults().poolIdle());
        assertTrue(NextHopOptions.defaults().chunking());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "a\r\nRSET", "<gate>", "[", "[]", ".example"})
    void aHeloNameThatWouldBreakTheCommandIsRefused(String name) {
        assertNames("heloName", () -> with(name, 1, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "gate.example", "[192.0.2.1]", "[IPv6:2001:db8::1]"})
    void aDomainNameAndAnAddressLiteralAreHeloNames(String name) {
        assertEquals(name, with(name, 1, Duration.ofSeconds(1)).heloName());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65_536})
    void aPoolSizeOutOfRangeIsRefused(int size) {
        assertNames("poolSize", () -> with("localhost", size, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT24H0.001S"})
    void aDurationOutOfRangeIsRefused(Duration duration) {
        Duration fine = Duration.ofSeconds(1);
        assertNames("poolIdle", () -> with("localhost", 1, duration));
        assertNames("dot", () -> new NextHopOptions.Timeouts(fine, fine, fine, fine, duration));
    }

    private static NextHopOptions with(String heloName, int poolSize, Duration poolIdle) {
        return new NextHopOptions(
                heloName,
                Duration.ofSeconds(1),
                poolIdle,
                poolSize,
                NextHopTls.NONE,
                Optional.empty(),
                true,
                true,
                NextHopOptions.Timeouts.defaults());
    }

    private static void assertNames(String key, org.junit.jupiter.api.function.Executable made) {
        String message = assertThrows(IllegalArgumentException.class, made).toString();
        assertTrue(message.contains(key + ": "), message);
    }
}
