package org.bloomgate.lookup.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.bloomgate.RecordCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisOptionsTest {
    private static RedisOptions with(String key, Object value) {
        return RecordCopy.with(RedisOptions.defaults(), key, value);
    }

    @Test
    void nodesAreHostsAndPorts() {
        with("nodes", List.of("redis.example:6379", "192.0.2.1:7000", "[2001:db8::1]:65535"));
        assertEquals("2001:db8::1", RedisOptions.host("[2001:db8::1]:65535"));
        assertEquals(65_535, RedisOptions.port("[2001:db8::1]:65535"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "redis.example", "redis.example:0", "redis.example:65536", "redis://a:1", "a b:1", ":1"})
    void anythingElseIsNoNode(String node) {
        assertThrows(IllegalStateException.class, () -> with("nodes", List.of(node)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a{b}", "a b", "a\n"})
    void prefixStaysOutOfTheWayOfSlots(String prefix) {
        assertThrows(IllegalStateException.class, () -> with("prefix", prefix));
    }

    @Test
    void usernameNeedsAPassword() {
        assertThrows(IllegalStateException.class, () -> with("username", "gateway"));
        with("password", "secret");
    }

    @Test
    void timesAreBounded() {
        assertThrows(IllegalStateException.class, () -> with("timeout", Duration.ZERO));
        assertThrows(IllegalStateException.class, () -> with("retention", Duration.ofDays(91)));
    }
}
