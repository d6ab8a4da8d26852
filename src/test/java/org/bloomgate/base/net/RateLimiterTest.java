package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void aNetworkHasItsTokensAtOnceAndThenAsTheyCome() {
        RateLimiter rates = RateLimiter.perMinute(3, nanos::get);
        assertTrue(allows(rates, "192.0.2.1"));
        assertTrue(allows(rates, "192.0.2.200"));
        assertTrue(allows(rates, "192.0.2.3"));
        assertFalse(allows(rates, "192.0.2.4"), "the same /24");
        assertTrue(allows(rates, "192.0.3.4"));
        nanos.addAndGet(19 * SECOND);
        assertFalse(allows(rates, "192.0.2.4"));
        nanos.addAndGet(SECOND);
        assertTrue(allows(rates, "192.0.2.4"));
        assertFalse(allows(rates, "192.0.2.4"));
    }

    @Test
    void whoComesSeldomHoldsNoMoreThanTheBucket() {
        RateLimiter rates = RateLimiter.perSecond(2, nanos::get);
        assertTrue(allows(rates, "2001:db8::1"));
        nanos.addAndGet(3600 * SECOND);
        assertTrue(allows(rates, "2001:db8::2"));
        assertTrue(allows(rates, "2001:db8::3"));
        assertFalse(allows(rates, "2001:db8::4"), "the same /64");
        assertTrue(allows(rates, "2001:db8:0:1::4"));
    }

    @Test
    void ipv6CountsBySlash56() {
        RateLimiter rates = RateLimiter.perMinute(1, nanos::get);
        assertTrue(allows(rates, "2001:db8:0:aa00::1"));
        assertFalse(allows(rates, "2001:db8:0:aaff::1"));
        assertTrue(allows(rates, "2001:db8:0:ab00::1"));
    }

    @Test
    void theTableIsBounded() {
        RateLimiter rates = RateLimiter.perSecond(1, nanos::get);
        for (int i = 0; i <= RateLimiter.MAX_NETWORKS; i++) {
            assertTrue(allows(rates, "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)));
        }
        assertEquals(RateLimiter.MAX_NETWORKS, rates.size());
        assertTrue(allows(rates, "10.0.0.0"), "forgotten first");
        assertFalse(allows(rates, "10.0.255.255"));
    }

    private static boolean allows(RateLimiter rates, String address) {
        return rates.tryAcquire(InetAddress.ofLiteral(address));
    }
}
